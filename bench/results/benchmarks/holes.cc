// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// What data sieving is worth: seconds to write extents with gaps each by itself (list) and by reading, merging and writing
// their range under a lock (sieve), for lengths of extents and densities; the table behind engine/io/holes.cc.
//   holes FOLDER
#include "../../../test/unit/real_file.h"
#include "io/sieve.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <unistd.h>
#include <vector>

namespace {

using overlap::Extents;

constexpr std::size_t kCycle = 2 << 20; // bytes of data, as the sub-buffer of an aggregator has by default
constexpr std::size_t kCycles = 4;
constexpr int kRounds = 5;
constexpr std::size_t kLengths[] = {64, 256, 1024, 4096, 16384, 65536};
constexpr int kEighths[] = {1, 2, 4, 6, 7};

// A cycle's extents, packed in memory.
Extents CycleOf(std::size_t cycle, std::size_t length, int eighths, char *memory) {
    Extents extents;
    const std::size_t stride = length * 8 / static_cast<std::size_t>(eighths);
    for (std::size_t i = 0; i < kCycle / length; ++i) {
        extents.push_back(overlap_extent{static_cast<std::int64_t>((cycle * (kCycle / length) + i) * stride),
                                         memory + i * length, length});
    }
    return extents;
}

double Seconds(overlap::test::RealFile &file, overlap_holes holes, std::size_t length, int eighths, char *memory) {
    overlap::Sieve writer(file.ports(), nullptr);
    writer.SetRule(overlap::WriteRule{holes});
    writer.Prepare(0);
    double seconds = 0;
    for (std::size_t cycle = 0; cycle < kCycles; ++cycle) {
        const Extents extents = CycleOf(cycle, length, eighths, memory);
        const auto before = std::chrono::steady_clock::now();
        overlap::ByteCount written = 0;
        overlap::WrittenRanges behind;
        if (!writer.Transfer(OVERLAP_WRITE, extents, written, behind).ok()) {
            std::fprintf(stderr, "holes: a write failed\n");
            std::exit(1);
        }
        seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - before).count();
    }
    return seconds;
}

// Milliseconds of both ways, the best of some rounds in turn.
void Compare(const char *folder, bool fresh, std::size_t length, int eighths, char *memory) {
    overlap::test::RealFile file(folder);
    double best[2] = {1e9, 1e9};
    constexpr overlap_holes kWays[] = {OVERLAP_HOLES_LIST, OVERLAP_HOLES_SIEVE};
    Seconds(file, OVERLAP_HOLES_SIEVE, length, eighths, memory);
    for (int round = 0; round < kRounds; ++round) {
        for (int way = 0; way < 2; ++way) {
            if (fresh && truncate(file.path().c_str(), 0) != 0) {
                std::exit(1);
            }
            best[way] = std::min(best[way], Seconds(file, kWays[way], length, eighths, memory));
        }
    }
    std::printf(" %7.1f/%-6.1f %5.2f |", best[0] * 1e3, best[1] * 1e3, best[0] / best[1]);
}

} // namespace

int main(int argc, char **argv) {
    if (argc != 2) {
        std::fprintf(stderr, "holes FOLDER\n");
        return 2;
    }
    std::vector<char> memory(kCycle, 'x');
    for (const bool fresh : {false, true}) {
        std::printf(
            "%s, %s: ms of list/sieve of %zu MiB, and their ratio\n| bytes | density 1/8 | 1/4 | 1/2 | 3/4 | 7/8 |\n",
            argv[1], fresh ? "a file that is empty" : "a file that is there", kCycles * kCycle >> 20);
        for (const std::size_t length : kLengths) {
            std::printf("| %zu |", length);
            for (const int eighths : kEighths) {
                Compare(argv[1], fresh, length, eighths, memory.data());
            }
            std::printf("\n");
        }
    }
    return 0;
}
