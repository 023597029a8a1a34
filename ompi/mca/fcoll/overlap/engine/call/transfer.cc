// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "transfer.h"

#include "../observe/recorder.h"
#include "../shuffle/copy.h"

#include <algorithm>
#include <utility>

namespace overlap {
namespace {

// Of a domain: what an aggregator has of others before there is a sub-buffer for it is to be little beside those.
constexpr ByteCount kMostEnclosed = ByteCount{1} << 20;

// Bytes of an aggregator that are received and copied into the page cache, about: a start of a nonblocking write takes a
// part of that time.
constexpr double kCopiedInASecond = 1e9;

// Between two agreements whatever a rank lacks becomes its status, which the next one tells the others.
class Steps {
  public:
    Steps(FileState &file, CallState &call) : file_(file), call_(call), kind_(*call.kind), merge_(call.kind->merge) {}

    // Local: the choice that follows from settings and facts alone.
    void Describe() {
        call_.done = 0;
        call_.status.Merge(Guarded([&] { call_.key.asked = kind_.chooser.Describe(file_.Facts()); }));
        file_.watch.Count(OVERLAP_COUNT_PIECES, call_.access.file.PiecesAtLeast());
    }

    // Of a file that one process has open: what need not be packed first goes straight to or from its memory.
    void TransferWithoutOthers() {
        const Access &access = call_.access;
        const bool straight = access.repeats || (file_.settings.writer == OVERLAP_WRITER_AUTO && !kind_.nonblocking &&
                                                 !access.on_device && GoesStraight(access.file, access.memory));
        if (file_.team.size() > 1 || !call_.status.ok() || !straight) {
            return;
        }
        FileOffset end = 0;
        call_.status = EndOfFile(file_, call_, access.file, end);
        kind_.why_independent = "one process has the file open";
        if (call_.status.ok()) {
            Note(true);
            call_.status = TransferOwn(access.file, end, false);
            ExplainFirst(file_, kind_, Timing());
        }
        call_.ended = true;
    }

    // Local: where the call may be short (short_calls.cc). It is one if all ranks say so behind the summary; until then
    // nothing is noted, as other ranks may not do this.
    void TransferBeforeSummary() {
        const StridedList &own = call_.access.file;
        if (!BeginsWithTransfer(file_, call_)) {
            return;
        }
        call_.status = TransferOwn(own, kLastOffset, true);
        call_.summary.transferred = call_.status.ok() && (!kind_.reads() || call_.done == own.bytes());
    }

    // Of the node, where its ranks are merged; then local: the plan is used again, or not.
    void Begin() {
        file_.watch.TurnTo(Activity::kEntry);
        call_.status.Merge(merge_.Begin(call_.access, call_.status));
        call_.key.file = std::move(call_.access.file);
        CallSummary &summary = call_.summary;
        summary.same_as_plan = call_.status.ok() && kind_.plan != nullptr && !call_.access.repeats &&
                               kind_.Repeats(call_.key, file_.team.nodes());
        if (summary.same_as_plan && !kind_.independent) {
            call_.status = MakeCycles(Enclosed());
        }
    }

    // Collective: what all ranks know of the call before they plan it.
    void Summarise() {
        file_.watch.TurnTo(Activity::kEntry);
        Status status;
        if (!file_.rules_read) {
            status = ReadRules(file_.team, file_.host, file_.settings, file_.rules);
            file_.rules_read = status.ok();
        }
        if (status.ok()) {
            status = file_.planner.Prepare(call_.key.asked, MostAggregators(file_.rules), call_.status);
        }
        if (status.ok()) {
            Offer();
            status = call_.summary.Agree(file_.team, call_.status, ComparesRanges(file_, call_));
            status.Merge(status.ok() ? DecideOnCommonRead(file_, call_) : Status());
            Decide();
            kind_.short_before = status.ok() && IsShort(file_, call_);
            if (status.ok() && call_.summary.has_data) {
                kind_.as_fast_alone = call_.summary.as_fast_alone;
            }
        }
        if (merge_.Agreed(status) && file_.Explains()) {
            file_.host.explain(file_.host.self,
                               "a call failed before its transfer: from now on ranks of a node are not merged");
        }
        file_.watch.TurnTo(Activity::kPlanning);
        Agreed(status);
        const bool done = call_.summary.transferred && kind_.short_before;
        if (done) {
            Note(true);
            ExplainFirst(file_, kind_, Timing());
        }
        call_.ended = call_.ended || done || (!AllIndependent() && call_.summary.range.empty());
    }

    // Collective where the access is another one than that of the plan.
    void Plan() {
        if (AllIndependent() || call_.summary.common) {
            return;
        }
        if (!call_.summary.same_as_plan) {
            call_.cycles.reset();
            Agreed(PlanAnew());
        }
        call_.overlaps = call_.status.ok() && call_.several_calls && kind_.plan->overlap;
        call_.ended = call_.ended || call_.overlaps;
    }

    // Collective where writes of other calls have to be on the server first.
    void KeepOrder() {
        const CallSummary &summary = call_.summary;
        const Range range = summary.has_duplicates ? Range{0, kLastOffset} : summary.range;
        // Of a plan ranks write other bytes than its aggregators.
        const std::int64_t plan = AllIndependent() ? 0 : IsIndependent() ? -kind_.plan_number : kind_.plan_number;
        Agreed(kind_.reads() ? file_.order.Read(range) : file_.order.Write(range, plan, summary.distance));
    }

    // Collective: each rank its own bytes, or by cycles.
    void TransferBytes() {
        if (call_.summary.common) {
            return Agreed(ReadInCommon(file_, call_));
        }
        if (AllIndependent() || IsIndependent()) { // a new plan has taken the access
            const bool kept = AllIndependent() || call_.summary.same_as_plan;
            return Agreed(TransferIndependently(kept ? call_.key.file : kind_.key.file));
        }
        if (call_.cycles == nullptr) {
            Agreed(file_.team.Agree(MakeCycles(Enclosed())));
        }
        if (call_.status.ok()) {
            Agreed(RunCycles());
        }
    }

  private:
    // All ranks return this.
    void Agreed(Status status) {
        call_.status = status;
        call_.ended = call_.ended || !status.ok();
    }

    // Without a plan; and with one, which has shown that no two ranks write the same byte: of these only an aggregator can
    // tell whose stays.
    bool AllIndependent() const { return call_.summary.independence == Independence::kAlways; }
    bool IsIndependent() const { return call_.summary.independence == Independence::kWhereDisjoint && !kind_.plan->overlap; }

    // Local: what this rank says of the call.
    void Offer() {
        const StridedList &own = call_.key.file;
        const StridedList &asked = merge_.merged() ? merge_.own() : own;
        CallSummary &summary = call_.summary;
        summary.size.bytes = asked.bytes();
        summary.size.pieces = asked.PiecesAtLeast();
        summary.has_data = !own.empty();
        summary.has_duplicates = call_.access.repeats;
        summary.gaps = kind_.reads() ? OVERLAP_GAPS_WRITTEN_BACK : file_.resources.holes().Offer();
        call_.status.Merge(EndOfFile(file_, call_, own, summary.end));
        if (own.empty()) {
            return;
        }
        if (!summary.has_duplicates) {
            summary.range = Range{own.begin(), own.end()};
        }
        summary.distance = summary.same_as_plan ? own.begin() - kind_.key.file.begin() : 0;
        summary.common = kind_.reads() && !merge_.possible() && !summary.has_duplicates && own.runs() == 1;
        summary.as_fast_alone = IsAsFastAlone(file_, call_, own);
    }

    // Local, alike on all ranks.
    void Decide() {
        CallSummary &summary = call_.summary;
        const bool unknown_end = kind_.reads() && summary.end == kLastOffset;
        const CallMeans means = MeansOf(file_, call_);
        kind_.why_independent = WhyIndependent(means);
        if (summary.has_duplicates || unknown_end) { // a rank that reads for itself meets the end where read(2) does
            summary.independence = Independence::kAlways;
            kind_.why_independent = unknown_end ? "the end of the file is not known" : "a rank reads bytes more than once";
        } else if (summary.has_data && !summary.common) {
            summary.independence = ChooseIndependence(means, summary.as_fast_alone, summary.size);
            if (summary.independence == Independence::kWhereDisjoint && summary.disjoint) {
                summary.independence = Independence::kAlways;
            }
        }
        if (!kind_.reads()) {
            file_.resources.holes().Begin(summary.gaps);
        }
    }

    // Collective. After an error there is no plan.
    Status PlanAnew() {
        const Status cut = CutAtEnd();
        Enclosed enclosed;
        Status status = MakePlan(enclosed);
        if (kind_.plan == nullptr) {
            return status;
        }
        status.Merge(cut);
        if (status.ok() && !IsIndependent()) {
            status.Merge(MakeCycles(std::move(enclosed)));
        }
        status = file_.team.Agree(status);
        if (status.ok()) {
            kind_.key = std::move(call_.key);
            kind_.traffic = TrafficOf(*kind_.plan, file_.team.node_map(), file_.team.rank());
            file_.watch.Count(OVERLAP_COUNT_PLANS, 1);
        } else {
            kind_.plan.reset();
        }
        return status;
    }

    // Local: leaves out what lies behind the end of the file. After an error there is nothing.
    Status CutAtEnd() {
        StridedList &own = call_.key.file;
        StridedList &memory = call_.access.memory;
        if (own.empty() || own.end() <= call_.summary.end) {
            return Status();
        }
        const Status status = Guarded([&] {
            const ByteCount bytes = own.BytesBefore(call_.summary.end);
            own = own.Part(0, bytes);
            memory = memory.Part(0, bytes);
        });
        if (!status.ok()) {
            own = StridedList();
            memory = StridedList();
        }
        return status;
    }

    // Collective. Where there is a plan the status is this rank's alone, else that of all.
    Status MakePlan(Enclosed &enclosed) {
        kind_.plan.reset();
        const overlap_file_facts facts = file_.Facts();
        const CallSize &size = call_.summary.size;
        kind_.chooser.Decide(call_.key.asked, facts, size);
        if (kind_.nonblocking) {
            kind_.chooser.Widen(facts, size, file_.planner.DomainLimit(kind_.chooser.choice().aggregators));
        }
        const Choice &choice = kind_.chooser.choice();
        Enclosing enclosing;
        if (!kind_.reads() && call_.summary.independence == Independence::kNo && !UsesWindows(choice.shuffle)) {
            enclosing.most = std::min(kMostEnclosed, choice.sub_buffer);
            if (!call_.access.on_device) {
                enclosing.pack = [this](const Share &share, char *packed) {
                    const Interlude copying(&file_.watch, Activity::kCopy);
                    Gather(InMemory{share.stream, call_.access.memory}, {0, share.file.bytes()}, packed);
                };
            }
        }
        const Status status =
            file_.planner.Make(call_.key.file, choice, call_.summary.range, enclosing, kind_.plan, enclosed);
        if (kind_.plan != nullptr) {
            kind_.plan_number = ++file_.plans;
            kind_.shuffle = file_.resources.ChooseShuffle(kind_);
        }
        return status;
    }

    // Local: with all memory that the call needs.
    Status MakeCycles(Enclosed &&enclosed) {
        return Guarded([&] {
            call_.cycles =
                std::make_unique<Cycles>(file_, kind_, call_.access.memory, call_.access.on_device, std::move(enclosed));
        });
    }

    void Note(bool independent) {
        kind_.independent = call_.independent = independent;
        kind_.common = false;
        file_.last[kind_.direction] = &kind_;
    }

    // Local. A write that names a byte of the file more than once has written all of them.
    Status TransferOwn(const StridedList &own, FileOffset end, bool others) {
        Watch &watch = file_.watch;
        const double began = watch.TurnTo(Activity::kFile);
        const Status status = TransferOwnBytes(file_, kind_.direction, own, call_.access.memory, call_.access.on_device, end,
                                               others, call_.done);
        const double ended = watch.TurnTo(Activity::kFinish);
        file_.resources.SayLocks();
        for (const overlap_time time : {OVERLAP_TIME_FILE_UNDER_WAY, OVERLAP_TIME_STEPS, OVERLAP_TIME_ALONE}) {
            watch.counters().seconds[time] += ended - began;
        }
        watch.Count(OVERLAP_COUNT_BYTES_OF_FILE, call_.done);
        if (watch.recorder() != nullptr && call_.done > 0) {
            watch.recorder()->AddIndependent(began, ended, call_.done, own.begin());
        }
        if (!kind_.reads() && status.ok() && call_.done == own.bytes() && !merge_.merged()) {
            call_.done = call_.bytes;
        }
        return status;
    }

    // Collective.
    Status TransferIndependently(const StridedList &own) {
        Note(true);
        const Status transferred = TransferOwn(own, call_.summary.end, true);
        ExplainFirst(file_, kind_, Timing());
        merge_.Blank(call_.done);
        const Status status = file_.team.Agree(transferred);
        if (!merge_.possible()) {
            return status;
        }
        merge_.Unpack(call_.summary.end);
        if (status.ok() && !kind_.reads()) {
            call_.done = call_.bytes;
            return status;
        }
        merge_.CountDone(0, call_.done);
        const Status counted = merge_.TellDone(call_.done);
        return status.ok() ? file_.team.Agree(counted) : status;
    }

    // Collective.
    Status RunCycles() {
        const bool expects = kind_.nonblocking && !kind_.reads() && WritesAreCopies(file_.Facts(), file_.team.nodes());
        if (expects) {
            file_.host.expects(file_.host.self, static_cast<double>(kind_.plan->busiest) / kCopiedInASecond);
        }
        Note(false);
        file_.resources.BeginCall();
        Timing timing = call_.cycles->Run(call_.summary.distance);
        if (kind_.nonblocking && !kind_.reads()) {
            file_.host.expects(file_.host.self, 0); // what is left are the writes of others
        }
        bool all = true;
        Status status = call_.cycles->Finish(all, timing);
        merge_.Unpack(call_.summary.end);
        file_.resources.SayLocks();
        if (!all) {
            status = CountDone(status);
        } else if (!kind_.reads()) {
            call_.done = call_.bytes;
        } else {
            call_.done = merge_.merged() ? merge_.BytesBefore(call_.summary.end) : call_.access.memory.bytes();
        }
        CountTraffic();
        ExplainFirst(file_, kind_, timing);
        return status;
    }

    // Collective, where not all was done. An error that is agreed on stays as it is on all ranks, whatever a rank lacks to
    // count: what callers do next depends on it.
    Status CountDone(Status agreed) {
        Status counted = call_.cycles->CountDone(call_.done, merge_);
        counted.Merge(merge_.TellDone(call_.done));
        return agreed.ok() ? file_.team.Agree(counted) : agreed;
    }

    void CountTraffic() {
        const Traffic &traffic = kind_.traffic;
        file_.watch.Count(OVERLAP_COUNT_BYTES_TO_SELF, traffic.to_self);
        file_.watch.Count(OVERLAP_COUNT_BYTES_TO_NODE, traffic.to_node);
        file_.watch.Count(OVERLAP_COUNT_BYTES_TO_NETWORK, traffic.to_network);
        file_.watch.Count(OVERLAP_COUNT_BYTES_FROM_NETWORK, traffic.from_network);
    }

    FileState &file_;
    CallState &call_;
    KindState &kind_;
    NodeMerge &merge_;
};

} // namespace

Status TransferCall(FileState &file, CallState &call) {
    Steps steps(file, call);
    for (const auto step : {&Steps::Describe, &Steps::TransferWithoutOthers, &Steps::TransferBeforeSummary, &Steps::Begin,
                            &Steps::Summarise, &Steps::Plan, &Steps::KeepOrder, &Steps::TransferBytes}) {
        (steps.*step)();
        if (call.ended) {
            break;
        }
    }
    const bool merged = call.status.ok() && call.kind->merge.merged() && !call.overlaps;
    file.watch.Count(OVERLAP_COUNT_MERGED, merged ? call.calls : 0);
    file.watch.Count(OVERLAP_COUNT_INDEPENDENT, call.independent ? call.calls : 0);
    return call.status;
}

} // namespace overlap
