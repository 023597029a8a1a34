// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// The assignment with the fewest hop-bytes: TATP, Liu, Zhou and Guo, Topology-aware strategy for MPI-IO operations in
// clusters, section 4.3.
#include "candidates.h"
#include "hop_bytes.h"
#include "usual_number.h"

namespace overlap {
namespace {

class LapPlacement final : public Placement {
  public:
    const char *name() const override { return "lap"; }

    int DomainLimit(const PlacementProblem &problem) const override { return NetworkDomainLimit(problem); }

    std::vector<Rank> Place(const PlacementProblem &problem, int domains) const override {
        const std::vector<Rank> candidates = ChooseCandidates(problem, domains);
        return AssignCandidates(problem, candidates, HopBytesOfCandidates(*problem.matrix, *problem.topology, candidates),
                                domains);
    }
};

} // namespace

std::unique_ptr<Placement> MakeLapPlacement() { return std::make_unique<LapPlacement>(); }

} // namespace overlap
