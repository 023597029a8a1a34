#include "dataflow.h"

#include <algorithm>
#include <array>
#include <utility>

namespace overlap {
namespace {

// Shuffles that start together, before any is done; one more for each that is. All at once would share the network, and the
// first write would wait for nearly all of them. One alone would be waited for by all others where it is late.
constexpr Cycle kFirstShuffles = 2;

// Cycles of which an operation is under way, oldest first; at most one for each slot.
class Operations {
  public:
    bool empty() const noexcept { return count_ == 0; }
    std::size_t size() const noexcept { return count_; }
    Cycle operator[](std::size_t index) const noexcept { return cycles_[index]; }
    void Add(Cycle cycle) noexcept { cycles_[count_++] = cycle; }

    Cycle Remove(std::size_t index) noexcept {
        const Cycle cycle = cycles_[index];
        std::copy(cycles_.begin() + index + 1, cycles_.begin() + count_, cycles_.begin() + index);
        --count_;
        return cycle;
    }

  private:
    std::array<Cycle, OVERLAP_SLOTS_MAX> cycles_{};
    std::size_t count_ = 0;
};

// Looks again and again at all that is under way, in passes: what can start is started, then each shuffle is asked for, then
// each write.
class Dataflow final : public Schedule {
  public:
    Dataflow(Cycle cycles, int slots) noexcept : cycles_(cycles), slots_(slots) {}

    Next Take(Completion &completion, Step &step) noexcept override {
        for (;;) {
            if (Start(step) || FollowShuffles(completion, step) || FollowWrites(completion, step)) {
                moved_ = true;
                return Next::kStep;
            }
            if (next_ == cycles_ && shuffling_.empty() && writing_.empty()) {
                return Next::kEnd;
            }
            const bool moved = std::exchange(moved_, false);
            stage_ = Stage::kStart;
            if (moved) {
                continue;
            }
            if (!shuffling_.empty()) {
                return Next::kNotYet;
            }
            // Nothing to look at but writes: sleep until the oldest is done rather than ask again and again.
            FinishWrite(0, step);
            return Next::kStep;
        }
    }

  private:
    enum class Stage { kStart, kShuffles, kWrites };

    Step StepOf(StepKind kind, Cycle cycle) const noexcept { return Step{kind, cycle, SlotOf(cycle)}; }
    Slot SlotOf(Cycle cycle) const noexcept { return static_cast<Slot>(cycle % slots_); }
    bool &InUse(Cycle cycle) noexcept { return in_use_[static_cast<std::size_t>(SlotOf(cycle))]; }

    void EnterStage(Stage stage) noexcept {
        stage_ = stage;
        index_ = 0;
    }

    bool Start(Step &step) noexcept {
        if (stage_ != Stage::kStart) {
            return false;
        }
        const bool enough = static_cast<Cycle>(shuffling_.size()) >= kFirstShuffles + done_;
        if (next_ == cycles_ || InUse(next_) || enough) {
            EnterStage(Stage::kShuffles);
            return false;
        }
        InUse(next_) = true;
        shuffling_.Add(next_);
        step = StepOf(StepKind::kShuffleInit, next_++);
        return true;
    }

    bool FollowShuffles(Completion &completion, Step &step) noexcept {
        if (stage_ != Stage::kShuffles) {
            return false;
        }
        if (std::exchange(shuffled_, false)) {
            step = StepOf(StepKind::kWriteInit, writing_[writing_.size() - 1]);
            return true;
        }
        for (; index_ < shuffling_.size(); ++index_) {
            if (completion.ShuffleDone(shuffling_[index_], SlotOf(shuffling_[index_]))) {
                writing_.Add(shuffling_.Remove(index_));
                ++done_;
                shuffled_ = true;
                step = StepOf(StepKind::kShuffleWait, writing_[writing_.size() - 1]);
                return true;
            }
        }
        EnterStage(Stage::kWrites);
        return false;
    }

    bool FollowWrites(Completion &completion, Step &step) noexcept {
        for (; index_ < writing_.size(); ++index_) {
            if (completion.WriteDone(writing_[index_], SlotOf(writing_[index_]))) {
                FinishWrite(index_, step);
                return true;
            }
        }
        return false;
    }

    void FinishWrite(std::size_t index, Step &step) noexcept {
        const Cycle cycle = writing_.Remove(index);
        InUse(cycle) = false;
        step = StepOf(StepKind::kWriteWait, cycle);
    }

    const Cycle cycles_;
    const int slots_;
    Cycle next_ = 0; // to be shuffled
    Cycle done_ = 0; // cycles that are shuffled
    std::array<bool, OVERLAP_SLOTS_MAX> in_use_{};
    Operations shuffling_;
    Operations writing_;
    Stage stage_ = Stage::kStart; // of this pass
    std::size_t index_ = 0;       // of the next operation to ask for
    bool shuffled_ = false;       // the last shuffle that was waited for is not written yet
    bool moved_ = false;          // something did, in this pass
};

} // namespace

std::unique_ptr<Schedule> MakeDataflow(Cycle cycles, int slots) { return std::make_unique<Dataflow>(cycles, slots); }

} // namespace overlap
