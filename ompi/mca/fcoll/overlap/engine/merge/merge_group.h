// Ranks of a node of which one takes part in calls for all.
#ifndef OVERLAP_ENGINE_MERGE_MERGE_GROUP_H
#define OVERLAP_ENGINE_MERGE_MERGE_GROUP_H

#include "neighbours.h"

namespace overlap {

/// That of a rank: ranks that follow each other on its node, of which the lowest leads. As the usual mappings put ranks that
/// follow each other on one socket, so are those of a group; where others are mapped nobody looks.
class MergeGroup {
  public:
    /// Of `own`, where each node has `leaders` groups, at least 1, or as many as it has ranks; they differ by one rank at
    /// most. `neighbours`, of `own`, outlive it.
    MergeGroup(const Neighbours &neighbours, Rank own, int leaders) noexcept;

    Rank leader() const noexcept { return *begin_; }
    std::size_t size() const noexcept { return static_cast<std::size_t>(end_ - begin_); }
    Rank operator[](std::size_t index) const noexcept { return begin_[index]; }

    /// Of one of its ranks.
    std::size_t IndexOf(Rank rank) const noexcept;

    /// Of the node.
    std::size_t groups() const noexcept { return groups_; }

  private:
    std::size_t groups_;
    const Rank *begin_;
    const Rank *end_;
};

} // namespace overlap

#endif
