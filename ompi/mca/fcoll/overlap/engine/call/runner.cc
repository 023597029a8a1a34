// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "runner.h"

#include <utility>

namespace overlap {

Next Runner::Advance() noexcept {
    Step step;
    const Next next = schedule_.Take(*this, step);
    if (next == Next::kStep) {
        Do(step);
    } else if (next == Next::kNotYet) {
        meter_.Idles();
    } else if (!std::exchange(finished_, true)) {
        io_.Fail(shuffle_.Finish());
    }
    return next;
}

void Runner::Do(const Step &step) noexcept {
    switch (step.kind) {
    case StepKind::kShuffleInit:
        meter_.ShuffleStarts(step);
        io_.Fail(shuffle_.Start(step.cycle, step.slot));
        break;
    case StepKind::kShuffleWait:
        meter_.ShuffleWaits(step);
        if (!std::exchange(shuffled_[static_cast<std::size_t>(step.slot)], false)) {
            io_.Fail(shuffle_.Wait(step.cycle, step.slot));
        }
        meter_.ShuffleEnds(step);
        break;
    case StepKind::kFileInit:
        meter_.FileStarts(step);
        if (step.blocking) {
            io_.Transfer(step.cycle, step.slot);
            meter_.FileEnds(step);
        } else {
            io_.Start(step.cycle, step.slot);
        }
        break;
    case StepKind::kFileWait:
        if (!step.blocking) {
            meter_.FileWaits(step);
            io_.Wait(step.cycle, step.slot);
            meter_.FileEnds(step);
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
