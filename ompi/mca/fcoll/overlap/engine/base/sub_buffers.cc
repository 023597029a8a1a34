// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "sub_buffers.h"

#include <sys/mman.h>
#include <utility>

namespace overlap {
namespace {

ByteCount RoundUp(ByteCount bytes, std::size_t unit) {
    return DivideUp(bytes, static_cast<ByteCount>(unit)) * static_cast<ByteCount>(unit);
}

} // namespace

ByteCount SubBuffers::Stride(ByteCount bytes) { return RoundUp(bytes, kPage); }

// A kernel without huge pages refuses them, and nothing is lost.
void SubBuffers::Reserve(int slots, std::size_t domains, ByteCount bytes) {
    const auto huge = static_cast<std::size_t>(bytes) / kHugePage * kHugePage; // of a sub-buffer
    stride_ = RoundUp(bytes, huge > 0 ? kHugePage : kPage);
    starts_.clear();
    memory_.Reserve(static_cast<std::size_t>(slots) * domains * static_cast<std::size_t>(stride_));
    for (Slot slot = 0; slot < slots; ++slot) {
        starts_.push_back(memory_.data() + static_cast<ByteCount>(slot) * static_cast<ByteCount>(domains) * stride_);
        for (std::size_t domain = 0; huge > 0 && domain < domains; ++domain) {
            static_cast<void>(madvise(At(slot, domain), huge, MADV_HUGEPAGE));
        }
    }
}

void SubBuffers::Borrow(std::vector<char *> starts, ByteCount stride) {
    starts_ = std::move(starts);
    stride_ = stride;
    memory_.Free();
}

} // namespace overlap
