// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "independence.h"

#include "choice.h"

namespace overlap {
namespace {

// What goes straight between a page cache and where its bytes belong is copied once, in a collective transfer two times or
// more; for many smaller pieces the calls take longer than that (bench/RESULTS.md). A few take less time than messages
// would; but a page cache takes one write of a file at a time, so that of tiny ones not many ranks should have some.
constexpr ByteCount kWorthACall = ByteCount{32} << 10;
constexpr std::int64_t kFewPieces = 4;
constexpr ByteCount kTiny = ByteCount{4} << 10;
constexpr std::int64_t kFewTinyPieces = 32; // of all ranks together

constexpr ByteCount kLongBlock = ByteCount{64} << 10;

std::int64_t Blocks(const StridedList &list) {
    std::int64_t blocks = 0;
    list.ForEachRun([&blocks](const Run &run) { blocks += run.count; });
    return blocks;
}

// Whether the user asked for nothing that only aggregators do, or that holds for the transfer as a whole.
bool AsksForNothing(const overlap_settings &settings, overlap_direction direction, const overlap_file_facts &facts) {
    const bool schedule = settings.algorithm == OVERLAP_ALGORITHM_AUTO && settings.shuffle == OVERLAP_SHUFFLE_AUTO &&
                          settings.writer == OVERLAP_WRITER_AUTO && settings.slots == OVERLAP_SLOTS_AUTO;
    const bool domains = settings.partition == OVERLAP_PARTITION_EVEN && settings.aggregators_per_node == 0 &&
                         settings.config_list[0] == '\0' && facts.aggregators == 0 && facts.collective_buffer_chosen == 0;
    return schedule && domains && (direction == OVERLAP_READ || settings.holes != OVERLAP_HOLES_SIEVE);
}

} // namespace

bool GoesStraight(const StridedList &file, const StridedList &memory) {
    if (file.empty()) {
        return false;
    }
    const std::int64_t blocks = Blocks(memory);
    return blocks <= Blocks(file) || memory.bytes() / blocks >= kLongBlock;
}

bool IsAsFastAlone(const StridedList &file, const StridedList &memory, int ranks) {
    const std::int64_t pieces = file.PiecesAtLeast();
    const ByteCount piece = file.bytes() / pieces;
    const bool few = pieces <= kFewPieces && (piece >= kTiny || pieces * ranks <= kFewTinyPieces);
    return (few || piece >= kWorthACall) && GoesStraight(file, memory);
}

Independence ChooseIndependence(overlap_direction direction, const overlap_settings &asked, bool as_fast, bool rules,
                                const overlap_file_facts &facts, int nodes) {
    const bool reads = direction == OVERLAP_READ;
    const overlap_transfers transfers = reads ? asked.reads : asked.writes;
    if (transfers != OVERLAP_TRANSFERS_AUTO) {
        return transfers == OVERLAP_TRANSFERS_INDEPENDENT ? Independence::kAlways : Independence::kNo;
    }
    if (!as_fast || rules || !WritesAreCopies(facts, nodes) || !AsksForNothing(asked, direction, facts)) {
        return Independence::kNo;
    }
    return reads ? Independence::kAlways : Independence::kWhereDisjoint;
}

} // namespace overlap
