// Memory for messages that are packed before they leave.
#ifndef OVERLAP_ENGINE_SHUFFLE_PACK_BUFFER_H
#define OVERLAP_ENGINE_SHUFFLE_PACK_BUFFER_H

#include "../pieces.h"

#include <memory>

namespace overlap {

/// Grown without touching what it is not asked to hold, kept from message to message.
class PackBuffer {
  public:
    /// Copies the bytes of `pieces` here and makes `pieces` the copy, where their blocks are so small that one pass over
    /// them costs less than what the transport spends per block. Leaves them as they are where there is no memory.
    void PackIfSmall(Pieces &pieces, std::size_t bytes);

  private:
    char *Take(std::size_t bytes); // null where there is no memory

    std::unique_ptr<char[]> memory_;
    std::size_t capacity_ = 0;
    Pieces packed_;
};

} // namespace overlap

#endif
