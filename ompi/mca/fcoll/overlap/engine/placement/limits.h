// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Who may aggregate, and how much.
#ifndef OVERLAP_ENGINE_PLACEMENT_LIMITS_H
#define OVERLAP_ENGINE_PLACEMENT_LIMITS_H

#include "../base/types.h"
#include "rank_set.h"

#include <memory>
#include <vector>

namespace overlap {

struct PlacementLimits {
    int aggregators_per_node = 0;        // 0: as many as the node has ranks
    std::vector<int> of_node;            // aggregators of each node at most, 0: none; empty where nodes do not differ
    int domains_per_rank = 1;            // at least 1
    std::shared_ptr<const RankSet> only; // who may; null: all
    int candidates_per_node = 4; // that a strategy with an assignment looks at, more where the domains need more; 0: all

    bool Allows(Rank rank) const { return only == nullptr || only->Has(rank); }
};

struct PlacementProblem;

/// A view of the ranks of a problem that may aggregate, by node. Not yet cut to the number of aggregators of a node.
class AllowedRanks {
  public:
    explicit AllowedRanks(const PlacementProblem &problem);

    std::size_t nodes() const { return static_cast<std::size_t>(all_.nodes()); }
    std::size_t CountOf(std::size_t node) const;
    /// Number `i` of those of a node, ascending from 0.
    Rank RankOf(std::size_t node, std::size_t i) const;
    /// The lowest of those whose nodes may have aggregators; -1 where there is none. O(nodes).
    Rank Lowest() const;

  private:
    const NodeMap &all_;
    const PlacementLimits &limits_;
};

/// How many aggregators a node with so many allowed ranks may have.
int AggregatorsOfNode(const PlacementLimits &limits, std::size_t node, std::size_t allowed_ranks);

/// The same of each node of the problem. Throws std::bad_alloc.
std::vector<int> AggregatorsOfNodes(const PlacementProblem &problem);

/// How many domains the limits leave room for. At least 1 where any rank is allowed.
int Capacity(const PlacementProblem &problem);

/// Keeps account of what aggregators have got. Takes 8 bytes for each of them and 4 for each node.
class LimitAccount {
  public:
    /// Of at most `most` aggregators at a time. `problem` has to outlive it. Throws std::bad_alloc, but nowhere else.
    LimitAccount(const PlacementProblem &problem, std::size_t most);

    /// Whether the rank may take another domain.
    bool HasRoom(Rank rank) const;
    void Take(Rank rank);
    /// Undoes a Take.
    void GiveBack(Rank rank);

  private:
    struct Taken {
        Rank rank;
        int domains; // at least 1
    };

    std::size_t Find(Rank rank) const;
    int DomainsOf(Rank rank) const;

    const PlacementProblem &problem_;
    std::vector<Taken> taken_;     // ascending ranks
    std::vector<int> aggregators_; // of each node
};

} // namespace overlap

#endif
