// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Before a call: the ranks of a node hand their bytes to the lowest of them, the leader, through memory that they share, and
// it takes part for all of them. Behind a call: they take the bytes that were read, and learn how many were
// transferred.
#ifndef OVERLAP_ENGINE_STAGES_NODE_MERGE_H
#define OVERLAP_ENGINE_STAGES_NODE_MERGE_H

#include "../access/access.h"
#include "../base/settings.h"
#include "../plan/plan.h"
#include "neighbours.h"
#include "node_union.h"

#include <optional>

namespace overlap {

/// Of the calls of a direction, where the user asks for it. Each node decides for itself; the others see ranks with other
/// accesses, or with none. No messages go between nodes, nor any collective operation: that a rank has stored its bytes, and
/// that bytes to be read are there, the agreements of the call tell.
///
///     Begin; the ranks agree, also on each `status`; Agreed; the transfer; Unpack
///
/// A call that a rank cannot take part in fails on all of them; those that follow are done without merging.
///
/// Writes are merged only where no rank of another node lies between those of a node: aggregators keep the bytes of the
/// highest rank where several write the same, and see the leader of a node in the place of its other ranks.
class NodeMerge {
  public:
    /// `team` and `neighbours` outlive it. Throws std::bad_alloc.
    NodeMerge(overlap_direction direction, const Team &team, const Neighbours &neighbours, const overlap_settings &settings);
    NodeMerge(const NodeMerge &) = delete;
    NodeMerge &operator=(const NodeMerge &) = delete;

    /// Whether ranks may be merged in this call, of any node: the same on all ranks.
    bool possible() const noexcept { return possible_; }

    /// With the others of the node. `access` becomes what this rank transfers in this call: the bytes of all ranks, none,
    /// or what it was. Takes part whatever `local` is, why this rank cannot transfer anything.
    void Begin(Access &access, Status local) noexcept;

    /// What this rank lacks for it, or the answer that it has not got.
    Status status() const noexcept { return status_; }

    /// All ranks have come through Begin, and agreed on this. Returns whether merging ends with it.
    bool Agreed(Status status) noexcept;

    /// Whether this rank's bytes are merged with those of others in this call.
    bool merged() const noexcept { return merged_; }

    /// Of this rank, where they are.
    ByteCount bytes() const noexcept { return own_.file.bytes(); }
    std::int64_t pieces() const noexcept { return own_.file.empty() ? 0 : own_.file.PiecesAtLeast(); }
    /// Those before the end of the file.
    ByteCount BytesBefore(FileOffset end) const noexcept;

    /// Of a read: what was read, as far as the file goes, is where this rank wants it.
    void Unpack(FileOffset end) noexcept;

    /// Of a read no more than the first `done` bytes that this rank reads for its node have come: what the memory held
    /// before is nobody's business.
    void Blank(ByteCount done) noexcept;

    /// Bytes of those that this rank transfers for its node are done: [from, to) of its access.
    void CountDone(ByteCount from, ByteCount to) noexcept;

    /// With the others of the node, where they are merged and not all was done: `done` becomes how many of this rank's
    /// bytes were.
    Status TellDone(ByteCount &done) noexcept;

  private:
    std::size_t size() const noexcept { return neighbours_.ranks.size(); }
    Rank leader() const noexcept { return neighbours_.ranks.front(); }
    bool leads() const noexcept { return leader() == team_.rank(); }
    std::size_t IndexOf(Rank rank) const noexcept;
    Description Describe(const Access &access, Status local);
    void PrepareToLead();
    void Lead(Access &access, const Description &own, StridedList &&file) noexcept;
    void Hear() noexcept;
    Verdict::Kind Decide(Access &merged) noexcept;
    bool MakeVerdicts();
    void Follow(Access &access, UnsizedMessage &message) noexcept;
    Status Join(const Verdict &verdict) noexcept;
    void HandOver(Access &access, Access &&merged) noexcept;

    const overlap_direction direction_;
    const Team &team_;
    const Neighbours &neighbours_;
    bool possible_;
    std::optional<NodeUnion> union_; // of who leads, with all that it needs for that
    NodeMemory memory_;
    std::int64_t made_ = 0; // how many times who leads had made what this rank has
    ByteCount refused_ = 0; // of who leads: so much, or more, there was not; 0: it has not been asked for
    bool known_ = false;    // the leader knows
    StridedList described_;
    Share place_;       // of this rank's bytes in memory_,
    StridedList whole_; // which is one run
    Status status_;
    bool merged_ = false;
    Access own_; // of the call, where it is merged
    // Of who leads, for each rank.
    std::vector<UnsizedMessage> verdicts_;
    std::vector<ByteCount> done_;
    std::array<UnsizedMessage, 3> without_words_; // verdicts, by their kind
    Messages messages_;
    Words words_;
};

} // namespace overlap

#endif
