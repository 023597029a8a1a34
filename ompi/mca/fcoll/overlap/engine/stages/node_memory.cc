// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "node_memory.h"

namespace overlap {

Status NodeMemory::Has(int error, ByteCount bytes) noexcept {
    bytes_ = error == OVERLAP_SUCCESS ? bytes : 0;
    return Status(error);
}

Status NodeMemory::Make(ByteCount bytes, Name &name) noexcept {
    Leave();
    const int error =
        transport_.node_memory_make(transport_.self, static_cast<std::size_t>(bytes), name.data(), &memory_, &address_);
    open_ = error == OVERLAP_SUCCESS;
    return Has(error, bytes);
}

Status NodeMemory::Join(const Name &name, ByteCount bytes) noexcept {
    Leave();
    return Has(
        transport_.node_memory_join(transport_.self, name.data(), static_cast<std::size_t>(bytes), &memory_, &address_),
        bytes);
}

void NodeMemory::Seal() noexcept {
    if (open_) {
        transport_.node_memory_seal(transport_.self, memory_);
        open_ = false;
    }
}

void NodeMemory::Leave() noexcept {
    if (memory_ != nullptr) {
        transport_.node_memory_leave(transport_.self, &memory_);
    }
    address_ = nullptr;
    bytes_ = 0;
    open_ = false;
}

} // namespace overlap
