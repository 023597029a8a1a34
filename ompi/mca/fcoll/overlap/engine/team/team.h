// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// The ranks of a file as one: the only part of the engine that agrees with others, and that hears them without knowing how
// much they have to say.
#ifndef OVERLAP_ENGINE_TEAM_TEAM_H
#define OVERLAP_ENGINE_TEAM_TEAM_H

#include "../base/node_map.h"
#include "unsized_message.h"

#include <array>
#include <memory>

namespace overlap {

/// Nothing here allocates but where it says so, so that a rank that lacks memory for everything else still takes part.
class Team {
  public:
    /// Throws std::bad_alloc.
    explicit Team(const overlap_transport &transport);

    Rank rank() const { return transport_.rank; }
    int size() const { return transport_.size; }
    const NodeMap &node_map() const { return node_map_; }
    int nodes() const { return node_map_.nodes(); }

    /// For messages to ranks that are known, windows, and progress; its collectives are not called but here.
    const overlap_transport &transport() const { return transport_; }

    /// Collective: the most severe status of all ranks.
    Status Agree(Status local) const noexcept;

    /// Collective, for Agreement: the most severe status, and of `count` words, of which the last is room for the status,
    /// the largest, in place, unless the transport failed.
    Status AgreeInPlace(std::int64_t *words, std::size_t count, Status local) const noexcept;

    /// Collective: the sums over all ranks, in place.
    Status Sum(std::int64_t *values, std::size_t count) const noexcept;

    /// Collective: `bytes` bytes of rank 0 to all ranks.
    Status Broadcast(void *data, std::size_t bytes) const noexcept;

    /// Collective: words of rank 0 to all ranks, whatever their number; `local` is the status of rank 0, of other ranks
    /// what keeps them from following. All ranks return the same error, and the words only where there is none.
    Status Broadcast(Words &words, Status local) const noexcept;

    /// A message to one rank, which hears it (Hear) while this one waits.
    Status Tell(Rank peer, Tag tag, UnsizedMessage &message) const noexcept;

    /// The next message with this tag from any rank; blocks. Returns the sender's status, or what went wrong here; the words
    /// are empty then, the message is taken in any case, and `source` is who sent it.
    Status Hear(Tag tag, Words &words, Rank &source) const noexcept;

  private:
    Status Reduce(std::int64_t *values, std::size_t count, overlap_reduction reduction) const noexcept;
    Status HearRest(Rank peer, Tag tag, std::size_t received, Words &words) const noexcept;

    const overlap_transport transport_;
    const NodeMap node_map_;
    // Room for any part of a message, and for the values of a reduction; only what is used becomes resident.
    std::unique_ptr<std::int64_t[]> part_;
};

} // namespace overlap

#endif
