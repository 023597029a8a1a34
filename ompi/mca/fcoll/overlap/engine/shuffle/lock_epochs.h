// The lock epochs of a shuffle: of each slot, all targets at once.
#ifndef OVERLAP_ENGINE_SHUFFLE_LOCK_EPOCHS_H
#define OVERLAP_ENGINE_SHUFFLE_LOCK_EPOCHS_H

#include "shuffle.h"

#include <vector>

namespace overlap {

class LockEpochs {
  public:
    /// Throws std::bad_alloc.
    explicit LockEpochs(const ShuffleJob &job);

    /// Begins an epoch with each of the targets; after an error with some of them.
    Status Begin(Slot slot, const std::vector<Rank> &targets) noexcept;

    /// Ends those that have begun.
    Status End(Slot slot) noexcept;

    /// An epoch of this rank with itself, without which what others have put into its memory is not sure to be seen by it
    /// (MPI-3.1, section 11.7).
    Status WithItself(Slot slot) noexcept;

  private:
    const ShuffleJob &job_;
    std::vector<std::vector<Rank>> locked_; // of each slot
};

} // namespace overlap

#endif
