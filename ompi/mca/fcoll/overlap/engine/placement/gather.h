// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Gathers what ranks know of themselves in two steps: on the lowest rank of each node, its leader, and from there on rank 0.
#ifndef OVERLAP_ENGINE_PLACEMENT_GATHER_H
#define OVERLAP_ENGINE_PLACEMENT_GATHER_H

#include "../team/team.h"

namespace overlap {

/// The nodes of a team and their leaders.
struct Leaders {
    explicit Leaders(const Team &team) noexcept
        : node_map(team.node_map()), own_node(node_map.NodeOf(team.rank())), ranks_of_own_node(node_map.CountOf(own_node)) {}

    int nodes() const { return node_map.nodes(); }
    Rank LeaderOf(int node) const { return node_map.FirstOf(node); }
    bool IsLeader(Rank rank) const { return LeaderOf(node_map.NodeOf(rank)) == rank; }

    NodeMap node_map;
    int own_node;
    int ranks_of_own_node;
};

/// A reference to a function that takes the words of a rank. It allocates nothing; the function has to outlive it.
class WordsVisitor {
  public:
    template <typename Function>
    WordsVisitor(const Function &function)
        : function_(&function), call_([](const void *self, Rank rank, const std::int64_t *words, std::size_t count) {
              (*static_cast<const Function *>(self))(rank, words, count);
          }) {}

    void operator()(Rank rank, const std::int64_t *words, std::size_t count) const { call_(function_, rank, words, count); }

  private:
    const void *function_;
    void (*call_)(const void *self, Rank rank, const std::int64_t *words, std::size_t count);
};

/// Collective over the ranks of each node. Visits the words of each rank of a node on its leader, the leader's own included,
/// in any order of ranks. `status`, that of this rank before, becomes the most severe of the node on the leader; after an
/// error nothing is visited any more. What the visitor throws is such an error. Ranks - nodes messages.
Status GatherOnLeaders(const Team &team, const Leaders &leaders, UnsizedMessage &own, Status status,
                       const WordsVisitor &visitor) noexcept;

/// Collective. Visits the words of all ranks on rank 0, whose result is the most severe of all ranks. Ranks - 1 messages,
/// nodes - 1 of them between nodes.
Status GatherOnRankZero(const Team &team, const Leaders &leaders, UnsizedMessage &own, Status status,
                        const WordsVisitor &visitor) noexcept;

} // namespace overlap

#endif
