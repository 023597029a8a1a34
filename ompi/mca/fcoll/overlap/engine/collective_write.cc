#include "collective_write.h"

#include "direct_write.h"
#include "explain.h"
#include "guard.h"
#include "on_file.h"
#include "plan/exchange.h"
#include "schedule/runner.h"

#include <array>
#include <limits>

namespace overlap {
namespace {

// A domain below this size is not worth an aggregator of its own, unless the collective buffer is smaller.
constexpr ByteCount kSmallestDomain = ByteCount{256} * 1024;

// Where nobody asked for a size, a sub-buffer stays small enough to be in the cache when it is written, as long as the
// messages that fill it stay worth sending (bench/RESULTS.md). A striped file system is given the large writes that it is
// built for.
constexpr ByteCount kCachedSubBuffer = ByteCount{2} * 1024 * 1024;
constexpr ByteCount kWorthSending = ByteCount{64} * 1024;

ByteCount SubBufferSize(const overlap_file_facts &facts, int slots, int ranks) {
    const ByteCount share = std::max<ByteCount>(1, facts.collective_buffer_size / slots);
    if (facts.collective_buffer_chosen != 0 || facts.stripe_size > 0) {
        return share;
    }
    return std::min(share, std::max(kCachedSubBuffer, kWorthSending * ranks));
}

overlap_file_facts FactsOf(const overlap_storage &storage) {
    overlap_file_facts facts{};
    storage.facts(storage.self, &facts);
    return facts;
}

} // namespace

CollectiveFile::CollectiveFile(const overlap_transport &transport, const overlap_storage &storage,
                               const overlap_settings &settings)
    : transport_(transport), storage_(storage), settings_(settings), slots_(SlotsOf(settings.algorithm, settings.slots)),
      placement_(MakePlacement(settings.placement)) {}

Status CollectiveFile::Write(const overlap_access &request, ByteCount &on_file) {
    on_file = 0;
    Access access;
    PlanKey key;
    const Status local = Guarded([&] {
        access = BuildAccess(request);
        key = KeyOf(access);
    });
    if (transport_.size == 1 && local.ok() && !access.file.empty() && DirectWritePays(access)) {
        return WriteDirectly(storage_, access, on_file);
    }

    Range range;
    Status status = AgreeOnRange(access, key_.has_value() && local.ok() && key == *key_, local, range);
    if (!status.ok() || range.empty()) {
        return status;
    }
    if (!range.same_as_before) {
        status = MakePlan(key, range);
        if (!status.ok()) {
            return status;
        }
        key_ = std::move(key);
    }
    status = Run(access.memory, on_file);
    if (status.ok()) {
        on_file = static_cast<ByteCount>(request.bytes);
    }
    return status;
}

CollectiveFile::PlanKey CollectiveFile::KeyOf(const Access &access) const {
    const overlap_file_facts facts = FactsOf(storage_);
    PlanKey key;
    key.file = access.file;
    key.alignment = std::max<ByteCount>(1, facts.stripe_size > 0 ? facts.stripe_size : facts.block_size);
    key.capacity = SubBufferSize(facts, slots_, transport_.size);
    key.requested = facts.aggregators;
    key.ompio.assign(facts.ompio_aggregators, facts.ompio_aggregators + facts.ompio_aggregator_count);
    return key;
}

Status CollectiveFile::AgreeOnRange(const Access &access, bool same_as_before, Status local, Range &range) const {
    // One maximum for all: the first offset as its negative. Ranks without data take no part in the range.
    constexpr std::int64_t kNothing = std::numeric_limits<std::int64_t>::min();
    std::array<std::int64_t, 4> values = {kNothing, kNothing, same_as_before ? 0 : 1, local.error()};
    if (!access.file.empty()) {
        values[0] = -access.file.begin();
        values[1] = access.file.end();
    }
    Status status(transport_.allreduce(transport_.self, values.data(), values.size(), OVERLAP_REDUCE_MAX));
    if (status.ok() && values[1] != kNothing) {
        range = Range{-values[0], values[1], values[2] == 0};
    }
    status.Merge(Status(static_cast<int>(values[3])));
    return status;
}

Status CollectiveFile::MakePlan(const PlanKey &key, const Range &range) {
    key_.reset();
    plan_ = Plan();
    const PlacementProblem problem{transport_.size, transport_.node_of_rank, key.requested, key.ompio};
    const std::vector<Domain> domains = EvenDomains(range.first, range.last, placement_->DomainLimit(problem), key.alignment,
                                                    std::min(kSmallestDomain, key.capacity));
    const std::vector<Rank> aggregators = placement_->Place(problem, static_cast<int>(domains.size()));
    plan_.domains = static_cast<int>(domains.size());

    Status status = Guarded([&] { plan_.shares = MakeShares(key.file, domains, aggregators); });
    status.Merge(ExchangeShares(transport_, plan_.shares, aggregators, plan_.owned));

    bool fills_domains = true;
    status.Merge(Guarded([&] {
        for (OwnedDomain &owned : plan_.owned) {
            const Domain &domain = domains[static_cast<std::size_t>(owned.domain)];
            fills_domains = CoverDomain(domain, key.capacity, key.alignment, owned) && fills_domains;
            plan_.cycles = std::max(plan_.cycles, owned.cycles());
        }
        buffers_.Reserve(slots_, plan_.owned.size(), plan_.LargestCycle());
    }));
    status = AgreeOnCycles(status, domains, key, fills_domains);
    if (status.ok()) {
        Explain(key);
    }
    return status;
}

Status CollectiveFile::AgreeOnCycles(Status local, const std::vector<Domain> &domains, const PlanKey &key,
                                     bool fills_domains) {
    std::array<std::int64_t, 3> values = {plan_.cycles, fills_domains ? 0 : 1, local.error()};
    Status status(transport_.allreduce(transport_.self, values.data(), values.size(), OVERLAP_REDUCE_MAX));
    status.Merge(Status(static_cast<int>(values[2])));
    if (!status.ok()) {
        return status;
    }
    plan_.cycles = values[0];
    plan_.gapless = values[1] == 0;
    program_ = MakeProgram(settings_.algorithm, plan_.cycles, slots_);
    if (!plan_.gapless) {
        return ExchangeCuts(transport_, plan_);
    }
    for (Share &share : plan_.shares) {
        share.cuts = CutGapless(domains[static_cast<std::size_t>(share.domain)], key.capacity, key.alignment);
    }
    return status;
}

Status CollectiveFile::Run(const StridedList &memory, ByteCount &on_file) {
    const auto shuffle = MakeShuffle(settings_.shuffle, ShuffleJob{transport_, plan_, memory, buffers_, slots_});
    const std::size_t lanes = static_cast<std::size_t>(slots_) * plan_.owned.size();
    const auto writer = MakeWriter(settings_.writer, storage_, lanes);
    CycleWriter cycles(plan_, buffers_, *writer);

    Status status = AgreeOnError(RunProgram(program_, *shuffle, cycles));
    if (!status.ok()) {
        status.Merge(CountOnFile(transport_, plan_, cycles, on_file));
    }
    return status;
}

Status CollectiveFile::AgreeOnError(Status local) const {
    std::int64_t error = local.error();
    Status status(transport_.allreduce(transport_.self, &error, 1, OVERLAP_REDUCE_MAX));
    status.Merge(Status(static_cast<int>(error)));
    return status;
}

void CollectiveFile::Explain(const PlanKey &key) const {
    if (!explained_ && transport_.rank == 0) {
        const std::string line = ExplainPlan(settings_, *placement_, plan_, slots_, key.capacity, key.alignment);
        storage_.explain(storage_.self, line.c_str());
    }
    explained_ = true;
}

} // namespace overlap
