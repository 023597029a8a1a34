// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Memory of an aggregator for messages whose bytes belong to, or come from, many small places of a sub-buffer.
#ifndef OVERLAP_ENGINE_SHUFFLE_STAGING_H
#define OVERLAP_ENGINE_SHUFFLE_STAGING_H

#include "../plan/plan.h"

#include <memory>
#include <vector>

namespace overlap {

/// What transports take for so many places is far above a copy. Lives with the file, so that its pages are touched once. A
/// message has its room while it is under way, the first one from the start that is free: so no more is touched than was
/// under way at a time, and what was touched last is touched again.
class Staging {
  public:
    /// Both: for at most `most` messages under way at a time. Throw std::bad_alloc. Nothing is under way.
    ///
    /// For messages of clients that scatter: as much as their data in the cycles of all slots. Clients that ask for the same
    /// bytes may have less room than messages.
    void ReserveForSends(const Plan &plan, Rank self, int slots, std::size_t most);

    /// No more than the longest message `most` times.
    ///
    /// An aggregator with more clients than that receives here those of its own node as well wherever their bytes are
    /// parted: shared memory of a client, through which a transport would have to take them, becomes this process' as well,
    /// of each client as much as its message. What it may copy from one place to one other does not go there. Only short
    /// messages, and only if all of it is less than a cycle: of longer ones that is little beside them.
    void ReserveForReceives(const Plan &plan, Rank self, const NodeMap &nodes, int slots, std::size_t most);

    /// Whether messages of this client that lie in several places are received here.
    bool Holds(const Client &client) const noexcept { return Holds(client, stages_parted_); }

    /// All is free: nothing of an earlier call is under way.
    void Clear() noexcept { taken_.clear(); }

    /// Room for `bytes` of a client that is held here; null where there is none before more is given back. Needs: less than
    /// `most` messages have room.
    char *Take(ByteCount bytes) noexcept;

    /// The message that had this room is complete.
    void GiveBack(const char *room) noexcept;

  private:
    struct Interval {
        ByteCount begin;
        ByteCount end;
    };

    void Allocate(ByteCount bytes, std::size_t most);
    bool Holds(const Client &client, bool stages_parted) const noexcept {
        return client.scatters || (stages_parted && client.parted && nodes_.NodeOf(client.rank) == node_);
    }
    ByteCount Longest(const Plan &plan, Rank self, bool stages_parted) const; // message that is held, of any cycle

    std::unique_ptr<char[]> memory_;
    ByteCount capacity_ = 0;      // of memory_
    ByteCount size_ = 0;          // of it in use
    std::vector<Interval> taken_; // ascending
    bool stages_parted_ = false;  // also holds messages of the clients of this node that are parted
    NodeMap nodes_;
    int node_ = 0; // of this rank
};

} // namespace overlap

#endif
