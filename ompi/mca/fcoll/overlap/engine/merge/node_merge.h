// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Before a call the ranks of a node hand their bytes to the lowest of them, the leader, through memory that they share, and
// it takes part for all of them. After the call they take the bytes that were read, and learn how many were transferred.
#ifndef OVERLAP_ENGINE_MERGE_NODE_MERGE_H
#define OVERLAP_ENGINE_MERGE_NODE_MERGE_H

#include "../access/access.h"
#include "../base/settings.h"
#include "../shuffle/copy.h"
#include "../team/team.h"
#include "node_union.h"

#include <optional>

namespace overlap {

/// Of the calls of a kind, where the user asks for it. Each node decides for itself; the others see ranks with other
/// accesses, or with none. The agreements of the call also say that the bytes are in the shared memory.
///
///     Begin; the ranks agree, also on its status; Agreed; the transfer; Unpack
///
/// After a call that fails before its transfer ranks are not merged any more. Writes are merged only where no rank of
/// another node lies between those of a node: where several write a byte, aggregators keep that of the highest rank, and see
/// the leader in the place of its node.
class NodeMerge {
  public:
    /// `team` outlives it. Throws std::bad_alloc.
    NodeMerge(overlap_direction direction, const Team &team, const overlap_settings &settings);

    /// Whether ranks may be merged in this call, of any node: the same on all ranks.
    bool possible() const noexcept { return possible_; }

    /// With the others of the node. `access` becomes what this rank transfers: the bytes of all ranks, none, or what it was.
    /// `local`: why this rank cannot transfer anything; it takes part all the same. Returns what it lacks.
    Status Begin(Access &access, Status local) noexcept;

    /// All ranks have come through Begin, and agreed on this. Returns whether merging ends with it.
    bool Agreed(Status status) noexcept;

    /// Whether this rank's bytes are merged with those of others in this call, and those bytes.
    bool merged() const noexcept { return merged_; }
    std::size_t ranks() const noexcept { return ranks_.size(); }
    const StridedList &own() const noexcept { return own_.file; }

    /// How many of these lie before the end of the file.
    ByteCount BytesBefore(FileOffset end) const noexcept;

    /// Of a read: what was read, as far as the file goes, is where this rank wants it.
    void Unpack(FileOffset end) noexcept;

    /// Of a read only the first `done` bytes that this rank reads for its node have come: zeros replace the others.
    void Blank(ByteCount done) noexcept;

    /// [from, to) of the access of this rank, which transfers for its node, are done.
    void CountDone(ByteCount from, ByteCount to) noexcept;

    /// With the others of the node, where they are merged and not all was done: `done` becomes how many of this rank's
    /// bytes were.
    Status TellDone(ByteCount &done) noexcept;

  private:
    bool leads() const noexcept { return ranks_.front() == team_.rank(); }
    NodeMessage Describe(const Access &access, Status local, bool may_repeat) const;
    Status Follow(Access &access, UnsizedMessage &message) noexcept;
    Status Lead(Access &access, NodeMessage &&own) noexcept;
    void Hear() noexcept;
    bool Decide(Access &merged);
    bool Reserve(ByteCount bytes, NodeMessage &answer) noexcept;
    void HandOver(Access &access, Access &&merged) noexcept;

    const overlap_direction direction_;
    const Team &team_;
    bool possible_;
    std::vector<Rank> ranks_; // of the node, ascending: the first one leads
    NodeMemory memory_;
    Packing packing_; // of this rank's bytes in memory_
    bool merged_ = false;
    Access own_; // of the call, where it is merged
    Messages messages_;
    Words words_;
    // Of the leader.
    std::optional<NodeUnion> union_;
    ByteCount most_; // bytes of a call that memory is asked for
    // For each rank.
    std::vector<UnsizedMessage> answers_;
    std::vector<ByteCount> done_;
};

} // namespace overlap

#endif
