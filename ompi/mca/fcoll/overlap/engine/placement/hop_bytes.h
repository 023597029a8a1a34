// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// The cost of moving the bytes of a domain to its aggregator: for each message its bytes times its distance.
#ifndef OVERLAP_ENGINE_PLACEMENT_HOP_BYTES_H
#define OVERLAP_ENGINE_PLACEMENT_HOP_BYTES_H

#include "communication_matrix.h"

#include <vector>

namespace overlap {

/// Hop-bytes of the shuffle with these aggregators, one for each domain.
double HopBytes(const CommunicationMatrix &matrix, const Topology &topology, const std::vector<Rank> &aggregators);

/// The work W = D C of Liu, Zhou and Guo (Topology-aware strategy for MPI-IO operations in clusters, section 4.3) for the
/// candidates alone: row-major, a row of `candidates.size()` hop-bytes for each domain. Time: domains x (nodes with bytes) x
/// nodes, and for ranks of one node (ranks with bytes) x (candidates of the node). Memory beside the result: a row of hops,
/// and what each node has in each domain.
std::vector<double> HopBytesOfCandidates(const CommunicationMatrix &matrix, const Topology &topology,
                                         const std::vector<Rank> &candidates);

/// The same shape with the distances of Liu et al.'s LATP: 0 for the rank itself, 1 for all others. What is left is the
/// bytes that are not the candidate's own.
std::vector<double> ForeignBytesOfCandidates(const CommunicationMatrix &matrix, const std::vector<Rank> &candidates);

} // namespace overlap

#endif
