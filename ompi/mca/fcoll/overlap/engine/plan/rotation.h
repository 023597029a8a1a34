// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// With whom aggregators and their clients begin in a cycle, and with which part of its data a domain.
#ifndef OVERLAP_ENGINE_PLAN_ROTATION_H
#define OVERLAP_ENGINE_PLAN_ROTATION_H

#include "../base/node_map.h"
#include "../base/types.h"

#include <cstddef>
#include <vector>

namespace overlap {

struct OwnedDomain;

/// If all aggregators began with rank 0 and all ranks with the first aggregator, one node would send to all of them, or all
/// nodes to one, while the other links are idle. So aggregator i of A, in the order of ranks, begins with the clients of
/// node i N / A of N and continues with those of the next node. A client begins with the aggregator that begins with its
/// node, and continues with those before that one, which come to it next.
class Rotation {
  public:
    Rotation() = default;
    /// Of this rank, `own`; `aggregators`: of domains. Throws std::bad_alloc.
    Rotation(std::vector<Rank> aggregators, const NodeMap &nodes, Rank own);

    /// Ranks that aggregate a domain or several.
    std::size_t aggregators() const noexcept { return aggregators_.size(); }

    /// As an aggregator: clients from this rank on come first, then those before it. 0 where it is none.
    Rank FirstClient() const noexcept { return first_client_; }

    /// As a client: which in its order an aggregator is, from 0 to nodes - 1; several may have the same. Needs: it is one.
    int PlaceOf(Rank aggregator) const noexcept;

  private:
    int FirstNodeOf(Rank aggregator) const noexcept;

    std::vector<Rank> aggregators_; // ascending
    int nodes_ = 1;
    int own_node_ = 0;
    Rank first_client_ = 0;
};

/// The first of the parts in which the ranks of the aggregator's own node have the most bytes: where the blocks of a file go
/// round the nodes, every domain would else begin with the blocks of the same node, which would send to all aggregators at
/// once. Of a domain with very many parts a sample is looked at. Needs: the domain begins with its first part.
Cycle FirstPart(const OwnedDomain &domain, const NodeMap &nodes, Rank aggregator);

} // namespace overlap

#endif
