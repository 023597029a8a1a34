#include "runner.h"

#include "../guard.h"

#include <utility>

namespace overlap {

Next Runner::Advance() noexcept {
    Step step;
    const Next next = schedule_.Take(*this, step);
    if (next == Next::kStep) {
        writer_.Fail(Guarded([&] { Do(step); }));
    } else if (next == Next::kEnd && !std::exchange(finished_, true)) {
        writer_.Fail(Guarded([&] { return shuffle_.Finish(); }));
    }
    return next;
}

Status Runner::Run() noexcept {
    while (Advance() != Next::kEnd) {
    }
    return writer_.status();
}

void Runner::Do(const Step &step) {
    switch (step.kind) {
    case StepKind::kShuffleInit:
        writer_.Expect(step.cycle, step.slot);
        writer_.Fail(shuffle_.Start(step.cycle, step.slot));
        break;
    case StepKind::kShuffleWait:
        if (!std::exchange(shuffled_[static_cast<std::size_t>(step.slot)], false)) {
            writer_.Fail(shuffle_.Wait(step.cycle, step.slot));
        }
        break;
    case StepKind::kWriteInit:
        if (step.blocking) {
            writer_.Write(step.cycle, step.slot);
        } else {
            writer_.Start(step.cycle, step.slot);
        }
        break;
    case StepKind::kWriteWait:
        if (!step.blocking) {
            writer_.Wait(step.cycle, step.slot);
        }
        break;
    }
}

// What cannot be tested is waited for.
bool Runner::ShuffleDone(Cycle cycle, Slot slot) noexcept {
    bool done = true;
    writer_.Fail(Guarded([&] {
        bool complete = false;
        const Status status = shuffle_.Test(cycle, slot, complete);
        shuffled_[static_cast<std::size_t>(slot)] = done = complete;
        return status;
    }));
    return done;
}

bool Runner::WriteDone(Cycle cycle, Slot slot) noexcept {
    bool done = true;
    writer_.Fail(Guarded([&] { done = writer_.Done(cycle, slot); }));
    return done;
}

} // namespace overlap
