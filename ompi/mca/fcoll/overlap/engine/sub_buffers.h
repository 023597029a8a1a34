// The collective buffer of an aggregator, cut into sub-buffers.
#ifndef OVERLAP_ENGINE_SUB_BUFFERS_H
#define OVERLAP_ENGINE_SUB_BUFFERS_H

#include "types.h"

#include <cstdlib>
#include <memory>

namespace overlap {

/// One sub-buffer for each slot and each domain that this rank aggregates. Page-aligned; kept between calls.
class SubBuffers {
  public:
    /// Makes room for slots x domains sub-buffers of `bytes`; what they held is lost. Throws std::bad_alloc.
    void Reserve(int slots, std::size_t domains, ByteCount bytes);

    char *At(Slot slot, std::size_t domain) const {
        return memory_.get() + (static_cast<std::size_t>(slot) * domains_ + domain) * stride_;
    }

  private:
    struct Free {
        void operator()(char *memory) const { std::free(memory); }
    };

    std::unique_ptr<char, Free> memory_;
    std::size_t capacity_ = 0;
    std::size_t domains_ = 0;
    std::size_t stride_ = 0; // from one sub-buffer to the next
};

} // namespace overlap

#endif
