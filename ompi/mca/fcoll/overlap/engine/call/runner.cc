// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "runner.h"

#include "../observe/recorder.h"

#include <algorithm>

namespace overlap {

Timing Runner::Run(std::int64_t distance) noexcept {
    distance_ = distance;
    io_.MoveBy(distance);
    began_ = ended_ = watch_.TurnTo(Activity::kShuffle);
    Step step;
    for (Next next; (next = schedule_.Take(*this, step)) != Next::kEnd;) {
        if (next == Next::kStep) {
            Do(step);
        } else {
            watch_.StayAt(Activity::kShuffle); // nothing can be done before one completes
        }
    }
    return CountTimes();
}

void Runner::Do(const Step &step) noexcept {
    switch (step.kind) {
    case StepKind::kShuffleInit:
        Started(shuffles_, Activity::kShuffle, step);
        io_.Fail(shuffle_.Start(step.cycle, step.slot));
        break;
    case StepKind::kShuffleWait:
        watch_.TurnTo(Activity::kShuffle, step.cycle, step.slot);
        io_.Fail(shuffle_.Wait(step.cycle, step.slot));
        Ended(shuffles_, Activity::kShuffle, step);
        break;
    case StepKind::kFileInit:
        Started(files_, Activity::kFile, step);
        io_.Start(step.cycle, step.slot, step.blocking);
        if (step.blocking) {
            Ended(files_, Activity::kFile, step);
        }
        break;
    case StepKind::kFileWait:
        if (!step.blocking) {
            watch_.TurnTo(Activity::kFile, step.cycle, step.slot);
            io_.Wait(step.cycle, step.slot);
            Ended(files_, Activity::kFile, step);
        }
        break;
    }
}

void Runner::Started(Operations &operations, Activity activity, const Step &step) noexcept {
    const double now = watch_.TurnTo(activity, step.cycle, step.slot);
    operations.started[static_cast<std::size_t>(step.slot)] = now;
    if (operations.under_way++ == 0) {
        operations.since = now;
    }
}

void Runner::Ended(Operations &operations, Activity activity, const Step &step) noexcept {
    ended_ = watch_.TurnTo(activity);
    if (--operations.under_way == 0) {
        operations.busy += ended_ - operations.since;
    }
    if (watch_.recorder() != nullptr) {
        const double started = operations.started[static_cast<std::size_t>(step.slot)];
        watch_.recorder()->AddOperation(Span{activity, started, ended_, step.cycle, step.slot}, plan_, distance_);
    }
}

Timing Runner::CountTimes() noexcept {
    overlap_counters &counters = watch_.counters();
    counters.seconds[OVERLAP_TIME_STEPS] += ended_ - began_;
    counters.seconds[OVERLAP_TIME_SHUFFLE_UNDER_WAY] += shuffles_.busy;
    if (!plan_.owned.empty()) { // else the steps tell nothing of the file
        counters.seconds[OVERLAP_TIME_FILE_UNDER_WAY] += files_.busy;
        counters.seconds[OVERLAP_TIME_SHORTER] += std::min(shuffles_.busy, files_.busy);
    }
    counters.counts[OVERLAP_COUNT_CYCLES] += plan_.cycles;
    const auto whole = [](double seconds) { return static_cast<std::int64_t>(1e9 * seconds); };
    return Timing{whole(ended_ - began_), whole(shuffles_.busy), whole(files_.busy)};
}

bool Runner::ShuffleDone(Cycle cycle, Slot slot) noexcept {
    bool done = false;
    io_.Fail(shuffle_.Test(cycle, slot, done));
    return done;
}

} // namespace overlap
