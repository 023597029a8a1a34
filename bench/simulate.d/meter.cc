// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "meter.h"

#include <cstdlib>
#include <ctime>
#include <map>
#include <new>
#include <sys/mman.h>

namespace simulate {
namespace {

Meter *current = nullptr;
double since = 0;

double ProcessorSeconds() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// In front of each block.
struct alignas(__STDCPP_DEFAULT_NEW_ALIGNMENT__) Header {
    Meter *owner;
    std::size_t bytes;
};

struct Aligned {
    Meter *owner;
    std::size_t bytes;
};
std::map<void *, Aligned> &AlignedBlocks() {
    static auto &blocks = *new std::map<void *, Aligned>(); // what is freed last is freed behind main
    return blocks;
}

void *Allocate(std::size_t bytes) noexcept {
    auto *const header = static_cast<Header *>(std::malloc(sizeof(Header) + bytes));
    if (header == nullptr) {
        return nullptr;
    }
    *header = Header{current, bytes};
    if (current != nullptr) {
        current->memory.Add(static_cast<std::int64_t>(bytes));
    }
    return header + 1;
}

void Free(void *block) noexcept {
    if (block == nullptr) {
        return;
    }
    Header *const header = static_cast<Header *>(block) - 1;
    if (header->owner != nullptr) {
        header->owner->memory.Add(-static_cast<std::int64_t>(header->bytes));
    }
    std::free(header);
}

} // namespace

void EnterEngine(Meter &meter) {
    current = &meter;
    since = ProcessorSeconds();
}

void LeaveEngine() {
    current->seconds += ProcessorSeconds() - since;
    current = nullptr;
}

} // namespace simulate

void *operator new(std::size_t bytes) {
    void *const block = simulate::Allocate(bytes);
    if (block == nullptr) {
        throw std::bad_alloc();
    }
    return block;
}
void *operator new[](std::size_t bytes) { return operator new(bytes); }
void *operator new(std::size_t bytes, const std::nothrow_t & /*tag*/) noexcept { return simulate::Allocate(bytes); }
void *operator new[](std::size_t bytes, const std::nothrow_t & /*tag*/) noexcept { return simulate::Allocate(bytes); }
void operator delete(void *block) noexcept { simulate::Free(block); }
void operator delete[](void *block) noexcept { simulate::Free(block); }
void operator delete(void *block, std::size_t /*bytes*/) noexcept { simulate::Free(block); }
void operator delete[](void *block, std::size_t /*bytes*/) noexcept { simulate::Free(block); }
void operator delete(void *block, const std::nothrow_t & /*tag*/) noexcept { simulate::Free(block); }
void operator delete[](void *block, const std::nothrow_t & /*tag*/) noexcept { simulate::Free(block); }

// The linker puts these in the place of the functions that sub-buffers are taken with (--wrap).
extern "C" {
void *__real_mmap(void *address, std::size_t bytes, int protection, int flags, int file, off_t offset);
int __real_munmap(void *address, std::size_t bytes);
void *__real_aligned_alloc(std::size_t alignment, std::size_t bytes);
void __real_free(void *block);

void *__wrap_mmap(void *address, std::size_t bytes, int protection, int flags, int file, off_t offset) {
    void *const mapped = __real_mmap(address, bytes, protection, flags, file, offset);
    if (simulate::current != nullptr && mapped != MAP_FAILED) {
        simulate::current->sub_buffers.Add(static_cast<std::int64_t>(bytes));
    }
    return mapped;
}

int __wrap_munmap(void *address, std::size_t bytes) {
    if (simulate::current != nullptr) {
        simulate::current->sub_buffers.Add(-static_cast<std::int64_t>(bytes));
    }
    return __real_munmap(address, bytes);
}

void *__wrap_aligned_alloc(std::size_t alignment, std::size_t bytes) {
    void *const block = __real_aligned_alloc(alignment, bytes);
    if (simulate::current != nullptr && block != nullptr) {
        simulate::current->sub_buffers.Add(static_cast<std::int64_t>(bytes));
        simulate::Meter *const owner = simulate::current;
        simulate::current = nullptr;
        simulate::AlignedBlocks()[block] = simulate::Aligned{owner, bytes};
        simulate::current = owner;
    }
    return block;
}

void __wrap_free(void *block) {
    auto &blocks = simulate::AlignedBlocks();
    if (!blocks.empty()) {
        const auto found = blocks.find(block);
        if (found != blocks.end()) {
            found->second.owner->sub_buffers.Add(-static_cast<std::int64_t>(found->second.bytes));
            simulate::Meter *const running = simulate::current;
            simulate::current = nullptr;
            blocks.erase(found);
            simulate::current = running;
        }
    }
    __real_free(block);
}
}
