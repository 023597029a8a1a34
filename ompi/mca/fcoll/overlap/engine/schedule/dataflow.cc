#include "dataflow.h"

#include <algorithm>
#include <vector>

namespace overlap {
namespace {

class Dataflow {
  public:
    Dataflow(Cycle cycles, int slots, Shuffle &shuffle, CycleWriter &writer, Program *trace)
        : cycles_(cycles), slots_(slots), shuffle_(shuffle), writer_(writer), trace_(trace) {
        shuffling_.reserve(static_cast<std::size_t>(slots));
        writing_.reserve(static_cast<std::size_t>(slots));
    }

    Status Run() {
        while (finished_ < cycles_) {
            bool moved = StartShuffles();
            moved = FollowShuffles() || moved;
            moved = FollowWrites() || moved;
            // Nothing to look at but writes: sleep until the oldest is done rather than ask again and again.
            if (!moved && shuffling_.empty() && !writing_.empty()) {
                Finish(writing_.begin());
            }
        }
        writer_.Fail(shuffle_.Finish());
        return writer_.status();
    }

  private:
    using Operations = std::vector<Cycle>; // under way, oldest first; at most one for each slot

    Slot SlotOf(Cycle cycle) const { return static_cast<Slot>(cycle % slots_); }

    // The cycle before in this slot is written.
    bool SlotIsFree(Cycle cycle) const {
        const Cycle before = cycle - slots_;
        const auto holds = [before](const Operations &operations) {
            return std::find(operations.begin(), operations.end(), before) != operations.end();
        };
        return before < 0 || !(holds(shuffling_) || holds(writing_));
    }

    bool StartShuffles() {
        const Cycle first = next_;
        while (next_ < cycles_ && SlotIsFree(next_)) {
            Note(StepKind::kShuffleInit, next_);
            writer_.Expect(next_, SlotOf(next_));
            writer_.Fail(shuffle_.Start(next_, SlotOf(next_)));
            shuffling_.push_back(next_++);
        }
        return next_ != first;
    }

    bool FollowShuffles() {
        bool moved = false;
        for (auto cycle = shuffling_.begin(); cycle != shuffling_.end();) {
            bool done = false;
            writer_.Fail(shuffle_.Test(*cycle, SlotOf(*cycle), done));
            if (!done) {
                ++cycle;
                continue;
            }
            Note(StepKind::kShuffleWait, *cycle);
            Note(StepKind::kWriteInit, *cycle);
            writer_.Start(*cycle, SlotOf(*cycle));
            writing_.push_back(*cycle);
            cycle = shuffling_.erase(cycle);
            moved = true;
        }
        return moved;
    }

    bool FollowWrites() {
        bool moved = false;
        for (auto cycle = writing_.begin(); cycle != writing_.end();) {
            if (writer_.Done(*cycle, SlotOf(*cycle))) {
                cycle = Finish(cycle);
                moved = true;
            } else {
                ++cycle;
            }
        }
        return moved;
    }

    Operations::iterator Finish(const Operations::const_iterator &cycle) {
        Note(StepKind::kWriteWait, *cycle);
        writer_.Wait(*cycle, SlotOf(*cycle));
        ++finished_;
        return writing_.erase(cycle);
    }

    void Note(StepKind kind, Cycle cycle) {
        if (trace_ != nullptr) {
            trace_->push_back(Step{kind, cycle, SlotOf(cycle)});
        }
    }

    const Cycle cycles_;
    const int slots_;
    Shuffle &shuffle_;
    CycleWriter &writer_;
    Program *const trace_;
    Cycle next_ = 0;     // to be shuffled
    Cycle finished_ = 0; // written
    Operations shuffling_;
    Operations writing_;
};

} // namespace

Status RunDataflow(Cycle cycles, int slots, Shuffle &shuffle, CycleWriter &writer, Program *trace) {
    return Dataflow(cycles, slots, shuffle, writer, trace).Run();
}

} // namespace overlap
