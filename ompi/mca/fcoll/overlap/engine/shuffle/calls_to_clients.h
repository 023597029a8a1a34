// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// What an aggregator tells its clients: that a sub-buffer may be filled again.
#ifndef OVERLAP_ENGINE_SHUFFLE_CALLS_TO_CLIENTS_H
#define OVERLAP_ENGINE_SHUFFLE_CALLS_TO_CLIENTS_H

#include "clients_in_turn.h"
#include "words_under_way.h"

#include <array>

namespace overlap {

/// A word to each client that has bytes in a cycle. No more sends are under way than the job's throttle says; the next one
/// is started when an earlier one is complete, in the order of ClientsInTurn.
///
/// Nobody waits for ever: who waits for something else continues with the calls that are left meanwhile (LetGoOn), as the
/// ranks that they are for may be what it waits for. A call is complete when its client has come to the start of the cycle;
/// before that the client waits only for what other ranks do for earlier cycles.
class CallsToClients {
  public:
    /// From the cycle `first` on. Throws std::bad_alloc.
    CallsToClients(const ShuffleJob &job, Cycle first);

    /// `word` to the clients of `cycle`. Cycles come in their order. Does not block.
    Status Start(Cycle cycle, std::int64_t word) noexcept;

    /// Calls `test(done)` again and again, starting what is left, until it is done or nothing is left to be started. Returns
    /// what went wrong with the calls.
    template <typename TestIt> Status LetGoOn(TestIt test) noexcept {
        Status status;
        for (bool done = false; !done && clients_.Next() != nullptr;) {
            status.Merge(Progress());
            test(done);
        }
        return status;
    }

    /// Starts what has room since others are complete. Does not block.
    Status Progress() noexcept;

    /// After the last cycle: leaves nothing under way.
    Status Finish() noexcept;

  private:
    Status StartSends() noexcept;

    const ShuffleJob &job_;
    ClientsInTurn clients_;
    WordsUnderWay sends_;
    std::array<std::int64_t, OVERLAP_SLOTS_MAX> said_{}; // of each slot
};

} // namespace overlap

#endif
