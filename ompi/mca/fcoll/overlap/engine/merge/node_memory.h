// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Memory that ranks of a node share.
#ifndef OVERLAP_ENGINE_MERGE_NODE_MEMORY_H
#define OVERLAP_ENGINE_MERGE_NODE_MEMORY_H

#include "../base/status.h"
#include "../base/types.h"

#include <array>

namespace overlap {

/// As a rank has it: none at first, and after an error.
class NodeMemory {
  public:
    using Name = std::array<char, OVERLAP_NODE_MEMORY_NAME>;

    explicit NodeMemory(const overlap_transport &transport) : transport_(transport) {}
    ~NodeMemory() { Leave(); }
    NodeMemory(const NodeMemory &) = delete;
    NodeMemory &operator=(const NodeMemory &) = delete;

    /// Replaces what it was. `name` is what others join by.
    Status Make(ByteCount bytes, Name &name) noexcept {
        Leave();
        const Status status(
            transport_.node_memory_make(transport_.self, static_cast<std::size_t>(bytes), name.data(), &memory_, &address_));
        bytes_ = status.ok() ? bytes : 0;
        return status;
    }

    Status Join(const Name &name, ByteCount bytes) noexcept {
        Leave();
        const Status status(
            transport_.node_memory_join(transport_.self, name.data(), static_cast<std::size_t>(bytes), &memory_, &address_));
        bytes_ = status.ok() ? bytes : 0;
        return status;
    }

    void Leave() noexcept {
        if (memory_ != nullptr) {
            transport_.node_memory_leave(transport_.self, &memory_);
        }
        address_ = nullptr;
        bytes_ = 0;
    }

    char *data() const noexcept { return address_; }
    ByteCount bytes() const noexcept { return bytes_; }

  private:
    const overlap_transport &transport_;
    overlap_node_memory *memory_ = nullptr;
    char *address_ = nullptr;
    ByteCount bytes_ = 0;
};

} // namespace overlap

#endif
