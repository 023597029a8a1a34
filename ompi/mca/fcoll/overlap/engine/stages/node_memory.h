// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Memory that ranks of a node share.
#ifndef OVERLAP_ENGINE_STAGES_NODE_MEMORY_H
#define OVERLAP_ENGINE_STAGES_NODE_MEMORY_H

#include "../base/status.h"
#include "../base/types.h"
#include "../ports.h"

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

    /// In the place of what it was. `name` is what others join by.
    Status Make(ByteCount bytes, Name &name) noexcept;
    Status Join(const Name &name, ByteCount bytes) noexcept;

    /// Nobody joins any more. Only the rank that made it has something to do.
    void Seal() noexcept;

    void Leave() noexcept;

    char *data() const noexcept { return address_; }
    ByteCount bytes() const noexcept { return bytes_; }

  private:
    Status Has(int error, ByteCount bytes) noexcept;

    const overlap_transport &transport_;
    overlap_node_memory *memory_ = nullptr;
    char *address_ = nullptr;
    ByteCount bytes_ = 0;
    bool open_ = false;
};

} // namespace overlap

#endif
