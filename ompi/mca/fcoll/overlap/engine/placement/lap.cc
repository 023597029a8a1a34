// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Fewest hop-bytes in all: the assignment of least work W = D C of Liu, Zhou and Guo (Topology-aware strategy for MPI-IO
// operations in clusters, section 4.3).
#include "candidates.h"

namespace overlap {
namespace {

// The hop-bytes of each candidate: row-major, a row for each domain.
std::vector<double> Work(const PlacementProblem &problem, const std::vector<Rank> &candidates) {
    const Topology &topology = *problem.topology;
    const std::vector<double> of_nodes = CostsOfNodes(*problem.matrix, topology, [](const NodeBytes &sum) {
        return WayCost{static_cast<double>(sum.bytes), 0};
    });
    std::vector<std::vector<std::size_t>> of_node(static_cast<std::size_t>(topology.nodes()));
    for (std::size_t i = 0; i < candidates.size(); ++i) {
        of_node[static_cast<std::size_t>(topology.NodeOf(candidates[i]))].push_back(i);
    }
    std::vector<double> work(problem.matrix->size() * candidates.size());
    for (std::size_t domain = 0; domain < problem.matrix->size(); ++domain) {
        double *const costs = work.data() + domain * candidates.size();
        for (std::size_t node = 0; node < of_node.size(); ++node) {
            for (const std::size_t i : of_node[node]) {
                costs[i] = of_nodes[domain * of_node.size() + node];
            }
        }
        for (const RankBytes &entry : (*problem.matrix)[domain]) {
            for (const std::size_t i : of_node[static_cast<std::size_t>(topology.NodeOf(entry.rank))]) {
                costs[i] += topology.DistanceInNode(entry.rank, candidates[i]) * static_cast<double>(entry.bytes);
            }
        }
    }
    return work;
}

class LapPlacement final : public Placement {
  public:
    const char *name() const override { return "lap"; }

    std::vector<Rank> Place(const PlacementProblem &problem, int domains) const override {
        const std::vector<Rank> candidates = ChooseCandidates(problem, domains);
        return AssignCandidates(problem, candidates, Work(problem, candidates), domains);
    }
};

} // namespace

std::unique_ptr<Placement> MakeLapPlacement() { return std::make_unique<LapPlacement>(); }

} // namespace overlap
