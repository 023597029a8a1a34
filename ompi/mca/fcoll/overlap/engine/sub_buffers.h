// The collective buffer of an aggregator, cut into sub-buffers.
#ifndef OVERLAP_ENGINE_SUB_BUFFERS_H
#define OVERLAP_ENGINE_SUB_BUFFERS_H

#include "types.h"

#include <cstdlib>
#include <memory>
#include <vector>

namespace overlap {

/// One sub-buffer for each slot and each domain that this rank aggregates. Those of a slot lie one after the other.
class SubBuffers {
  public:
    /// Bytes from one sub-buffer of a slot to the next where each holds `bytes`: whole pages.
    static ByteCount Stride(ByteCount bytes);

    /// Makes room for slots x domains sub-buffers of `bytes`, page-aligned and kept between calls; what they held is lost.
    /// Throws std::bad_alloc.
    void Reserve(int slots, std::size_t domains, ByteCount bytes);

    /// Takes memory of somebody else's, one start for each slot, which holds that slot's sub-buffers.
    void Borrow(std::vector<char *> starts, ByteCount stride);

    char *At(Slot slot, std::size_t domain) const {
        return starts_[static_cast<std::size_t>(slot)] + static_cast<ByteCount>(domain) * stride_;
    }

  private:
    struct Free {
        void operator()(char *memory) const { std::free(memory); }
    };

    std::unique_ptr<char, Free> memory_; // empty where all of it is borrowed
    std::size_t capacity_ = 0;
    std::vector<char *> starts_; // of each slot
    ByteCount stride_ = 0;
};

} // namespace overlap

#endif
