// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// The assignment that leaves the most bytes where they are, whatever the distance of the others: LATP, with which Liu, Zhou
// and Guo (Topology-aware strategy for MPI-IO operations in clusters, section 5) compare theirs.
#include "candidates.h"

#include <algorithm>

namespace overlap {
namespace {

// Less a candidate's own bytes: row-major, a row for each domain. Of assignments with equally many own bytes the one is
// cheapest whose nodes have the most. Regular programs give all ranks of a domain equal shares, and then anything else is
// left to chance. All ties together weigh less than one byte.
std::vector<double> Costs(const PlacementProblem &problem, const std::vector<Rank> &candidates) {
    double all = 0;
    for (const DomainBytes &column : *problem.matrix) {
        for (const RankBytes &entry : column) {
            all += static_cast<double>(entry.bytes);
        }
    }
    const double tie = 1 / std::max(1.0, 2 * all);
    std::vector<double> of_rank(static_cast<std::size_t>(problem.ranks()));
    std::vector<double> of_node(static_cast<std::size_t>(problem.nodes.nodes()));
    std::vector<double> costs;
    costs.reserve(problem.matrix->size() * candidates.size());
    for (const DomainBytes &column : *problem.matrix) {
        std::fill(of_rank.begin(), of_rank.end(), 0);
        std::fill(of_node.begin(), of_node.end(), 0);
        for (const RankBytes &entry : column) {
            const auto bytes = static_cast<double>(entry.bytes);
            of_rank[static_cast<std::size_t>(entry.rank)] = bytes;
            of_node[static_cast<std::size_t>(problem.nodes.NodeOf(entry.rank))] += bytes;
        }
        for (const Rank candidate : candidates) {
            const auto node = static_cast<std::size_t>(problem.nodes.NodeOf(candidate));
            costs.push_back(-of_rank[static_cast<std::size_t>(candidate)] - of_node[node] * tie);
        }
    }
    return costs;
}

class LocalityPlacement final : public Placement {
  public:
    const char *name() const override { return "locality"; }

    std::vector<Rank> Place(const PlacementProblem &problem, int domains) const override {
        const std::vector<Rank> candidates = ChooseCandidates(problem, domains);
        return AssignCandidates(problem, candidates, Costs(problem, candidates), domains);
    }
};

} // namespace

std::unique_ptr<Placement> MakeLocalityPlacement() { return std::make_unique<LocalityPlacement>(); }

} // namespace overlap
