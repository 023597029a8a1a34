// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "runner.h"

#include <utility>

namespace overlap {

void Runner::Run() noexcept {
    Step step;
    for (Next next; (next = schedule_.Take(*this, step)) != Next::kEnd;) {
        if (next == Next::kStep) {
            Do(step);
        } else {
            meter_.Idles();
        }
    }
    io_.Fail(shuffle_.Finish());
}

void Runner::Do(const Step &step) noexcept {
    switch (step.kind) {
    case StepKind::kShuffleInit:
        meter_.Starts(Activity::kShuffle, step);
        io_.Fail(shuffle_.Start(step.cycle, step.slot));
        break;
    case StepKind::kShuffleWait:
        meter_.Waits(Activity::kShuffle, step);
        if (!std::exchange(shuffled_[static_cast<std::size_t>(step.slot)], false)) {
            io_.Fail(shuffle_.Wait(step.cycle, step.slot));
        }
        meter_.Ends(Activity::kShuffle, step);
        break;
    case StepKind::kFileInit:
        meter_.Starts(Activity::kFile, step);
        io_.Start(step.cycle, step.slot, step.blocking);
        if (step.blocking) {
            meter_.Ends(Activity::kFile, step);
        }
        break;
    case StepKind::kFileWait:
        if (!step.blocking) {
            meter_.Waits(Activity::kFile, step);
            io_.Wait(step.cycle, step.slot);
            meter_.Ends(Activity::kFile, step);
        }
        break;
    }
}

bool Runner::ShuffleDone(Cycle cycle, Slot slot) noexcept {
    bool done = false;
    io_.Fail(shuffle_.Test(cycle, slot, done));
    shuffled_[static_cast<std::size_t>(slot)] = done;
    return done;
}

bool Runner::FileDone(Cycle cycle, Slot slot) noexcept { return io_.Complete(cycle, slot); }

} // namespace overlap
