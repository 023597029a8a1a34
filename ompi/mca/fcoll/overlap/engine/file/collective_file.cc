#include "collective_file.h"

#include "../call/alone.h"
#include "../choose/read_rules.h"
#include "../guard.h"
#include "../report/json.h"
#include "../report/text.h"
#include "../shuffle/scatter.h"
#include "joining.h"

#include <algorithm>
#include <utility>

namespace overlap {
namespace {

// Of a domain: what an aggregator has of others before there is a sub-buffer for it is to be little beside those.
constexpr ByteCount kMostEnclosed = ByteCount{1} << 20;

// Bytes of an aggregator that are received and copied into the page cache, about: a start of a nonblocking write takes a
// part of that time.
constexpr double kCopiedInASecond = 1e9;

// Leaves out what lies behind the end of the file. After an error there is nothing.
Status EndAt(FileOffset end, StridedList &file, StridedList &memory) {
    if (file.empty() || file.end() <= end) {
        return Status();
    }
    const Status status = Guarded([&] {
        const ByteCount bytes = file.BytesBefore(end);
        file = file.Part(0, bytes);
        memory = memory.Part(0, bytes);
    });
    if (!status.ok()) {
        file = StridedList();
        memory = StridedList();
    }
    return status;
}

} // namespace

CollectiveFile::CollectiveFile(const overlap_transport &transport, const overlap_storage &storage, const overlap_host &host,
                               const overlap_settings &settings)
    : team_(transport), storage_(storage), host_(host), neighbours_(NeighboursOf(team_)), planner_(team_, host_, settings),
      writes_(OVERLAP_WRITE, false, settings, team_, neighbours_, rules_),
      reads_(OVERLAP_READ, false, settings, team_, neighbours_, rules_),
      passing_writes_(OVERLAP_WRITE, true, settings, team_, neighbours_, rules_),
      passing_reads_(OVERLAP_READ, true, settings, team_, neighbours_, rules_), watch_(host_, host.counters),
      timeline_(settings.trace[0] == '\0' ? nullptr : std::make_unique<Timeline>(team_, host_, settings)),
      resources_(team_, storage_, host_, settings, watch_), order_(team_, storage_),
      declared_(*this, team_, storage_, host_, writes_.settings, resources_) {
    if (timeline_ != nullptr) {
        Observe(&timeline_->recorder());
    }
    if (settings.report != OVERLAP_REPORT_OFF) {
        report_.emplace(team_);
    }
}

void CollectiveFile::Close() {
    if (timeline_ != nullptr) {
        timeline_->Finish();
    }
    resources_.FreeTogether();
}

Side &CollectiveFile::SideOf(overlap_direction direction, bool in_passing) {
    if (in_passing) {
        return direction == OVERLAP_READ ? passing_reads_ : passing_writes_;
    }
    return direction == OVERLAP_READ ? reads_ : writes_;
}

// Between two agreements whatever a rank lacks becomes its status, which the next one tells the others.
Status CollectiveFile::Transfer(overlap_direction direction, const Request &request, ByteCount &done) {
    resources_.BeginPatience();
    const Status status = [&] {
        Status kept;
        if (direction == OVERLAP_READ && declared_.HasSomething()) {
            const WatchedCall watched(watch_, OVERLAP_WRITE);
            kept = declared_.Flush();
        }
        const WatchedCall watched(watch_, direction);
        Asked asked = AskedOf(direction, request);
        done = 0;
        const Status transferred =
            direction == OVERLAP_WRITE ? declared_.Write(asked, done) : TransferNow(direction, asked, done);
        return Counted(request, kept.ok() ? transferred : kept, done);
    }();
    AfterCall();
    return status;
}

Status CollectiveFile::Flush() {
    resources_.BeginPatience();
    if (!declared_.HasSomething()) {
        return Status();
    }
    const Status status = [&] {
        const WatchedCall watched(watch_, OVERLAP_WRITE);
        return declared_.Flush();
    }();
    AfterCall();
    return status;
}

void CollectiveFile::Declare(std::vector<StridedList> layouts, Status local) {
    const WatchedCall watched(watch_, OVERLAP_WRITE);
    declared_.Declare(std::move(layouts), local);
}

// What an exception ends is no call that counts: nothing is transferred then.
Status CollectiveFile::Counted(const Request &request, Status status, ByteCount done) {
    const auto calls = static_cast<std::int64_t>(request.count);
    watch_.Count(OVERLAP_COUNT_CALLS, calls);
    watch_.Count(OVERLAP_COUNT_NONBLOCKING, resources_.Waits() ? 0 : calls);
    watch_.Count(OVERLAP_COUNT_FAILED, status.ok() ? 0 : calls);
    watch_.Count(OVERLAP_COUNT_BYTES, done);
    return status;
}

// Collective.
void CollectiveFile::AfterCall() noexcept {
    if (timeline_ != nullptr) {
        timeline_->AfterCall();
    }
}

Asked CollectiveFile::AskedOf(overlap_direction direction, const Request &request) const {
    Asked asked;
    asked.bytes = request.bytes();
    asked.calls = static_cast<std::int64_t>(request.count);
    asked.local = Guarded([&] {
        if (request.error() == OVERLAP_SUCCESS) {
            asked.access = BuildAccess(request, direction);
        }
    });
    asked.local.Merge(Status(request.error()));
    return asked;
}

Status CollectiveFile::TransferNow(overlap_direction direction, Asked &asked, ByteCount &done) {
    done = 0;
    Side &side = SideOf(direction, !resources_.Waits());
    last_[direction] = &side;
    Access &access = asked.access;
    PlanKey key;
    Outline outline;
    Status local = Describe(side, key.asked);
    local.Merge(asked.local);
    watch_.Count(OVERLAP_COUNT_PIECES, access.file.PiecesAtLeast());
    const bool alone = access.repeats || (!side.in_passing && !access.on_device && GoesAlone(access.file, access.memory));
    if (team_.size() == 1 && local.ok() && alone) {
        local = SizeOf(side, access.file, outline.end);
        return local.ok() ? TransferOwn(side,
                                        Own{access.file, access.memory, access.on_device, asked.bytes, outline.end, false,
                                            asked.calls},
                                        done)
                          : local;
    }
    watch_.TurnTo(Activity::kEntry);
    side.merge.Begin(access, local);
    local.Merge(side.merge.status());
    ExplainMerge(side);
    key.file = std::move(access.file);
    const Status status = AgreeAndTransfer(side, asked, key, local, done);
    watch_.Count(OVERLAP_COUNT_MERGED, status.ok() && side.merge.merged() && !asked.overlaps ? asked.calls : 0);
    return status;
}

// Collective.
Status CollectiveFile::AgreeAndTransfer(Side &side, Asked &asked, PlanKey &key, Status local, ByteCount &done) {
    const overlap_direction direction = side.direction;
    Access &access = asked.access;
    std::unique_ptr<Call> call;
    Outline outline;
    const bool repeats = local.ok() && side.plan != nullptr && !access.repeats && side.Repeats(key, team_.nodes());
    if (repeats && !side.went_alone) {
        local = MakeCall(side, access, Enclosed(), call);
    }
    watch_.TurnTo(Activity::kEntry);
    Status status = ObeyRules();
    if (status.ok()) {
        status = planner_.Prepare(key.asked, side.chooser.MostAggregators(), local);
    }
    if (status.ok()) {
        status = AgreeOn(side, access, key, repeats, local, outline);
    }
    if (side.merge.Agreed(status) && team_.rank() == 0 && host_.explains(host_.self) != 0) {
        host_.explain(host_.self, "a call failed before its transfer: from now on ranks of a node are not merged");
    }
    watch_.TurnTo(Activity::kPlanning);
    if (status.ok()) {
        const bool planned = outline.repeats && outline.alone != Alone::kAnyway;
        const Range range = outline.twice ? Range{0, kLastOffset} : outline.range;
        status = direction == OVERLAP_READ ? order_.Read(range)
                                           : order_.Write(range, planned ? side.plan.get() : nullptr, outline.distance);
    }
    if (status.ok() && outline.alone == Alone::kAnyway) {
        return TransferApart(
            side, Own{key.file, access.memory, access.on_device, asked.bytes, outline.end, true, asked.calls}, done);
    }
    if (!status.ok() || outline.range.empty()) {
        return status;
    }
    if (!outline.repeats) {
        call.reset();
        status = PlanAnew(side, access, key, outline, call);
        if (!status.ok()) {
            return status;
        }
        order_.Planned(side.plan.get());
    }
    asked.overlaps = asked.several && side.plan->overlap;
    if (asked.overlaps) {
        return status;
    }
    side.went_alone = AreApart(side, outline);
    if (side.went_alone) {
        const StridedList &file = outline.repeats ? key.file : side.key.file;
        return TransferApart(side, Own{file, access.memory, access.on_device, asked.bytes, outline.end, true, asked.calls},
                             done);
    }
    if (call == nullptr) {
        status = team_.Agree(MakeCall(side, access, Enclosed(), call));
        if (!status.ok()) {
            return status;
        }
    }
    if (side.in_passing && direction == OVERLAP_WRITE && WritesAreCopies(Facts(), team_.nodes())) {
        host_.expects(host_.self, static_cast<double>(side.plan->busiest) / kCopiedInASecond);
    }
    return Run(side, *call, outline, direction == OVERLAP_READ ? access.memory.bytes() : asked.bytes, done);
}

// Collective. After an error there is no plan.
Status CollectiveFile::PlanAnew(Side &side, Access &access, PlanKey &key, const Outline &outline,
                                std::unique_ptr<Call> &call) {
    const Status local = EndAt(outline.end, key.file, access.memory);
    Enclosed enclosed;
    Status status = MakePlan(side, access, key, outline, enclosed);
    if (side.plan == nullptr) {
        return status;
    }
    status.Merge(local);
    if (status.ok() && !AreApart(side, outline)) {
        status.Merge(MakeCall(side, access, std::move(enclosed), call));
    }
    status = team_.Agree(status);
    if (status.ok()) {
        side.key = std::move(key);
        side.travel = TravelOf(*side.plan, team_.node_map(), team_.rank());
        watch_.Count(OVERLAP_COUNT_PLANS, 1);
    } else {
        side.plan.reset();
    }
    return status;
}

// Which of two ranks' bytes stay where both write them only an aggregator can tell.
bool CollectiveFile::AreApart(const Side &side, const Outline &outline) {
    return outline.alone == Alone::kWhereDisjoint && !side.plan->overlap;
}

// A write that names a byte of the file twice has written both.
Status CollectiveFile::TransferOwn(Side &side, const Own &own, ByteCount &done) {
    side.did = Side::Did::kAlone;
    const double began = watch_.TurnTo(Activity::kFile);
    const auto transfer = own.on_device ? TransferAloneStaged : TransferAlone;
    const Status status = transfer(side.direction, resources_, own.file, own.memory, own.end, own.others, done);
    const double seconds = watch_.TurnTo(Activity::kFinish) - began;
    resources_.SayLocks();
    watch_.counters().seconds[OVERLAP_TIME_FILE_UNDER_WAY] += seconds;
    watch_.counters().seconds[OVERLAP_TIME_STEPS] += seconds;
    watch_.counters().seconds[OVERLAP_TIME_ALONE] += seconds;
    watch_.Count(OVERLAP_COUNT_INDEPENDENT, own.calls);
    watch_.Count(OVERLAP_COUNT_BYTES_OF_FILE, done);
    if (timeline_ != nullptr && done > 0) {
        timeline_->recorder().SawOwn(began, began + seconds, done, own.file.begin());
    }
    if (side.direction == OVERLAP_WRITE && status.ok() && done == own.file.bytes() && !side.merge.merged()) {
        done = own.asked;
    }
    return status;
}

// Collective.
Status CollectiveFile::TransferApart(Side &side, const Own &own, ByteCount &done) {
    ExplainAlone(side);
    const Status transferred = TransferOwn(side, own, done);
    NodeMerge &merge = side.merge;
    merge.Blank(done);
    const Status status = team_.Agree(transferred);
    if (!merge.possible()) {
        return status;
    }
    merge.Unpack(own.end);
    if (status.ok() && side.direction == OVERLAP_WRITE) {
        done = own.asked;
        return status;
    }
    merge.CountDone(0, done);
    const Status told = merge.TellDone(done);
    return status.ok() ? team_.Agree(told) : status;
}

// Collective.
Status CollectiveFile::Run(Side &side, Call &call, const Outline &outline, ByteCount bytes, ByteCount &done) {
    side.did = Side::Did::kTogether;
    resources_.BeginCall();
    call.Begin(outline.distance);
    while (call.Step()) {
    }
    if (side.in_passing && side.direction == OVERLAP_WRITE) {
        host_.expects(host_.self, 0); // what is left are the writes of others
    }
    Took took;
    bool all = true;
    Status status = call.Finish(all, took);
    side.merge.Unpack(outline.end);
    resources_.SayLocks();
    if (all) {
        const bool reads = side.direction == OVERLAP_READ;
        done = side.merge.merged() && reads ? side.merge.BytesBefore(outline.end) : bytes;
    } else {
        status = CountDone(side, call, status, done);
    }
    watch_.Count(OVERLAP_COUNT_BYTES_TO_SELF, side.travel.to_self);
    watch_.Count(OVERLAP_COUNT_BYTES_TO_NODE, side.travel.to_node);
    watch_.Count(OVERLAP_COUNT_BYTES_TO_NETWORK, side.travel.to_network);
    watch_.Count(OVERLAP_COUNT_BYTES_FROM_NETWORK, side.travel.from_network);
    Explain(side, took);
    return status;
}

// Collective, where not all was done, of `status`. On an error; what a count that fails adds to it tells nobody more.
Status CollectiveFile::CountDone(Side &side, Call &call, Status status, ByteCount &done) {
    const bool agreed = !status.ok();
    DoneVisit visit;
    if (side.merge.merged()) {
        visit = [&side](ByteCount from, ByteCount to) { side.merge.CountDone(from, to); };
    }
    status.Merge(call.CountDone(done, visit));
    status.Merge(side.merge.TellDone(done));
    return agreed ? status : team_.Agree(status);
}

Status CollectiveFile::TransferPending(overlap_direction direction, const Request &pending, std::size_t &joined,
                                       ByteCount &done) {
    resources_.BeginPatience();
    const Status status = [&] {
        const WatchedCall watched(watch_, direction);
        done = 0;
        watch_.TurnTo(Activity::kEntry);
        Status local = AgreeOnJoining(team_, direction, pending, Facts().collective_buffer_size, joined);
        watch_.TurnTo(Activity::kPlanning);
        const Request request{pending.accesses, joined};
        if (local.ok()) {
            Asked asked = AskedOf(direction, request);
            local = TransferNow(direction, asked, done);
        }
        return Counted(request, local, done);
    }();
    AfterCall();
    return status;
}

Status CollectiveFile::Describe(Side &side, Choice &asked) {
    return Guarded([&] {
        const overlap_file_facts facts = Facts();
        asked = Choose(side.settings, facts, team_.size(), team_.nodes(), side.in_passing);
        side.chooser.Prepare(asked, facts);
    });
}

overlap_file_facts CollectiveFile::Facts() const {
    overlap_file_facts facts{};
    storage_.facts(storage_.self, &facts);
    return facts;
}

// Collective until it succeeds.
Status CollectiveFile::ObeyRules() {
    Rules rules;
    const Status status = rules_read_ ? Status() : ReadRules(team_, host_, writes_.settings, rules);
    if (!rules_read_ && status.ok()) {
        rules_ = std::move(rules);
        rules_read_ = true;
    }
    return status;
}

Status CollectiveFile::AgreeOn(const Side &side, const Access &access, const PlanKey &key, bool repeats, Status local,
                               Outline &outline) {
    const bool writes = side.direction == OVERLAP_WRITE;
    OutlineOffer offer{key.file};
    offer.bytes = side.merge.merged() ? side.merge.bytes() : key.file.bytes();
    offer.pieces = side.merge.merged() ? side.merge.pieces() : key.file.empty() ? 0 : key.file.PiecesAtLeast();
    offer.repeats = repeats;
    offer.distance = repeats && !key.file.empty() ? key.file.begin() - side.key.file.begin() : 0;
    offer.gaps = writes ? resources_.holes().Offer() : OVERLAP_GAPS_WRITTEN_BACK;
    offer.twice = access.repeats;
    // Others may be writing: what this rank has written it sees itself, and the largest size counts.
    local.Merge(SizeOf(side, key.file, offer.end));
    if (local.ok() && !key.file.empty()) {
        const bool atomic = writes && Facts().atomic_mode != 0;
        offer.as_well = !atomic && !access.on_device && IsWorthGoingAlone(key.file, access.memory, team_.size());
    }
    const Status status = AgreeOnOutline(team_, offer, local, outline);
    const bool unknown_end = !writes && outline.end == kLastOffset;
    if (outline.twice || unknown_end) { // a rank that reads for itself meets the end where read(2) does
        outline.alone = Alone::kAnyway;
    } else if (outline.data) {
        outline.alone =
            WhetherAlone(side.direction, writes_.settings, outline.as_well, !rules_.empty(), Facts(), team_.nodes());
    }
    if (writes) {
        resources_.holes().Begin(outline.gaps);
    }
    return status;
}

// A write has none. Nor has a read beyond the size that is told where that may be too small: of /proc it is 0, and a client
// of FUSE or NFS may know an old one.
Status CollectiveFile::SizeOf(const Side &side, const StridedList &file, FileOffset &end) const {
    end = kLastOffset;
    if (side.direction == OVERLAP_WRITE) {
        return Status();
    }
    const bool first_of_node = neighbours_.ranks.front() == team_.rank();
    const Status status(storage_.size(storage_.self, first_of_node ? 1 : 0, &end));
    if (status.ok() && Facts().tells_size == 0 && !file.empty() && file.end() > end) {
        end = kLastOffset;
    }
    return status;
}

// Collective. Where there is a plan the status is this rank's alone, else that of all.
Status CollectiveFile::MakePlan(Side &side, const Access &access, const PlanKey &key, const Outline &outline,
                                Enclosed &enclosed) {
    side.plan.reset();
    side.chooser.Decide(Facts(), outline.size);
    if (side.in_passing) {
        side.chooser.Widen(planner_.DomainLimit(side.chooser.choice().aggregators), side.settings.eager_bytes);
    }
    const Choice &choice = side.chooser.choice();
    Enclosing enclosing;
    if (side.direction == OVERLAP_WRITE && outline.alone == Alone::kNo && !UsesWindows(choice.shuffle)) {
        enclosing.most = std::min(kMostEnclosed, choice.sub_buffer);
        if (!access.on_device) {
            enclosing.pack = [this, &access](const Share &share, char *packed) {
                const Interlude copying(&watch_, Activity::kCopy);
                GatherShare(share, 0, share.file.bytes(), access.memory, packed);
            };
        }
    }
    const Status status = planner_.Make(side.direction, key.file, choice, outline.range, enclosing, side.plan, enclosed);
    if (side.plan != nullptr) {
        side.shuffle = resources_.ChooseShuffle(*side.plan, side.chooser.choice(), !side.in_passing);
    }
    return status;
}

// With all memory that it needs.
Status CollectiveFile::MakeCall(const Side &side, const Access &access, Enclosed &&enclosed, std::unique_ptr<Call> &call) {
    return Guarded([&] {
        const Choice &choice = side.chooser.choice();
        resources_.Prepare(side.direction, *side.plan, choice, side.shuffle);
        call = std::make_unique<Call>(side.direction, team_, watch_, side.plan, choice, access.memory, access.on_device,
                                      std::move(enclosed), resources_);
    });
}

std::string CollectiveFile::WhyAsMany(const Side &side) const {
    const int aggregators = side.chooser.choice().aggregators;
    if (aggregators == 0 || !planner_.NumberCounts(aggregators)) {
        return planner_.DescribeNumber();
    }
    const std::string why = Facts().aggregators > 0 ? "as many as asked for" : "as many as the rules say";
    return why + (planner_.DomainLimit(aggregators) < aggregators ? ", as far as ranks and limits go" : "");
}

PlanFacts CollectiveFile::FactsOf(const Side &side, const Took &took) const {
    return PlanFacts{side.direction,
                     side.in_passing,
                     side.settings,
                     side.chooser.choice(),
                     side.shuffle,
                     planner_.DescribePlacement(),
                     WhyAsMany(side),
                     resources_.io().name(),
                     resources_.holes().InUse(),
                     resources_.holes().Why(),
                     team_.size(),
                     side.idle,
                     side.chooser.rule(),
                     took};
}

// What was done last, which need not be what was done first.
std::string CollectiveFile::Chosen(overlap_direction direction) const {
    const Side *const side = last_[direction];
    if (side != nullptr && side->did == Side::Did::kAlone) {
        return "without aggregators: each rank transfers its own bytes";
    }
    const bool together = side != nullptr && side->did == Side::Did::kTogether && side->plan != nullptr;
    return together ? ExplainChoice(FactsOf(*side, Took()), *side->plan) : "";
}

Status CollectiveFile::Report(const char *name, std::string &text) {
    if (!report_.has_value()) {
        return Status();
    }
    Summary summary;
    const Status status = report_->Gather(watch_, summary);
    if (!status.ok() || team_.rank() != 0) {
        return status;
    }
    return Guarded([&] {
        summary.file = name;
        for (const overlap_direction direction : {OVERLAP_WRITE, OVERLAP_READ}) {
            summary.of[direction].chosen = Chosen(direction);
        }
        text = writes_.settings.report == OVERLAP_REPORT_JSON ? JsonOf(summary) : TextOf(summary);
    });
}

// Collective at the first call: the ranks' idle cycles are counted for it.
void CollectiveFile::Explain(Side &side, const Took &took) {
    if (std::exchange(side.explained, true)) {
        return;
    }
    side.idle = 0;
    if (side.shuffle == OVERLAP_SHUFFLE_PUT_FENCE) {
        side.idle = side.plan->IdleCycles();
        side.idle = team_.Sum(&side.idle, 1).ok() ? side.idle : 0;
    }
    if (team_.rank() != 0 || host_.explains(host_.self) == 0) {
        return;
    }
    const Status status = Guarded([&] {
        const PlanFacts facts = FactsOf(side, took);
        host_.explain(host_.self, ExplainPlan(facts, *side.plan).c_str());
    });
    static_cast<void>(status); // who has no memory for a line goes without
}

void CollectiveFile::ExplainMerge(Side &side) {
    if (!side.merge.merged() || std::exchange(side.explained_merge, true) || team_.rank() != 0 ||
        host_.explains(host_.self) == 0) {
        return;
    }
    const Status status = Guarded([&] {
        const std::string line = std::string(side.direction == OVERLAP_READ ? "reads: " : "") +
                                 "one rank takes part for the " + std::to_string(neighbours_.ranks.size()) +
                                 " ranks of its node";
        host_.explain(host_.self, line.c_str());
    });
    static_cast<void>(status); // as in Explain
}

void CollectiveFile::ExplainAlone(Side &side) {
    if (!std::exchange(side.explained_alone, true) && team_.rank() == 0 && host_.explains(host_.self) != 0) {
        host_.explain(host_.self, side.direction == OVERLAP_READ ? "reads: each rank reads its own bytes, without a shuffle"
                                                                 : "each rank writes its own bytes, without a shuffle");
    }
}

} // namespace overlap
