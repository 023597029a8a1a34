// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// What ranks of a node and its leader tell each other before a call, and their accesses as one.
#ifndef OVERLAP_ENGINE_MERGE_NODE_UNION_H
#define OVERLAP_ENGINE_MERGE_NODE_UNION_H

#include "../access/strided.h"
#include "../team/messages.h"
#include "node_memory.h"

#include <vector>

namespace overlap {

/// A rank describes its access to the leader, and the leader answers.
struct NodeMessage {
    enum Kind : std::int64_t {
        kApart = 0, // the rank transfers its bytes itself; an answer without words says so as well, and takes no memory
        kAsBefore,  // the access of the last call, at a distance; the answer: bytes go to the places of the last call
        kAnew       // this access; the answer: where its bytes go in the memory of the node
    };

    Kind kind = kApart;
    std::int64_t number = 0; // of kAsBefore the distance (0 without bytes); of an answer the bytes of a new memory, else 0
    NodeMemory::Name name{}; // of it
    StridedList runs;        // of the file; of an answer: of the memory

    /// Throws std::bad_alloc.
    UnsizedMessage Message() const;
    /// Needs: the words of a Message. Throws std::bad_alloc.
    static NodeMessage Of(const Words &words);
};

/// Is kept by the leader.
class NodeUnion {
  public:
    /// Ranks, known by their index, are merged where two or more have data. Throws std::bad_alloc.
    NodeUnion(overlap_direction direction, std::size_t ranks) : direction_(direction), ranks_(ranks) {}

    /// What a rank says of the call. It may be as before only after a call that was merged.
    void Take(std::size_t rank, NodeMessage &&said) noexcept;

    /// What becomes of the call, when all ranks have said something. Throws std::bad_alloc, after which Forget has to
    /// follow.
    NodeMessage::Kind Decide();

    /// The ranks are not merged in this call.
    void Forget() noexcept { file_ = StridedList(); }

    /// All bytes of a merged call, ascending.
    const StridedList &file() const noexcept { return file_; }

    /// Where a rank's bytes stand among them. Throws std::bad_alloc.
    StridedList PositionsOf(std::size_t rank) const;

    /// How many of a rank's bytes are among the bytes [from, to) of all.
    ByteCount BytesWithin(std::size_t rank, ByteCount from, ByteCount to) const noexcept;

  private:
    NodeMessage::Kind Form();

    const overlap_direction direction_;
    std::vector<NodeMessage> ranks_; // with the file of this call, also of those that repeat
    StridedList file_;               // of the last call until Decide; empty: it was not merged
};

} // namespace overlap

#endif
