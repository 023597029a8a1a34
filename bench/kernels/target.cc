// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "target.h"

#include <algorithm>
#include <stdexcept>

namespace bench {
namespace {

/// The lowest rank of each rank's node.
std::vector<int> NodeOfRank() {
    int rank = 0, ranks = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Comm node;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &node);
    int first = rank;
    MPI_Bcast(&first, 1, MPI_INT, 0, node);
    MPI_Comm_free(&node);
    std::vector<int> all(static_cast<std::size_t>(ranks));
    MPI_Allgather(&first, 1, MPI_INT, all.data(), 1, MPI_INT, MPI_COMM_WORLD);
    return all;
}

int Count(const std::vector<int> &node_of_rank) {
    int nodes = 0;
    for (std::size_t rank = 0; rank < node_of_rank.size(); ++rank) {
        nodes += node_of_rank[rank] == static_cast<int>(rank) ? 1 : 0;
    }
    return nodes;
}

} // namespace

int Nodes() { return Count(NodeOfRank()); }

std::vector<int> Writers(int aggregators) {
    const std::vector<int> node_of_rank = NodeOfRank();
    const int nodes = Count(node_of_rank);
    const auto ranks = static_cast<int>(node_of_rank.size());
    const int wanted = std::min(ranks, aggregators > 0 ? aggregators : nodes == 1 ? 2 : nodes);
    // The first rank of each node, then the second of each, and so on.
    std::vector<std::pair<int, int>> turns;
    std::vector<int> used(node_of_rank.size(), 0);
    for (int rank = 0; rank < ranks; ++rank) {
        turns.emplace_back(used[static_cast<std::size_t>(node_of_rank[static_cast<std::size_t>(rank)])]++, rank);
    }
    std::sort(turns.begin(), turns.end());
    std::vector<int> writers;
    for (int i = 0; i < wanted; ++i) {
        writers.push_back(turns[static_cast<std::size_t>(i)].second);
    }
    std::sort(writers.begin(), writers.end());
    return writers;
}

std::unique_ptr<Target> MakeTarget(const Options &options, const Pattern &pattern) {
    switch (options.method) {
    case Method::kMpiIo:
        return MakeMpiIo(options, pattern);
    case Method::kAlltoallv:
        return MakeAlltoallv(options, pattern);
    case Method::kOnlyWrite:
        return MakeOnlyWrite(options, pattern);
    case Method::kHdf5:
        return MakeHdf5(options, pattern);
    case Method::kGio:
        return MakeGio(options, pattern);
    }
    throw std::invalid_argument("an unknown method");
}

} // namespace bench
