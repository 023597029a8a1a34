#include "checker.h"

namespace overlap {
namespace {

// How far a cycle has come; each kind of step leads from one stage to the next.
enum class Stage { kNothing, kShuffling, kShuffled, kWriting, kWritten };

constexpr Cycle kFree = -1;

class Checker {
  public:
    Checker(Cycle cycles, int slots)
        : stages_(static_cast<std::size_t>(cycles), Stage::kNothing), users_(static_cast<std::size_t>(slots), kFree) {}

    std::string Take(const Step &step) {
        if (step.cycle < 0 || static_cast<std::size_t>(step.cycle) >= stages_.size()) {
            return "names a cycle that does not exist";
        }
        if (step.slot != static_cast<Slot>(step.cycle % static_cast<Cycle>(users_.size()))) {
            return "names the wrong sub-buffer";
        }
        Stage &stage = stages_[static_cast<std::size_t>(step.cycle)];
        if (static_cast<int>(stage) != static_cast<int>(step.kind)) {
            return "does not follow from what was done with its cycle before";
        }
        stage = static_cast<Stage>(static_cast<int>(stage) + 1);
        Cycle &user = users_[static_cast<std::size_t>(step.slot)];
        if (step.kind == StepKind::kShuffleInit) {
            if (step.cycle != next_shuffle_++) {
                return "starts a shuffle out of order";
            }
            if (user != kFree) {
                return "fills a sub-buffer that is not written yet";
            }
            user = step.cycle;
        }
        if (step.kind == StepKind::kWriteWait) {
            user = kFree;
        }
        return {};
    }

    std::string Finish() const {
        for (const Stage stage : stages_) {
            if (stage != Stage::kWritten) {
                return "a cycle is not written at the end";
            }
        }
        return {};
    }

  private:
    std::vector<Stage> stages_;
    std::vector<Cycle> users_; // the cycle whose data a sub-buffer holds
    Cycle next_shuffle_ = 0;
};

} // namespace

std::string CheckProgram(const Program &program, Cycle cycles, int slots) {
    Checker checker(cycles, slots);
    for (std::size_t i = 0; i < program.size(); ++i) {
        const std::string wrong = checker.Take(program[i]);
        if (!wrong.empty()) {
            return "step " + std::to_string(i) + " (" + ToString({program[i]}) + ") " + wrong;
        }
    }
    return checker.Finish();
}

} // namespace overlap
