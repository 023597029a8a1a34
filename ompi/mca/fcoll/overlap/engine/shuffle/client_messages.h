// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// What an aggregator sends to its clients or receives from them: so many messages at a time, however many clients it has.
#ifndef OVERLAP_ENGINE_SHUFFLE_CLIENT_MESSAGES_H
#define OVERLAP_ENGINE_SHUFFLE_CLIENT_MESSAGES_H

#include "../team/messages.h"
#include "shuffle.h"

#include <vector>

namespace overlap {

/// What a client has of a cycle in the owned domain of this index.
struct ClientMessage {
    std::size_t owned = 0;
    Cycle cycle = 0;
    const Client *client = nullptr;
    Range bytes;       // of client->file
    Cycle before = -1; // the last one in which the client had data of the domain; -1: none
};

/// The messages of an aggregator with its clients: cycle by cycle, of each domain by domain, of each client by client, from
/// the rank `first` on and then those before it. A client starts its own in the order of cycles and domains too, so each
/// meets its partner however many cycles are under way. This rank's own parts are among them, and those that came with
/// descriptions. When all cycles that were started have been waited for, nothing is under way.
///
/// At most job.most are under way, and memory grows with them and not with the clients. One that finds no room starts when
/// an earlier one is complete, in that order. So of those that are not complete the first one is always under way, as
/// whatever keeps others from starting comes before it. A class for each kind of message says how one starts, and why its
/// partner comes.
class ClientMessages {
  public:
    virtual ~ClientMessages();
    ClientMessages(const ClientMessages &) = delete;
    ClientMessages &operator=(const ClientMessages &) = delete;

    /// The messages of `cycle` may start; cycles come in their order. Does not block.
    Status Start(Cycle cycle) noexcept;

    /// Takes what is complete and starts what has room then. Does not block.
    Status Progress() noexcept;

    /// Whether all messages of `cycle` have been started.
    bool Past(Cycle cycle) const noexcept { return next_.cycle > cycle; }

    /// Whether all messages of `cycle` are complete.
    bool Done(Cycle cycle) const noexcept { return Past(cycle) && Before(cycle) == Before(cycle + 1); }

    /// When Wait returns, all messages of `cycle` are complete. Test does not block: `done` becomes whether they are.
    Status Wait(Cycle cycle) noexcept;
    Status Test(Cycle cycle, bool &done) noexcept;

  protected:
    /// `most_pieces`: of a message. Throws std::bad_alloc.
    ClientMessages(const ShuffleJob &job, Rank first, std::size_t most_pieces);

    /// Does what `message`, which may be this rank's own, takes: starts it, or has its bytes otherwise. False: there is no
    /// room before an earlier one is complete.
    virtual bool Begin(const ClientMessage &message, Status &status) noexcept = 0;

    /// A message is complete or has failed. Starts none.
    virtual void Complete(const ClientMessage &message, char *memory) noexcept = 0;

    InBuffer BufferOf(const ClientMessage &message) const noexcept {
        return job_.BufferOf(message.owned, message.client->file, message.cycle);
    }

    /// Leaves in `pieces_` where the bytes of `message` lie in the sub-buffer, or a room of Staging in their place, `staged`
    /// (else null). False: there is no such room before another message gives it back.
    bool FindPieces(const ClientMessage &message, char *&staged) noexcept;

    /// Start a message of `pieces_`, whatever is returned (ports.h). Complete is called with `memory`.
    Status Send(const ClientMessage &message, Tag tag, overlap_send_mode mode, char *memory) noexcept;
    Status Receive(const ClientMessage &message, Tag tag, char *memory) noexcept;

    /// Sends a message without bytes to the client of the receive that was started last. Needs: the client takes it before
    /// it sends what is received.
    Status CallForLast(Tag tag) noexcept;

    const ShuffleJob &job_;
    Pieces pieces_;

  private:
    class OfDomain;
    struct UnderWay {
        ClientMessage message;
        char *memory;
        overlap_request *call; // complete before the message is, or nearly; null: none
    };

    bool HasMore() noexcept;
    std::size_t Before(Cycle cycle) const noexcept;
    Status StartMore() noexcept;
    Status TestBetween(std::size_t begin, std::size_t end) noexcept;
    overlap_request **PlaceFor(const ClientMessage &message, char *memory) noexcept;

    const overlap_transport &transport_;
    // What comes next. Nothing is listed ahead, so messages that have not started take no memory.
    std::vector<OfDomain> domains_;
    Cycle started_ = 0;  // cycles
    ClientMessage next_; // while it is looked for, only its cycle and its domain count
    bool there_ = false; // next_ is found, and has not been started
    // In the order in which they were started.
    std::vector<overlap_request *> requests_;
    std::vector<UnderWay> under_way_; // of each of these
};

} // namespace overlap

#endif
