// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// What the clients of a domain have in its cycles, one after the other.
#ifndef OVERLAP_ENGINE_SHUFFLE_CLIENTS_OF_CYCLES_H
#define OVERLAP_ENGINE_SHUFFLE_CLIENTS_OF_CYCLES_H

#include "../plan/plan.h"

#include <vector>

namespace overlap {

/// The bytes [first, last) of client->file: those of a cycle in the owned domain of this index.
struct ClientMessage {
    std::size_t owned = 0;
    Cycle cycle = 0;
    Slot slot = 0;
    const Client *client = nullptr;
    ByteCount first = 0;
    ByteCount last = 0;
    Cycle before = -1; // the last one in which the client had data of the domain; -1: none

    ByteCount bytes() const noexcept { return last - first; }
};

/// The clients of a domain that have data in its cycles, found cycle after cycle: the time of a cycle grows with the clients
/// whose data begins before it and ends behind it, not with all of them.
class ClientsOfCycles {
  public:
    /// Throws std::bad_alloc.
    explicit ClientsOfCycles(const OwnedDomain &domain);

    /// Continues with `cycle`. Cycles come in ascending order, each once. Needs: the domain has the cycle.
    void Begin(Cycle cycle, Rank first) noexcept;

    /// Sets the client of `message`, its bytes and the cycle before to those of the next client in the cycle, in the order
    /// of ranks from `first` on and then of those before it; false where there is none.
    bool Next(ClientMessage &message) noexcept;

  private:
    struct Span {
        const Client *client;
        Cycle first; // parts in which the client has data lie in [first, last]
        Cycle last;
        Cycle before = -1; // as in ClientMessage
    };

    const OwnedDomain &domain_;
    std::vector<Span> spans_;    // by their first part
    std::size_t next_ = 0;       // of spans_, to become active
    std::vector<Span *> active_; // ascending ranks
    Cycle cycle_ = -1;
    Cycle part_ = -1;           // of the cycle
    std::size_t first_ = 0;     // of active_, in the cycle
    std::size_t looked_at_ = 0; // of active_, from that on and then from the beginning
};

} // namespace overlap

#endif
