// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "hop_bytes.h"

#include <algorithm>

namespace overlap {
namespace {

struct NodeShare {
    int node;
    std::size_t domain;
    double bytes;
};

// What each node has in each domain, node after node, so that the hops from a node are needed once.
std::vector<NodeShare> SharesByNode(const CommunicationMatrix &matrix, const Topology &topology) {
    std::vector<NodeShare> shares;
    for (std::size_t domain = 0; domain < matrix.size(); ++domain) {
        for (const NodeBytes &sum : SumByNode(matrix[domain], topology)) {
            shares.push_back(NodeShare{sum.node, domain, static_cast<double>(sum.bytes)});
        }
    }
    std::sort(shares.begin(), shares.end(), [](const NodeShare &a, const NodeShare &b) {
        return a.node != b.node ? a.node < b.node : a.domain < b.domain;
    });
    return shares;
}

// The candidates by nodes. Nodes are numbered as they come, so that the number of a candidate's node is not above its own.
struct CandidateNodes {
    CandidateNodes(const std::vector<Rank> &candidates, const Topology &topology)
        : of_node(static_cast<std::size_t>(topology.nodes())) {
        std::vector<std::size_t> numbers(of_node.size(), 0);
        for (std::size_t i = 0; i < candidates.size(); ++i) {
            const auto node = static_cast<std::size_t>(topology.NodeOf(candidates[i]));
            if (of_node[node].empty()) {
                numbers[node] = nodes.size();
                nodes.push_back(topology.NodeOf(candidates[i]));
            }
            of_node[node].push_back(i);
            number.push_back(numbers[node]);
        }
    }

    std::vector<int> nodes;
    std::vector<std::size_t> number;               // in `nodes`, of each candidate's
    std::vector<std::vector<std::size_t>> of_node; // candidates
};

} // namespace

double HopBytes(const CommunicationMatrix &matrix, const Topology &topology, const std::vector<Rank> &aggregators) {
    double sum = 0;
    for (std::size_t domain = 0; domain < matrix.size(); ++domain) {
        for (const RankBytes &entry : matrix[domain]) {
            sum += topology.Distance(entry.rank, aggregators[domain]) * static_cast<double>(entry.bytes);
        }
    }
    return sum;
}

std::vector<double> HopBytesOfCandidates(const CommunicationMatrix &matrix, const Topology &topology,
                                         const std::vector<Rank> &candidates) {
    const CandidateNodes to(candidates, topology);
    std::vector<double> work(matrix.size() * candidates.size(), 0);
    std::vector<float> hops(to.nodes.size());
    int from = -1;
    // A row holds the sums of the candidates' nodes first.
    for (const NodeShare &share : SharesByNode(matrix, topology)) {
        if (share.node != from) {
            from = share.node;
            for (std::size_t i = 0; i < hops.size(); ++i) {
                hops[i] = static_cast<float>(topology.network().Hops(from, to.nodes[i]));
            }
        }
        double *const sums = work.data() + share.domain * candidates.size();
        for (std::size_t i = 0; i < hops.size(); ++i) {
            sums[i] += share.bytes * static_cast<double>(hops[i]);
        }
    }
    for (std::size_t domain = 0; domain < matrix.size(); ++domain) {
        double *const costs = work.data() + domain * candidates.size();
        for (std::size_t i = candidates.size(); i-- > 0;) {
            costs[i] = costs[to.number[i]];
        }
        for (const RankBytes &entry : matrix[domain]) {
            for (const std::size_t i : to.of_node[static_cast<std::size_t>(topology.NodeOf(entry.rank))]) {
                costs[i] += topology.DistanceInNode(entry.rank, candidates[i]) * static_cast<double>(entry.bytes);
            }
        }
    }
    return work;
}

std::vector<double> ForeignBytesOfCandidates(const CommunicationMatrix &matrix, const std::vector<Rank> &candidates) {
    std::vector<double> work;
    work.reserve(matrix.size() * candidates.size());
    for (const DomainBytes &column : matrix) {
        double all = 0;
        for (const RankBytes &entry : column) {
            all += static_cast<double>(entry.bytes);
        }
        for (const Rank candidate : candidates) {
            const auto own = std::lower_bound(column.begin(), column.end(), candidate,
                                              [](const RankBytes &entry, Rank rank) { return entry.rank < rank; });
            work.push_back(own != column.end() && own->rank == candidate ? all - static_cast<double>(own->bytes) : all);
        }
    }
    return work;
}

} // namespace overlap
