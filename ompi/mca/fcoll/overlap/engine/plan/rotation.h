// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// With whom aggregators and their clients begin in a cycle.
#ifndef OVERLAP_ENGINE_PLAN_ROTATION_H
#define OVERLAP_ENGINE_PLAN_ROTATION_H

#include "../base/node_map.h"

#include <cstddef>
#include <vector>

namespace overlap {

/// If all aggregators began with rank 0 and all ranks with the first aggregator, one node after the other would send to all
/// of them, and all nodes to one of them after the other, while the other links are idle. So aggregator i of A, in the order
/// of ranks, begins with the clients of node i N / A of N, and continues with those of the next node: no two begin with the
/// same one where there are no more of them than nodes. A client begins with the aggregator that begins with its node, and
/// continues with those that come to it next, which are those before that one.
class Rotation {
  public:
    /// Of no aggregators.
    Rotation() = default;
    /// Of this rank, `own`; `aggregators`: of domains. `nodes` is looked at only now. Throws
    /// std::bad_alloc.
    Rotation(std::vector<Rank> aggregators, const NodeMap &nodes, Rank own);

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

} // namespace overlap

#endif
