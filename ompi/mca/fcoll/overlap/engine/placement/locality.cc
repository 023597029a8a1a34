// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// The assignment that leaves the most bytes where they are, whatever the distance of the others: LATP, with which Liu, Zhou
// and Guo (Topology-aware strategy for MPI-IO operations in clusters, section 5) compare theirs.
#include "candidates.h"
#include "hop_bytes.h"
#include "usual_number.h"

#include <algorithm>

namespace overlap {
namespace {

// Of assignments with equally many own bytes the one whose nodes have the most. Regular programs give all ranks of a domain
// equal shares, and then anything else is left to chance. All ties together weigh less than one byte.
void BreakTies(const PlacementProblem &problem, const std::vector<Rank> &candidates, std::vector<double> &costs) {
    double all = 0;
    for (const DomainBytes &column : *problem.matrix) {
        for (const RankBytes &entry : column) {
            all += static_cast<double>(entry.bytes);
        }
    }
    std::vector<double> of_node(static_cast<std::size_t>(problem.nodes.nodes()));
    for (std::size_t domain = 0; domain < problem.matrix->size(); ++domain) {
        std::fill(of_node.begin(), of_node.end(), 0);
        for (const RankBytes &entry : (*problem.matrix)[domain]) {
            of_node[static_cast<std::size_t>(problem.nodes.NodeOf(entry.rank))] += static_cast<double>(entry.bytes);
        }
        for (std::size_t i = 0; i < candidates.size(); ++i) {
            const auto node = static_cast<std::size_t>(problem.nodes.NodeOf(candidates[i]));
            costs[domain * candidates.size() + i] -= of_node[node] / std::max(1.0, 2 * all);
        }
    }
}

class LocalityPlacement final : public Placement {
  public:
    const char *name() const override { return "locality"; }

    int DomainLimit(const PlacementProblem &problem) const override { return NetworkDomainLimit(problem); }

    std::vector<Rank> Place(const PlacementProblem &problem, int domains) const override {
        const std::vector<Rank> candidates = ChooseCandidates(problem, domains);
        std::vector<double> costs = ForeignBytesOfCandidates(*problem.matrix, candidates);
        BreakTies(problem, candidates, costs);
        return AssignCandidates(problem, candidates, costs, domains);
    }
};

} // namespace

std::unique_ptr<Placement> MakeLocalityPlacement() { return std::make_unique<LocalityPlacement>(); }

} // namespace overlap
