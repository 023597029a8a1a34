// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Gathers what ranks know of themselves in two steps: on the lowest rank of each node, its leader, and from there on rank 0.
#ifndef OVERLAP_ENGINE_PLACEMENT_GATHER_H
#define OVERLAP_ENGINE_PLACEMENT_GATHER_H

#include "../team/team.h"

#include <functional>
#include <string>
#include <vector>

namespace overlap {

/// Takes the words of a rank.
using WordsVisitor = std::function<void(Rank rank, const std::int64_t *words, std::size_t count)>;

/// Collective. Visits the words of all ranks on rank 0, in any order of ranks. `status`, that of this rank before, becomes
/// the most severe of all ranks on rank 0; after an error nothing is visited any more. What the visitor throws is such an
/// error. Ranks - 1 messages, nodes - 1 of them between nodes.
Status GatherOnRankZero(const Team &team, UnsizedMessage &own, Status status, const WordsVisitor &visit) noexcept;

/// Where the ranks are, as Open MPI knows it.
struct Site {
    std::vector<std::string> host_of_node;
    std::vector<std::string> locality_of_rank; // empty where not known
};

/// Collective. Ranks - 1 messages. `site` is filled on rank 0 only.
Status GatherSite(const Team &team, Site &site) noexcept;

/// Text as words. Take moves `words` behind what it read.
void AppendText(Words &words, const std::string &text);
void AppendText(UnsizedMessage &message, const std::string &text);
std::string TakeText(const std::int64_t *&words);

} // namespace overlap

#endif
