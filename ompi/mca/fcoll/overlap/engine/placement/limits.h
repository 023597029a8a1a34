// Who may aggregate, and how much.
#ifndef OVERLAP_ENGINE_PLACEMENT_LIMITS_H
#define OVERLAP_ENGINE_PLACEMENT_LIMITS_H

#include "../types.h"

#include <vector>

namespace overlap {

struct PlacementLimits {
    int aggregators_per_node = 0; // 0: as many as the node has ranks
    std::vector<int> of_node;     // aggregators of each node at most, 0: none; empty where nodes do not differ
    int domains_per_rank = 1;     // at least 1
    std::vector<char> allowed;    // of each rank, 0 or 1; empty: all may
    int candidates_per_node = 4;  // that a strategy with an assignment looks at, more where the domains need more; 0: all

    bool Allows(Rank rank) const { return allowed.empty() || allowed[static_cast<std::size_t>(rank)] != 0; }
};

struct PlacementProblem;

/// Ranks that may aggregate, by node. Not yet cut to the number of aggregators of a node. Takes 8 bytes a rank at most.
struct AllowedRanks {
    /// Throws std::bad_alloc.
    explicit AllowedRanks(const PlacementProblem &problem);

    std::size_t nodes() const { return begin.size() - 1; }
    std::size_t CountOf(std::size_t node) const { return static_cast<std::size_t>(begin[node + 1] - begin[node]); }
    /// Of a node, ascending.
    const Rank *Of(std::size_t node) const { return ranks.data() + begin[node]; }

    std::vector<Rank> ranks; // node by node
    std::vector<int> begin;  // of each node in ranks, and their end
};

/// How many aggregators a node with so many allowed ranks may have.
int AggregatorsOfNode(const PlacementLimits &limits, std::size_t node, std::size_t allowed_ranks);

/// How many domains the limits leave room for. At least 1 where any rank is allowed.
int Capacity(const PlacementProblem &problem);

/// The number of domains that are worth it, where no strategy knows better: what the user asked for, else an aggregator for
/// each node, as far as the limits have the room.
int UsualDomainLimit(const PlacementProblem &problem);

/// Keeps account of what aggregators have got.
class LimitAccount {
  public:
    explicit LimitAccount(const PlacementProblem &problem);

    /// Whether the rank may take another domain.
    bool HasRoom(Rank rank) const;
    void Take(Rank rank);
    /// Undoes a Take.
    void GiveBack(Rank rank);

  private:
    const PlacementProblem &problem_;
    std::vector<int> domains_;     // of each rank
    std::vector<int> aggregators_; // of each node
};

} // namespace overlap

#endif
