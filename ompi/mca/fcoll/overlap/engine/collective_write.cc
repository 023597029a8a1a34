#include "collective_write.h"

#include "direct_write.h"
#include "explain.h"
#include "guard.h"
#include "on_file.h"
#include "plan/exchange.h"
#include "plan/turns.h"
#include "schedule/dataflow.h"
#include "schedule/runner.h"

#include <algorithm>
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

CollectiveFile::CollectiveFile(const overlap_transport &transport, const overlap_storage &storage, const overlap_host &host,
                               const overlap_settings &settings)
    : transport_(transport), storage_(storage), host_(host), settings_(settings),
      slots_(SlotsOf(settings.algorithm, settings.slots)),
      nodes_(1 + *std::max_element(transport.node_of_rank, transport.node_of_rank + transport.size)), team_(transport_),
      placer_(team_, host_, settings_), windows_(transport_) {}

Status CollectiveFile::Write(const overlap_access &request, ByteCount &on_file) {
    on_file = 0;
    Access access;
    PlanKey key;
    const Status local = Guarded([&] {
        access = BuildAccess(request);
        key = KeyOf(access);
    });
    if (transport_.size == 1 && local.ok() && !access.file.empty() && DirectWritePays(access)) {
        return WriteAlone(access, on_file);
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

Status CollectiveFile::WriteAlone(const Access &access, ByteCount &on_file) {
    LearnHoles(access.file.end() - access.file.begin() > access.file.bytes());
    if (!sieve_.has_value() || sieve_->rule() != CurrentRule(0)) {
        sieve_.emplace(storage_, CurrentRule(0), &transport_);
    }
    const Status status = Guarded([&] { sieve_->Prepare(); });
    return status.ok() ? WriteDirectly(storage_, *sieve_, access, on_file) : status;
}

CollectiveFile::PlanKey CollectiveFile::KeyOf(const Access &access) const {
    const overlap_file_facts facts = FactsOf(storage_);
    PlanKey key;
    key.file = access.file;
    key.alignment = std::max<ByteCount>(1, facts.stripe_size > 0 ? facts.stripe_size : facts.block_size);
    key.capacity = SubBufferSize(facts, slots_, transport_.size);
    if (settings_.partition == OVERLAP_PARTITION_STATIC) {
        key.striping = StripingOf(facts, key.capacity);
        // A cycle ends with a stripe where it has the room for one.
        key.alignment = key.striping.stripe <= key.capacity ? key.striping.stripe : key.alignment;
    }
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

std::vector<Domain> CollectiveFile::DomainsOf(const PlanKey &key, const Range &range, int limit) {
    const ByteCount smallest = std::min(kSmallestDomain, key.capacity);
    return key.striping.stripe > 0 ? StaticDomains(range.first, range.last, limit, key.striping, smallest)
                                   : EvenDomains(range.first, range.last, limit, key.alignment, smallest);
}

Status CollectiveFile::MakePlan(const PlanKey &key, const Range &range) {
    key_.reset();
    plan_ = Plan();
    PlacementProblem problem;
    problem.ranks = transport_.size;
    problem.node_of_rank = transport_.node_of_rank;
    problem.requested = key.requested;
    problem.ompio = key.ompio;
    Status status = placer_.Prepare(problem);
    if (!status.ok()) {
        return status;
    }
    const std::vector<Domain> domains = DomainsOf(key, range, placer_.DomainLimit(problem));
    std::vector<Rank> aggregators;
    status = PlaceDomains(problem, key.file, domains, aggregators);
    if (!status.ok()) {
        return status;
    }
    plan_.domains = static_cast<int>(domains.size());

    status = Guarded([&] { plan_.shares = MakeShares(key.file, domains, aggregators); });
    status.Merge(ExchangeShares(transport_, plan_.shares, aggregators, plan_.owned));

    bool fills_domains = true;
    status.Merge(Guarded([&] {
        for (OwnedDomain &owned : plan_.owned) {
            const Domain &domain = domains[static_cast<std::size_t>(owned.domain)];
            fills_domains = CoverDomain(domain, key.capacity, key.alignment, owned) && fills_domains;
            plan_.cycles = std::max(plan_.cycles, owned.cycles());
        }
        PrepareWriter(key.striping.stripe);
        if (!UsesWindows(settings_.shuffle)) {
            ReserveSubBuffers();
        }
    }));
    status = AgreeOnPlan(status, fills_domains);
    if (!status.ok()) {
        return status;
    }
    LearnHoles(!plan_.gapless && transport_.rank == 0); // it is the one that tells the user
    program_ = MakeProgram(settings_.algorithm, plan_.cycles, slots_);
    status = ChooseShuffle(aggregators);
    if (status.ok()) {
        status = ShareCuts(domains, key);
    }
    if (status.ok()) {
        status = Explain(key);
    }
    return status;
}

// Collective; all ranks return the same.
Status CollectiveFile::PlaceDomains(const PlacementProblem &problem, const StridedList &file,
                                    const std::vector<Domain> &domains, std::vector<Rank> &aggregators) {
    std::vector<DomainShare> own;
    const Status local = Guarded([&] {
        if (placer_.NeedsShares()) {
            for (const Share &share : MakeShares(file, domains, std::vector<Rank>(domains.size(), 0))) {
                own.push_back(DomainShare{share.domain, share.file.bytes()});
            }
        }
    });
    return placer_.Place(problem, own, local, static_cast<int>(domains.size()), aggregators);
}

// What cannot be read back and locked is not sieved. To find that out takes a lock, so it waits for the first gaps.
void CollectiveFile::LearnHoles(bool gaps) {
    if (!gaps || holes_.has_value()) {
        return;
    }
    holes_ = settings_.holes;
    if (settings_.holes == OVERLAP_HOLES_LIST ||
        (FactsOf(storage_).posix != 0 && storage_.posix_sieves(storage_.self) != 0)) {
        return;
    }
    holes_ = OVERLAP_HOLES_LIST;
    if (settings_.holes == OVERLAP_HOLES_SIEVE && transport_.rank == 0) {
        host_.warn(host_.self, OVERLAP_WARNING_NO_SIEVE, nullptr);
    }
}

HolesRule CollectiveFile::CurrentRule(ByteCount stripe) const {
    return HolesRule{holes_.value_or(OVERLAP_HOLES_LIST), stripe};
}

// A file that POSIX calls do not reach is Open MPI's to write.
void CollectiveFile::PrepareWriter(ByteCount stripe) {
    LearnHoles(std::any_of(plan_.owned.begin(), plan_.owned.end(),
                           [](const OwnedDomain &domain) { return !domain.coverage.gapless(); }));
    const HolesRule rule = CurrentRule(stripe);
    if (writer_ == nullptr || rule != rule_) {
        const bool posix = FactsOf(storage_).posix != 0;
        const overlap_writer chosen = posix ? settings_.writer : OVERLAP_WRITER_FBTL;
        if (chosen != settings_.writer && transport_.rank == 0) {
            host_.warn(host_.self, OVERLAP_WARNING_NOT_POSIX, nullptr);
        }
        writer_ = MakeWriter(chosen, WriterPorts{storage_, transport_, host_, rule});
        rule_ = rule;
    }
    writer_->Prepare(static_cast<std::size_t>(slots_) * plan_.owned.size());
}

// The writer lets go of memory before it moves: what it registers with the kernel are pages, not addresses. Window memory is
// not registered, as that is the transport's to do.
void CollectiveFile::ReserveSubBuffers() {
    const ByteCount bytes = plan_.FullestOwnCycle();
    if (!buffers_.Holds(slots_, plan_.owned.size(), bytes)) {
        writer_->Use({});
    }
    buffers_.Reserve(slots_, plan_.owned.size(), bytes);
    writer_->Use(buffers_.Ranges(static_cast<int>(std::min<Cycle>(slots_, plan_.cycles))));
}

Status CollectiveFile::AgreeOnPlan(Status local, bool fills_domains) {
    const bool overlap = std::any_of(plan_.owned.begin(), plan_.owned.end(),
                                     [](const OwnedDomain &domain) { return domain.coverage.overlap; });
    std::array<std::int64_t, 7> values = {plan_.cycles,     fills_domains ? 0 : 1,
                                          overlap ? 1 : 0,  plan_.FullestOwnCycle(),
                                          plan_.OwnBytes(), static_cast<std::int64_t>(plan_.owned.size()),
                                          local.error()};
    Status status(transport_.allreduce(transport_.self, values.data(), values.size(), OVERLAP_REDUCE_MAX));
    status.Merge(Status(static_cast<int>(values[6])));
    plan_.cycles = values[0];
    plan_.gapless = values[1] == 0;
    plan_.overlap = values[2] != 0;
    plan_.fullest_cycle = values[3];
    plan_.busiest = values[4];
    plan_.most_owned = static_cast<std::size_t>(values[5]);
    return status;
}

// Overlapping data needs the order that only two-sided keeps. Where windows are not there yet, a small call does not pay for
// them.
Status CollectiveFile::ChooseShuffle(const std::vector<Rank> &aggregators) {
    shuffle_ = OVERLAP_SHUFFLE_TWO_SIDED;
    if (!UsesWindows(settings_.shuffle)) {
        return Status();
    }
    const bool pays = !windows_.empty() || plan_.busiest >= settings_.window_threshold;
    if (pays && !plan_.overlap && !windows_impossible_ && MakeWindows(aggregators)) {
        shuffle_ = settings_.shuffle;
        writer_->Use({});
        buffers_.Borrow(windows_.Memory(), SubBuffers::Stride(plan_.fullest_cycle));
        return Status();
    }
    return AgreeOnError(Guarded([&] { ReserveSubBuffers(); }));
}

bool CollectiveFile::MakeWindows(const std::vector<Rank> &aggregators) {
    const int slots = static_cast<int>(std::min<Cycle>(slots_, plan_.cycles));
    const ByteCount bytes = SubBuffers::Stride(plan_.fullest_cycle) * static_cast<ByteCount>(plan_.most_owned);
    const overlap_epochs epochs =
        settings_.shuffle == OVERLAP_SHUFFLE_PUT_FENCE ? OVERLAP_EPOCHS_FENCE : OVERLAP_EPOCHS_LOCK;
    const Windows::Answer answer = windows_.Reserve(slots, bytes, aggregators, epochs);
    if (answer == Windows::Answer::kNever) {
        windows_impossible_ = true;
        windows_.Free();
        if (transport_.rank == 0) {
            host_.warn(host_.self, OVERLAP_WARNING_NO_WINDOWS, nullptr);
        }
    }
    return answer == Windows::Answer::kReady;
}

// All ranks return the same.
Status CollectiveFile::ShareCuts(const std::vector<Domain> &domains, const PlanKey &key) {
    std::vector<std::int64_t> first_parts(domains.size(), 0);
    // On one node every order is as good.
    if (nodes_ > 1) {
        const Status status = AgreeOnFirstParts(transport_, plan_, first_parts);
        if (!status.ok()) {
            return status;
        }
    }
    if (!plan_.gapless) {
        Status status = ExchangeCuts(transport_, first_parts, plan_);
        if (UsesWindows(shuffle_)) {
            status.Merge(ExchangePlaces(transport_, plan_));
        }
        return AgreeOnError(status);
    }
    for (Share &share : plan_.shares) {
        const auto domain = static_cast<std::size_t>(share.domain);
        share.cuts = CutGapless(domains[domain], key.capacity, key.alignment);
        share.cuts.StartWith(first_parts[domain]);
    }
    return Status();
}

Status CollectiveFile::Run(const StridedList &memory, ByteCount &on_file) {
    const auto shuffle = MakeShuffle(shuffle_, ShuffleJob{transport_, plan_, memory, buffers_, slots_, &windows_,
                                                          SubBuffers::Stride(plan_.fullest_cycle)});
    CycleWriter cycles(plan_, buffers_, *writer_);
    const bool by_completion = ScheduleOf(settings_.algorithm).by_completion && shuffle->CompletesInAnyOrder();

    Status status = AgreeOnError(by_completion ? RunDataflow(plan_.cycles, slots_, *shuffle, cycles)
                                               : RunProgram(program_, *shuffle, cycles));
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

// Collective: the ranks' idle cycles are counted for it.
Status CollectiveFile::Explain(const PlanKey &key) {
    if (explained_) {
        return Status();
    }
    explained_ = true;
    std::int64_t idle = 0;
    Status status;
    if (shuffle_ == OVERLAP_SHUFFLE_PUT_FENCE) {
        idle = plan_.IdleCycles();
        status = Status(transport_.allreduce(transport_.self, &idle, 1, OVERLAP_REDUCE_SUM));
    }
    if (transport_.rank == 0) {
        const PlanFacts facts{settings_,       shuffle_,     placer_.Describe(), holes_.value_or(settings_.holes),
                              slots_,          key.capacity, key.alignment,      key.striping,
                              transport_.size, idle};
        const std::string line = ExplainPlan(facts, plan_);
        host_.explain(host_.self, line.c_str());
    }
    return status;
}

} // namespace overlap
