// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// The messages of an aggregator with its clients, one after the other.
#ifndef OVERLAP_ENGINE_SHUFFLE_CLIENT_SEQUENCE_H
#define OVERLAP_ENGINE_SHUFFLE_CLIENT_SEQUENCE_H

#include "incoming.h"

#include <vector>

namespace overlap {

/// The bytes of a client in a cycle of the owned domain of index `owned`.
struct ClientMessage {
    std::size_t owned = 0;
    Cycle cycle = 0;
    Slot slot = 0;
    ClientPart part;
};

/// In the order in which an aggregator starts them: cycle by cycle, of each domain by domain, of each client by client, from
/// the rank `first` on and then those before it. Two of one client are so in the order of their cycles and domains, as the
/// client starts them, and each meets its partner however many cycles are under way. This rank's own parts are among them,
/// and those that came with descriptions. Nothing is listed ahead, so that an aggregator that has not started all messages
/// of a cycle needs no memory for the others.
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
