// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// What an aggregator does for the clients of its domains: finds who has data in a cycle and where it goes, copies its own.
#ifndef OVERLAP_ENGINE_SHUFFLE_INCOMING_H
#define OVERLAP_ENGINE_SHUFFLE_INCOMING_H

#include "pieces.h"
#include "shuffle.h"

namespace overlap {

/// The bytes of a client in a cycle of its domain: [first, last) of the positions in client->file.
struct ClientPart {
    const Client *client = nullptr;
    ByteCount first = 0;
    ByteCount last = 0;
    Cycle before = -1; // in which the client had data the last time; -1: none

    ByteCount bytes() const noexcept { return last - first; }
};

/// The clients of a domain that have data in its cycles, found cycle after cycle: the time of a cycle grows with the clients
/// whose data begins before it and ends behind it, not with all of them.
class ClientsOfCycles {
  public:
    /// Throws std::bad_alloc.
    explicit ClientsOfCycles(const OwnedDomain &domain);

    /// Goes on to `cycle`. Cycles come in ascending order, each once. Needs: the domain has the cycle.
    void Begin(Cycle cycle, Rank first = 0) noexcept;

    /// The part of the next client in the cycle, in the order of ranks from `first` on and then of those before it; false
    /// where there is none.
    bool Next(ClientPart &part) noexcept;

    /// Both: calls visit(part) with each of them.
    template <typename Visit> void ForEach(Cycle cycle, Visit visit) noexcept {
        Begin(cycle);
        for (ClientPart part; Next(part);) {
            visit(part);
        }
    }

  private:
    struct Span {
        const Client *client;
        Cycle first; // parts in which the client has data lie in [first, last]
        Cycle last;
    };

    const OwnedDomain &domain_;
    std::vector<Span> spans_;            // by their first part
    std::size_t next_ = 0;               // of spans_, to become active
    std::vector<const Client *> active_; // ascending ranks
    std::vector<Cycle> last_;            // of those, the last part
    std::vector<Cycle> before_;          // of each client of the domain
    Cycle cycle_ = -1;
    Cycle part_ = -1;           // of the cycle
    std::size_t first_ = 0;     // of active_, in the cycle
    std::size_t looked_at_ = 0; // of active_, from that on and then from the beginning
};

/// Leaves in `pieces` where the bytes [first, last) of `client` go in `cycle` of the owned domain of this index.
void PiecesOfClient(const ShuffleJob &job, std::size_t owned, const Client &client, ByteCount first, ByteCount last,
                    Cycle cycle, Slot slot, Pieces &pieces);

/// Copies the bytes that a rank sends to itself, in cycles that PackMemory has begun. Fails where a device's copies do.
class OwnShares {
  public:
    /// Throws std::bad_alloc.
    explicit OwnShares(const ShuffleJob &job);

    /// Of all owned domains.
    Status Copy(Cycle cycle, Slot slot) noexcept;

    /// Of one.
    Status CopyTo(std::size_t owned, Cycle cycle, Slot slot) noexcept;

    /// Of all, from the sub-buffers to this rank's memory, or to where copies to a device have started.
    Status CopyBack(Cycle cycle, Slot slot) noexcept;

  private:
    struct Own {
        const Share *share; // null where this rank has none in the domain
        const Client *client;
    };

    Status CopyOne(std::size_t owned, Cycle cycle, Slot slot, overlap_direction direction) noexcept;
    Status CopyOnDevice(const Share &share, const OwnedDomain &domain, Cycle cycle, Slot slot, char *buffer,
                        overlap_direction direction) noexcept;

    const ShuffleJob &job_;
    std::vector<Own> own_; // of each owned domain
    Pieces in_memory_;
    Pieces in_buffer_;
};

} // namespace overlap

#endif
