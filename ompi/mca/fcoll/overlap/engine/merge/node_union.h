// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// What ranks of a node tell its leader before a call, what it answers, and their accesses as one.
#ifndef OVERLAP_ENGINE_MERGE_NODE_UNION_H
#define OVERLAP_ENGINE_MERGE_NODE_UNION_H

#include "../access/strided.h"
#include "../team/messages.h"
#include "node_memory.h"

#include <vector>

namespace overlap {

/// From a rank to the leader.
struct Description {
    enum Kind : std::int64_t {
        kRefuses = 0, // the rank transfers its bytes itself
        kRepeats,     // it has its access of the last call, `distance` further on
        kAnew         // it has `file`
    };

    Kind kind = kRefuses;
    std::int64_t distance = 0; // 0 where it has no bytes
    StridedList file;

    /// Throws std::bad_alloc.
    UnsizedMessage Message() const;
    /// Throws std::invalid_argument where the words are no such message's, std::bad_alloc.
    static Description Of(const Words &words);
};

/// From the leader to a rank.
struct Verdict {
    enum Kind : std::int64_t {
        kApart = 0, // each rank transfers its own bytes; a message without words says it, so it takes no memory
        kAsBefore,  // the ranks are merged, and their bytes go where they went in the last call
        kMerged     // they are merged as the following says
    };

    Kind kind = kApart;
    ByteCount join = 0;      // bytes of the memory where it is new, else 0
    NodeMemory::Name name{}; // of it
    StridedList positions;   // of the rank's bytes in it

    UnsizedMessage Message() const;
    static Verdict Of(const Words &words);
};

/// Is kept by the leader.
class NodeUnion {
  public:
    /// Ranks, known by their index, are merged where two or more have data. Throws std::bad_alloc.
    NodeUnion(overlap_direction direction, std::size_t ranks) : direction_(direction), ranks_(ranks) {}

    /// What a rank says of the call. A rank may repeat only after a call that was merged.
    void Take(std::size_t rank, Description &&said) noexcept;

    /// What becomes of the call, when all ranks have said something. Throws std::bad_alloc, after which Forget has to
    /// follow.
    Verdict::Kind Decide();

    /// The ranks are not merged in this call.
    void Forget() noexcept { file_ = StridedList(); }

    /// All bytes of a merged call, ascending.
    const StridedList &file() const noexcept { return file_; }

    /// Where a rank's bytes stand among them. Throws std::bad_alloc.
    StridedList PositionsOf(std::size_t rank) const;

    /// How many of a rank's bytes are among the bytes [from, to) of all.
    ByteCount BytesWithin(std::size_t rank, ByteCount from, ByteCount to) const noexcept;

  private:
    Verdict::Kind Form();

    const overlap_direction direction_;
    std::vector<Description> ranks_; // with the file of this call, also of those that repeat
    StridedList file_;               // of the last call until Decide; empty: it was not merged
};

} // namespace overlap

#endif
