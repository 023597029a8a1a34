// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Collective writes whose aggregators matter: accesses told block by block, and who wrote which domain.
#ifndef TEST_UNIT_PLACED_WRITE_H
#define TEST_UNIT_PLACED_WRITE_H

#include "write_cases.h"

namespace overlap::test {

struct RankBlock {
    int rank;
    std::int64_t offset;
    std::size_t length;
};

// The blocks of a rank in ascending order.
inline Pieces PiecesOf(int ranks, const std::vector<RankBlock> &blocks) {
    Pieces pieces(static_cast<std::size_t>(ranks));
    for (const RankBlock &block : blocks) {
        Piece &piece = pieces[static_cast<std::size_t>(block.rank)];
        piece.file_blocks.push_back(Block(block.offset, block.length));
        piece.file_extent = 1 << 20;
        piece.bytes += block.length;
    }
    for (std::size_t rank = 0; rank < pieces.size(); ++rank) {
        FillMemory(pieces[rank], pieces[rank].bytes, static_cast<unsigned>(rank));
    }
    return pieces;
}

constexpr std::int64_t kDomain = 100; // bytes of each domain, where the range has kDomain for each aggregator

inline ClusterOptions PlacedOptions(int ranks, int ranks_per_node, int aggregators) {
    return OptionsFor(ranks, 2 * kDomain, aggregators, ranks_per_node); // of two slots
}

inline overlap_settings PlacedSettings(overlap_placement placement, const char *topology = "") {
    overlap_settings settings = SettingsOf(OVERLAP_ALGORITHM_WRITE_COMM);
    settings.placement = placement;
    SetText(settings.topology, topology);
    return settings;
}

// The rank that wrote each domain of kDomain bytes; -1 where it was more than one or none.
inline std::vector<int> Aggregators(const FakeCluster &cluster, int domains) {
    std::vector<int> ranks(static_cast<std::size_t>(domains), -2);
    for (const LoggedWrite &write : cluster.log()) {
        int &rank = ranks[static_cast<std::size_t>(write.offset / kDomain)];
        rank = rank == -2 || rank == write.rank ? write.rank : -1;
    }
    std::replace(ranks.begin(), ranks.end(), -2, -1);
    return ranks;
}

// Writes `pieces`, expects every byte, and returns who aggregated.
inline std::vector<int> WhoAggregates(FakeCluster &cluster, const overlap_settings &settings, const Pieces &pieces,
                                      int domains, int calls = 1) {
    ExpectWritten(cluster, settings, pieces, "", calls);
    return Aggregators(cluster, domains);
}

// Domain d belongs mostly to rank ranks - 1 - d, the rest to the rank before it: 70 and 30 of its 100 bytes.
inline Pieces BackwardPieces(int ranks, int domains) {
    std::vector<RankBlock> blocks;
    for (int domain = 0; domain < domains; ++domain) {
        const int most = ranks - 1 - domain;
        blocks.push_back(RankBlock{most, domain * kDomain, 70});
        blocks.push_back(RankBlock{(most + ranks - 1) % ranks, domain * kDomain + 70, 30});
    }
    std::sort(blocks.begin(), blocks.end(), [](const RankBlock &a, const RankBlock &b) { return a.offset < b.offset; });
    return PiecesOf(ranks, blocks);
}

} // namespace overlap::test

#endif
