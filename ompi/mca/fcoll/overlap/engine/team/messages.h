// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Messages under way, completed at the latest when their owner goes.
#ifndef OVERLAP_ENGINE_TEAM_MESSAGES_H
#define OVERLAP_ENGINE_TEAM_MESSAGES_H

#include "../base/status.h"
#include "../base/types.h"
#include "../ports.h"

#include <vector>

namespace overlap {

/// One tag for each kind of message; messages of a kind between two ranks arrive in the order in which they were sent. A
/// message of words takes its tag and the next one, for its rest.
enum Tag {
    kTagShare = 0,
    kTagShareRest,
    kTagCuts,
    kTagCutsRest,
    kTagRow, // of the communication matrix, and what else is gathered
    kTagRowRest,
    kTagData,
    kTagCall,    // for data
    kTagArrived, // data
    kTagFree,    // is a sub-buffer
    kTagOnFile,
    kTagOnFileRest,
    kTagClock,
    kTagTrace, // of a timeline
    kTagTraceRest,
    kTagNode, // an access, for the leader of its node
    kTagNodeRest,
    kTagMerged, // or not, for the others
    kTagMergedRest,
    kTagMergedDone
};

/// Of a send, which only reads it, or of a receive.
inline overlap_piece PieceOfWords(const std::int64_t *words, std::size_t count) {
    char *const address = const_cast<char *>(reinterpret_cast<const char *>(words));
    return overlap_piece{address, count * sizeof(*words), 0, 1};
}

/// Starts and completes without allocating: room for what is under way is taken beforehand.
class Messages {
  public:
    explicit Messages(const overlap_transport &transport) : transport_(&transport) {}
    ~Messages();
    Messages(const Messages &) = delete;
    Messages &operator=(const Messages &) = delete;
    Messages(Messages &&other) noexcept;
    Messages &operator=(Messages &&) = delete;

    /// Room for so many between two Waits. Throws std::bad_alloc.
    void Reserve(std::size_t messages) { requests_.reserve(messages); }

    /// Starts a message, whatever is returned (ports.h). The pieces may be reused at once, the bytes they name only after
    /// Wait. Needs: room.
    Status Send(Rank peer, Tag tag, const overlap_piece *pieces, std::size_t count,
                overlap_send_mode mode = OVERLAP_SEND_STANDARD) noexcept;
    Status Receive(Rank peer, Tag tag, const overlap_piece *pieces, std::size_t count) noexcept;

    Status Receive(Rank peer, Tag tag, const std::vector<overlap_piece> &pieces) noexcept {
        return Receive(peer, tag, pieces.data(), pieces.size());
    }

    /// The same for words, which must stay until Wait.
    Status Send(Rank peer, Tag tag, const std::int64_t *words, std::size_t count) noexcept;
    Status Receive(Rank peer, Tag tag, std::int64_t *words, std::size_t count) noexcept;

    /// Completes all of them.
    Status Wait() noexcept;

    /// Whether all of them are complete; they are forgotten then.
    Status Test(bool &done) noexcept;

  private:
    overlap_request **Next() noexcept;

    const overlap_transport *transport_;
    std::vector<overlap_request *> requests_;
    Status tested_; // what Test met before all were complete
};

} // namespace overlap

#endif
