// Where simulated ranks wait for one another.
#ifndef OVERLAP_TEST_VIRTUAL_GATES_H
#define OVERLAP_TEST_VIRTUAL_GATES_H

#include "virtual_nodes.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <vector>

namespace overlap::test {

/// Of put-fence: none goes on before all have come.
class VirtualFence {
  public:
    explicit VirtualFence(std::size_t processes) : processes_(processes) {}

    /// True: this was the last one, and the next fence begins.
    bool Come() noexcept {
        come_ = (come_ + 1) % processes_;
        return come_ == 0;
    }

  private:
    const std::size_t processes_;
    std::size_t come_ = 0;
};

/// Of put-lock: the aggregators' words that their sub-buffers may be filled again.
class VirtualPermits {
  public:
    VirtualPermits(const std::vector<VirtualProcess> &processes, int slots) : slots_(slots) {
        for (const VirtualProcess &process : processes) {
            next_.push_back(process.aggregates ? 0 : std::numeric_limits<Cycle>::max());
        }
    }

    void Permit(std::size_t aggregator, Cycle cycle) noexcept { next_[aggregator] = cycle + 1; }

    /// The first cycles find their sub-buffers free.
    bool MayFill(Cycle cycle) const noexcept {
        return cycle < slots_ || std::all_of(next_.begin(), next_.end(), [cycle](Cycle next) { return cycle < next; });
    }

  private:
    const int slots_;
    std::vector<Cycle> next_; // of each process, the first that it has not permitted
};

} // namespace overlap::test

#endif
