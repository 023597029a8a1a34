// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// The memory of the sub-buffers: where it begins, what of it is resident, what is asked of the kernel.
#include "base/sub_buffers.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>
#include <sys/mman.h>
#include <unistd.h>

namespace overlap {
namespace {

constexpr ByteCount kHuge = ByteCount{2} << 20;

std::uintptr_t AddressOf(const char *memory) { return reinterpret_cast<std::uintptr_t>(memory); }

// Of the pages that the bytes lie in.
std::size_t ResidentBytes(const char *memory, std::size_t bytes) {
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    const std::uintptr_t first = AddressOf(memory) / page * page;
    const std::size_t pages = (AddressOf(memory) + bytes - first + page - 1) / page;
    std::vector<unsigned char> resident(pages);
    EXPECT_EQ(mincore(reinterpret_cast<void *>(first), pages * page, resident.data()), 0);
    return page * static_cast<std::size_t>(
                      std::count_if(resident.begin(), resident.end(), [](unsigned char flags) { return (flags & 1) != 0; }));
}

// Whether huge pages have been asked for here (the flag hg of proc(5), smaps).
bool Advised(const char *memory) {
    std::ifstream maps("/proc/self/smaps");
    bool here = false;
    for (std::string line; std::getline(maps, line);) {
        std::uintptr_t first = 0, last = 0;
        char dash = 0;
        std::istringstream text(line);
        if (text >> std::hex >> first >> dash >> last && dash == '-') {
            here = first <= AddressOf(memory) && AddressOf(memory) < last;
        } else if (here && line.rfind("VmFlags:", 0) == 0) {
            return (line + " ").find(" hg ") != std::string::npos;
        }
    }
    return false;
}

std::string HugePages() {
    std::ifstream setting("/sys/kernel/mm/transparent_hugepage/enabled");
    std::string text;
    std::getline(setting, text);
    return text;
}

TEST(SubBuffers, OfAHugePageAndMoreBeginAtOneAndAskForThoseThatTheyFill) {
    for (const ByteCount bytes : {kHuge, kHuge + 1, 2 * kHuge - 4096, 3 * kHuge}) {
        SubBuffers buffers;
        buffers.Reserve(3, 2, bytes);
        for (Slot slot = 0; slot < 3; ++slot) {
            for (const std::size_t domain : {0U, 1U}) {
                const char *const start = buffers.At(slot, domain);
                EXPECT_EQ(AddressOf(start) % kHuge, 0U) << bytes;
                if (!HugePages().empty()) {
                    EXPECT_TRUE(Advised(start)) << bytes;
                    EXPECT_TRUE(Advised(start + RoundDown(bytes, kHuge) - 1)) << bytes;
                    EXPECT_TRUE(bytes % kHuge == 0 || !Advised(start + bytes - 1)) << bytes;
                }
            }
        }
        EXPECT_GE(buffers.At(1, 0) - buffers.At(0, 1), bytes);
    }
}

TEST(SubBuffers, BelowAHugePageLieCloseTogetherAtPages) {
    for (const ByteCount bytes : {ByteCount{1}, ByteCount{5000}, kHuge - 1}) {
        SubBuffers buffers;
        buffers.Reserve(16, 2, bytes);
        for (Slot slot = 0; slot < 16; ++slot) {
            EXPECT_EQ(AddressOf(buffers.At(slot, 0)) % 4096, 0U);
            EXPECT_EQ(buffers.At(slot, 1) - buffers.At(slot, 0), SubBuffers::Stride(bytes));
            EXPECT_FALSE(Advised(buffers.At(slot, 0)));
        }
    }
}

// The first touch is that of the thread of the MPI calls, in the shuffle.
TEST(SubBuffers, ReservingTouchesNothingAndASmallWriteMakesNoMoreResidentThanItsPages) {
    for (const ByteCount bytes : {ByteCount{100000}, kHuge, 3 * kHuge + 5}) {
        SubBuffers reserved;
        reserved.Reserve(16, 2, bytes);
        EXPECT_LE(ResidentBytes(reserved.At(1, 0), static_cast<std::size_t>(bytes)), 0U) << bytes;
    }
    SubBuffers buffers;
    buffers.Reserve(16, 1, 1000);
    for (Slot slot = 0; slot < 16; ++slot) {
        buffers.At(slot, 0)[999] = 'x';
    }
    EXPECT_EQ(buffers.At(15, 0) - buffers.At(0, 0), 15 * 4096);

    // Nor does one of some hundred KiB in each slot, in memory large enough for huge pages, unless all programs get them.
    if (HugePages().find("[always]") != std::string::npos) {
        return;
    }
    SubBuffers medium;
    medium.Reserve(16, 1, 300 * 1024);
    for (Slot slot = 0; slot < 16; ++slot) {
        medium.At(slot, 0)[0] = 'x';
    }
    EXPECT_LE(ResidentBytes(medium.At(0, 0), 16 * 300 * 1024), 16U * 4096);
}

TEST(SubBuffers, HoldTheirMemoryUntilMoreIsNeeded) {
    SubBuffers buffers;
    buffers.Reserve(2, 1, kHuge);
    char *const before = buffers.At(0, 0);
    buffers.At(1, 0)[kHuge - 1] = 'x';
    buffers.Reserve(2, 1, 1000);
    EXPECT_EQ(buffers.At(0, 0), before);
    EXPECT_EQ(before[2 * kHuge - 1], 'x') << "it was given back";
    buffers.Reserve(3, 1, kHuge);
    buffers.At(2, 0)[kHuge - 1] = 'x';

    std::vector<char> other(4096);
    buffers.Borrow({other.data()}, 4096);
    EXPECT_EQ(buffers.At(0, 0), other.data());
    buffers.Reserve(1, 1, 1);
    EXPECT_NE(buffers.At(0, 0), other.data());
}

} // namespace
} // namespace overlap
