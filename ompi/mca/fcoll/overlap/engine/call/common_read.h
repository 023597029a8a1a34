// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// A read in which all ranks that read ask for the same bytes: they are read once, and go round. Each reads a block of each
// cycle and passes on the blocks of the others, to the next rank of its node and from the last one to the next node: an
// allgather by a ring (Thakur, Rabenseifner and Gropp 2005, section 4.1). A block does not return to the node that read it,
// so a NIC sends and receives no more bytes than the read has, whatever the number of ranks.
#ifndef OVERLAP_ENGINE_CALL_COMMON_READ_H
#define OVERLAP_ENGINE_CALL_COMMON_READ_H

#include "../team/messages.h"
#include "file_state.h"

#include <array>

namespace overlap {

/// A bit for each rank that asks for bytes which are read in common.
using Readers = std::array<std::int64_t, kMostInARing / 32>;

class CommonRead {
  public:
    /// Of the bytes of `file` before `end`, the same on all readers, to the `memory` of this one; both outlive it. Takes all
    /// memory that it needs. Needs: POSIX calls reach the file. Throws std::bad_alloc.
    CommonRead(FileState &state, const Readers &readers, const StridedList &file, const StridedList &memory, bool on_device,
               FileOffset end);

    /// All readers. Returns what went wrong on this one; `done`: the bytes before the first that this rank could not read.
    Status Run(ByteCount &done) noexcept;

  private:
    struct Span { // of positions in the bytes of the read
        ByteCount from;
        ByteCount to;
        ByteCount bytes() const { return to - from; }
    };

    void FindPlaces(const Readers &readers);
    Span CycleAt(ByteCount cycle) const;
    Span BlockOf(int place, ByteCount cycle) const;
    char *AddressOf(ByteCount position, ByteCount cycle) const;
    int OriginAt(int step) const { return (place_ + places_ - step) % places_; }
    bool IsOfNode(int place, int first, int count) const { return place >= first && place < first + count; }
    bool IsOwn(int place) const { return IsOfNode(place, first_, count_); }

    void StartRead(ByteCount cycle) noexcept;
    void AwaitRead(ByteCount cycle, ByteCount &done) noexcept;
    void GoRound(ByteCount cycle) noexcept;
    void ReceiveStep(int step, ByteCount cycle) noexcept;
    void PassOn(int step, ByteCount cycle) noexcept;
    void Send(Messages &messages, Rank to, int origin, ByteCount cycle) noexcept;
    void Receive(Messages &messages, Rank from, int origin, ByteCount cycle) noexcept;
    void Unpack(ByteCount cycle) noexcept;

    static constexpr std::size_t kAtOnce = 2; // cycles whose bytes are read, steps whose messages are under way

    FileState &state_;
    const StridedList &file_;
    const StridedList &memory_;
    const bool on_device_;
    const ByteCount bytes_;
    // The ring: readers in the order of their nodes. Places are numbers in it, of this rank, its node's first and the next
    // node's.
    int places_ = 0;
    int place_ = 0;
    int first_ = 0, count_ = 0;
    int next_first_ = 0, next_count_ = 0;
    bool last_ = false;                   // of its node
    Rank before_ = 0;                     // in the ring
    Rank behind_ = 0;                     // on this node, or the first of the next node
    Rank first_rank_ = 0, last_rank_ = 0; // of this node
    ByteCount cycle_ = 0;                 // bytes of one
    bool staged_ = false;                 // memory is filled from a room of the host's, one for each of kAtOnce cycles
    StridedList all_;                     // positions, one run
    Extents extents_;
    Messages receives_[kAtOnce];
    Messages sends_[kAtOnce];
    Messages of_node_; // from its last rank to its first, which takes them at its last steps
    Status read_;      // of the file; after an error nothing more is read
    Status moved_;     // of messages and copies
};

struct CallState;

/// Behind the summary: whether the call is a read in common, and of whom. Collective where some of the ranks read the same
/// and the others nothing. All ranks return the same.
Status DecideOnCommonRead(FileState &file, CallState &call);

/// Collective; all ranks return the same error. What was read counts up to the first byte that a rank could not read.
Status ReadInCommon(FileState &file, CallState &call);

} // namespace overlap

#endif
