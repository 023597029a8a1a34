// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "kept_memory.h"

#include <cstdint>
#include <cstdlib>
#include <new>
#include <sys/mman.h>
#include <utility>

namespace overlap {

// Memory of a huge page and more is mapped: the allocator would keep what is freed, with its huge pages, for the small
// objects of the program. A huge page more is mapped than is used, so that the memory can begin at one.
void KeptMemory::Reserve(std::size_t bytes) {
    if (bytes <= capacity_) {
        return;
    }
    Free(); // first, so that the two are never there together
    if (bytes < kHugePage) {
        data_ = static_cast<char *>(std::aligned_alloc(kPage, (bytes + kPage - 1) / kPage * kPage));
    } else {
        void *const mapped = mmap(nullptr, bytes + kHugePage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (mapped != MAP_FAILED) {
            mapped_ = mapped;
            data_ = static_cast<char *>(mapped) + (kHugePage - reinterpret_cast<std::uintptr_t>(mapped) % kHugePage);
        }
    }
    if (data_ == nullptr) {
        throw std::bad_alloc();
    }
    capacity_ = bytes;
}

void KeptMemory::Free() noexcept {
    if (mapped_ != nullptr) {
        munmap(std::exchange(mapped_, nullptr), capacity_ + kHugePage);
    } else {
        std::free(data_);
    }
    data_ = nullptr;
    capacity_ = 0;
}

} // namespace overlap
