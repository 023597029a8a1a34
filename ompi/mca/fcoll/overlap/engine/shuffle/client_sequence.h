// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// What the clients of an aggregator have in its cycles, one after the other.
#ifndef OVERLAP_ENGINE_SHUFFLE_CLIENT_SEQUENCE_H
#define OVERLAP_ENGINE_SHUFFLE_CLIENT_SEQUENCE_H

#include "shuffle.h"

#include <vector>

namespace overlap {

/// The bytes [first, last) of the positions in client->file, which are those of a cycle in the owned domain of index
/// `owned`.
struct ClientMessage {
    std::size_t owned = 0;
    Cycle cycle = 0;
    Slot slot = 0;
    const Client *client = nullptr;
    ByteCount first = 0;
    ByteCount last = 0;
    Cycle before = -1; // in which the client had data of the domain the last time; -1: none

    ByteCount bytes() const noexcept { return last - first; }
};

/// The clients of a domain that have data in its cycles, found cycle after cycle: the time of a cycle grows with the clients
/// whose data begins before it and ends behind it, not with all of them.
class ClientsOfCycles {
  public:
    /// Throws std::bad_alloc.
    explicit ClientsOfCycles(const OwnedDomain &domain);

    /// Goes on to `cycle`. Cycles come in ascending order, each once. Needs: the domain has the cycle.
    void Begin(Cycle cycle, Rank first) noexcept;

    /// Sets the client of `message`, its bytes and the cycle before to those of the next client in the cycle, in the order
    /// of ranks from `first` on and then of those before it; false where there is none.
    bool Next(ClientMessage &message) noexcept;

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

/// The messages of an aggregator with its clients in the order in which it starts them: cycle by cycle, of each domain by
/// domain, of each client by client, from the rank `first` on and then those before it. A client starts its own in the order
/// of cycles and domains too, so each meets its partner however many cycles are under way. This rank's own parts are among
/// them, and those that came with descriptions. Nothing is listed ahead, so messages that have not started take no memory.
class ClientSequence {
  public:
    /// Throws std::bad_alloc.
    ClientSequence(const ShuffleJob &job, Rank first);

    /// From now on the messages of `cycle` are there as well. Cycles come in their order.
    void StartCycle(Cycle cycle) noexcept { started_ = cycle + 1; }

    /// The next message of the cycles that have started; null where there is none. Stands until Pop.
    const ClientMessage *Next() noexcept;
    void Pop() noexcept { there_ = false; }

    /// Whether the last Next was behind the messages of `cycle`.
    bool Past(Cycle cycle) const noexcept { return cycle_ > cycle; }

  private:
    void GoOn() noexcept;

    const ShuffleJob &job_;
    const Rank first_;
    std::vector<ClientsOfCycles> clients_; // of each owned domain
    Cycle started_ = 0;                    // cycles
    Cycle cycle_ = 0;
    std::size_t owned_ = 0; // the domain of the cycle
    bool begun_ = false;    // that domain is
    bool there_ = false;    // message_ is
    ClientMessage message_;
};

} // namespace overlap

#endif
