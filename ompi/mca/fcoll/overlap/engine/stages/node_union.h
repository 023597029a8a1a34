// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// The accesses of the ranks of a node as one, as their leader works them out.
#ifndef OVERLAP_ENGINE_STAGES_NODE_UNION_H
#define OVERLAP_ENGINE_STAGES_NODE_UNION_H

#include "node_messages.h"

#include <vector>

namespace overlap {

class NodeUnion {
  public:
    /// Of so many ranks, known by their index, which are merged where two or more have data. Throws std::bad_alloc.
    NodeUnion(overlap_direction direction, std::size_t ranks);

    /// A call begins: nobody has said anything.
    void Begin() noexcept;

    /// What a rank said, and its access where it described that; what it described in earlier calls counts where it repeats
    /// it. A rank that has said nothing refuses.
    void Take(std::size_t rank, const Description &description, StridedList &&file) noexcept;

    /// What becomes of the call. kMerged: file() and the positions are new.
    /// Throws std::bad_alloc, after which Begin and Forget are all that may be called.
    Verdict::Kind Decide();

    /// Nothing that was said counts any more.
    void Forget() noexcept;

    /// After kMerged: there is no memory for it. The bytes are not merged in calls to come either that repeat this one.
    void KeepApart() noexcept { merged_ = false; }

    /// Whether the rank need not describe the same access again.
    bool Knows(std::size_t rank) const noexcept { return known_[rank].known; }

    /// After kMerged or kAsBefore: all bytes, ascending. They lie so far further on in this call.
    const StridedList &file() const noexcept { return file_; }
    std::int64_t distance() const noexcept { return distance_; }

    /// Where a rank's bytes stand among them. Throws std::bad_alloc.
    StridedList PositionsOf(std::size_t rank) const;

    /// How many of a rank's bytes are among the bytes [from, to) of all.
    ByteCount BytesWithin(std::size_t rank, ByteCount from, ByteCount to) const noexcept;

  private:
    struct Known {
        StridedList file; // as it was described
        bool known = false;
        Description::Kind said = Description::kRefuses;
        std::int64_t distance = 0; // from it, in this call
        std::int64_t formed = 0;   // when the union was made
    };

    bool RepeatsAll() noexcept;
    void Form();

    const overlap_direction direction_;
    std::vector<Known> known_;
    StridedList file_;
    std::int64_t distance_ = 0;
    bool formed_ = false; // from what is known
    bool merged_ = false; // and can be merged
};

} // namespace overlap

#endif
