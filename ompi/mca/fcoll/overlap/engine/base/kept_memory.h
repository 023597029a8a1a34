// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Memory that lives with the file and only grows, so that its pages are touched once.
#ifndef OVERLAP_ENGINE_BASE_KEPT_MEMORY_H
#define OVERLAP_ENGINE_BASE_KEPT_MEMORY_H

#include <cstddef>

namespace overlap {

constexpr std::size_t kPage = 4096;
constexpr std::size_t kHugePage = std::size_t{2} << 20; // of x86-64, and of arm64 with pages of 4 KiB

class KeptMemory {
  public:
    KeptMemory() = default;
    ~KeptMemory() { Free(); }
    KeptMemory(const KeptMemory &) = delete;
    KeptMemory &operator=(const KeptMemory &) = delete;

    /// Makes room for so many bytes. They begin at a page, and if they are a huge page or more at a huge page. What was
    /// there is lost if there was less room. Nothing is touched. Throws std::bad_alloc.
    void Reserve(std::size_t bytes);

    void Free() noexcept;

    char *data() const noexcept { return data_; }

  private:
    char *data_ = nullptr;
    std::size_t capacity_ = 0;
    void *mapped_ = nullptr; // what mmap gave; null: the memory is the allocator's
};

} // namespace overlap

#endif
