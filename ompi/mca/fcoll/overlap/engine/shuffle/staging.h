// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Memory of an aggregator for messages whose bytes belong to, or come from, many small places of a sub-buffer.
#ifndef OVERLAP_ENGINE_SHUFFLE_STAGING_H
#define OVERLAP_ENGINE_SHUFFLE_STAGING_H

#include "../base/kept_memory.h"
#include "../plan/plan.h"

#include <vector>

namespace overlap {

/// What transports take for so many places is far above a copy. Rooms for the longest message each. A message has one while
/// it is under way, that which was given back last: so what was touched is touched again. After a call all are free.
class Staging {
  public:
    /// For at most `most` messages under way at a time with clients that scatter, and for no more than their data in the
    /// cycles of all slots: there may be fewer rooms than messages, but at least one where any client
    /// scatters. Nothing is under way. Throws std::bad_alloc.
    ///
    /// An aggregator that receives from more clients than that holds those of its own node as well wherever their bytes are
    /// parted: shared memory of a client, through which a transport would have to take them, becomes this process' as well,
    /// of each client as much as its message. What it may copy from one place to one other does not go there. Only short
    /// messages, and only if all of it is less than a cycle: of longer ones that is little beside them.
    void Reserve(const Plan &plan, Rank self, const NodeMap &nodes, bool reads, int slots, std::size_t most);

    /// Whether messages of this client that lie in several places are held here.
    bool Holds(const Client &client) const noexcept {
        return client.scatters || (holds_parted_ && client.parted && nodes_.NodeOf(client.rank) == node_);
    }

    /// A room for a message that is held; null where there is none before one is given back.
    char *Take() noexcept;
    void GiveBack(char *room) noexcept { free_.push_back(room); }

  private:
    ByteCount Longest(const Plan &plan, Rank self) const;

    KeptMemory memory_;
    ByteCount of_room_ = 0;
    std::vector<char *> free_;
    bool holds_parted_ = false; // messages of the clients of this node that are parted
    NodeMap nodes_;
    int node_ = 0; // of this rank
};

} // namespace overlap

#endif
