// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "sub_buffers.h"

#include <cstdint>
#include <cstdlib>
#include <new>
#include <sys/mman.h>
#include <utility>

namespace overlap {
namespace {

constexpr ByteCount kPage = 4096;
constexpr ByteCount kHugePage = ByteCount{2} * 1024 * 1024; // of x86-64, and of arm64 with pages of 4 KiB

ByteCount RoundUp(ByteCount bytes, ByteCount unit) { return DivideUp(bytes, unit) * unit; }

ByteCount OwnStride(ByteCount bytes) { return RoundUp(bytes, bytes >= kHugePage ? kHugePage : kPage); }

} // namespace

ByteCount SubBuffers::Stride(ByteCount bytes) { return RoundUp(bytes, kPage); }

void SubBuffers::Release::operator()(char *memory) const {
    if (mapped > 0) {
        munmap(memory, mapped);
    } else {
        std::free(memory);
    }
}

// Memory that may get huge pages is mapped by itself: the allocator would keep what is freed, huge pages and all, for the
// small objects of the program.
SubBuffers::Memory SubBuffers::Allocate(std::size_t bytes) {
    constexpr auto kHuge = static_cast<std::size_t>(kHugePage);
    if (bytes < kHuge) {
        return Memory(static_cast<char *>(std::aligned_alloc(kPage, bytes)));
    }
    bytes = static_cast<std::size_t>(RoundUp(static_cast<ByteCount>(bytes), kHugePage)); // munmap takes pages of every size
    const std::size_t more = bytes + kHuge;
    void *const mapped = mmap(nullptr, more, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapped == MAP_FAILED) {
        return Memory();
    }
    const std::size_t before = (kHuge - reinterpret_cast<std::uintptr_t>(mapped) % kHuge) % kHuge;
    char *const start = static_cast<char *>(mapped) + before;
    if (before > 0) {
        munmap(mapped, before);
    }
    munmap(start + bytes, kHuge - before);
    return Memory(start, Release{bytes});
}

void SubBuffers::Reserve(int slots, std::size_t domains, ByteCount bytes) {
    stride_ = OwnStride(bytes);
    const std::size_t needed = static_cast<std::size_t>(slots) * domains * static_cast<std::size_t>(stride_);
    if (needed > capacity_) {
        starts_.clear();
        memory_.reset();
        capacity_ = 0;
        memory_ = Allocate(needed);
        if (memory_ == nullptr) {
            throw std::bad_alloc();
        }
        capacity_ = needed;
    }
    starts_.clear();
    for (int slot = 0; slot < slots; ++slot) {
        starts_.push_back(memory_.get() + static_cast<ByteCount>(slot) * static_cast<ByteCount>(domains) * stride_);
    }
    AdviseHugePages(domains, bytes);
}

// A kernel without them refuses, and nothing is lost.
void SubBuffers::AdviseHugePages(std::size_t domains, ByteCount bytes) const {
    const ByteCount whole = RoundDown(bytes, kHugePage);
    for (Slot slot = 0; whole > 0 && slot < static_cast<Slot>(starts_.size()); ++slot) {
        for (std::size_t domain = 0; domain < domains; ++domain) {
            static_cast<void>(madvise(At(slot, domain), static_cast<std::size_t>(whole), MADV_HUGEPAGE));
        }
    }
}

void SubBuffers::Borrow(std::vector<char *> starts, ByteCount stride) {
    starts_ = std::move(starts);
    stride_ = stride;
    memory_.reset();
    capacity_ = 0;
}

} // namespace overlap
