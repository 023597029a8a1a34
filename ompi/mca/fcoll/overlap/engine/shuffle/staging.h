// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Memory of an aggregator for messages whose bytes belong to, or come from, many small places of a sub-buffer.
#ifndef OVERLAP_ENGINE_SHUFFLE_STAGING_H
#define OVERLAP_ENGINE_SHUFFLE_STAGING_H

#include "../base/settings.h"
#include "../plan/plan.h"

#include <array>
#include <memory>
#include <vector>

namespace overlap {

/// What transports take for so many places is far above a copy. Lives with the file, so that its pages are
/// touched once.
///
/// Of messages that are copied as they arrive it is *frames*, one for each that may be under way, where those are less than
/// the data of a cycle. The one that was given back last is taken first, so that what is touched, and in the cache, is what
/// was under way.
///
/// Else a slot whose messages are under way has room for those of a cycle, as many as scatter; the next one takes over the
/// room that it leaves, so that no more is touched than there are shuffles under way.
class Staging {
  public:
    /// Both: throw std::bad_alloc. No message to here is under way.
    void ReserveCycles(const Plan &plan, Rank self, int slots);

    /// For at most `most` messages under way, as frames where that is less.
    ///
    /// An aggregator with more clients than that receives those of its own node into frames as well wherever their bytes
    /// are parted: shared memory of a client, through which a transport would have to take them, becomes this process' as
    /// well, of each client as much as its message. What it may copy from one place to one other does not go there. Only
    /// short messages: of longer ones that is little beside them.
    void ReserveFrames(const Plan &plan, Rank self, const NodeMap &nodes, int slots, std::size_t most);

    /// Whether messages of this client that lie in several places are received here.
    bool Holds(const Client &client) const noexcept { return Holds(client, stages_parted_); }

    /// All frames are free: none of an earlier call is under way.
    void BeginFrames() noexcept { free_.assign(frames_.begin(), frames_.end()); }

    /// What arrived there has been copied to where it belongs.
    void GiveBack(char *frame) noexcept {
        if (!frames_.empty()) {
            free_.push_back(frame);
        }
    }

    /// What arrived in the slot has been copied to where it belongs, or there was nothing.
    void Leave(Slot slot) noexcept;

    /// Whether Take may be called for so many bytes more. Not of frames.
    bool HasRoom(Slot slot, ByteCount bytes) const noexcept;

    /// Room for `bytes`: a frame, or what is behind that taken since the slot left. Needs: it is of a client that is held
    /// here, and of one cycle; less than `most` frames are taken.
    char *Take(Slot slot, ByteCount bytes) noexcept;

  private:
    void Allocate(ByteCount bytes);
    bool Holds(const Client &client, bool stages_parted) const noexcept {
        return client.scatters || (stages_parted && client.parted && nodes_.NodeOf(client.rank) == node_);
    }
    ByteCount Longest(const Plan &plan, Rank self, bool stages_parted) const; // message that is held, of any cycle

    std::unique_ptr<char[]> memory_;
    ByteCount capacity_ = 0; // of memory_
    ByteCount of_slot_ = 0;
    struct Room {
        Slot slot = -1; // whose it is, -1: nobody's
        ByteCount used = 0;
    };
    std::array<Room, OVERLAP_SLOTS_MAX> rooms_; // one after the other in memory_
    std::vector<char *> frames_;                // empty where there are rooms
    std::vector<char *> free_;                  // of frames_
    bool stages_parted_ = false;                // also holds messages of the clients of this node that are parted
    NodeMap nodes_;
    int node_ = 0; // of this rank
};

} // namespace overlap

#endif
