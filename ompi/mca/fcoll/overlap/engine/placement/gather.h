// Gathers what ranks tell of themselves in two steps: to the lowest rank of each node, its leader, and from there to rank 0.
#ifndef OVERLAP_ENGINE_PLACEMENT_GATHER_H
#define OVERLAP_ENGINE_PLACEMENT_GATHER_H

#include "../team/messages.h"

#include <functional>

namespace overlap {

/// The nodes of a transport and their leaders.
struct Leaders {
    explicit Leaders(const overlap_transport &transport);

    int nodes() const { return static_cast<int>(leader_of_node.size()); }
    bool IsLeader(Rank rank) const { return leader_of_node[static_cast<std::size_t>(node_of_rank[rank])] == rank; }

    const int *node_of_rank;
    std::vector<Rank> leader_of_node;
    int own_node;
    int ranks_of_own_node = 0;
};

using Words = std::vector<std::int64_t>;

/// Called with what a rank told, in any order of ranks.
using Listener = std::function<void(Rank rank, const std::int64_t *words, std::size_t count)>;

/// Collective over the ranks of each node. `own` of each rank of a node reaches the listener of its leader, the leader's own
/// included; `status` becomes the most severe there, and after an error nobody is heard any more. Ranks - nodes messages,
/// each in two parts where it is long.
Status GatherOnLeaders(const overlap_transport &transport, const Leaders &leaders, const Words &own, Status status,
                       const Listener &listener);

/// Collective. As above, and rank 0 hears all ranks. Ranks - 1 messages, nodes - 1 of them between nodes.
Status GatherOnRankZero(const overlap_transport &transport, const Leaders &leaders, const Words &own, Status status,
                        const Listener &listener);

/// A message of any length and its sender's status, to a receiver that does not know who sends next. `words` must stay until
/// the messages are complete; `head` is the room for the first part.
Status SendWords(Messages &messages, Rank peer, Tag tag, Tag rest, const Words &words, Status status, Words &head);

/// Returns the sender's status, or what went wrong here.
Status ReceiveWords(const overlap_transport &transport, Tag tag, Tag rest, Words &words, Rank &source);

} // namespace overlap

#endif
