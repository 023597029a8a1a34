// Before a call: the ranks of a group, on one node, hand their bytes to the one that leads it, through memory that they
// share, and it takes part for all of them. Behind a call: they take the bytes that were read, and learn how many were
// transferred.
#ifndef OVERLAP_ENGINE_MERGE_NODE_MERGE_H
#define OVERLAP_ENGINE_MERGE_NODE_MERGE_H

#include "../access/access.h"
#include "../plan/plan.h"
#include "../settings.h"
#include "merge_group.h"
#include "node_union.h"

#include <optional>

namespace overlap {

/// Of the calls of a direction. Each group decides for itself; the others see ranks with other accesses, or with none. No
/// messages go between groups, nor any collective operation: that a rank has stored its bytes, and that bytes to be read are
/// there, the agreements of the call tell.
///
///     Begin; the ranks agree, also on whether any `failed`; Agreed; the transfer; Unpack
///
/// Where a rank failed the call, and those that follow, are done without (GiveUp). Where it is for us to decide, calls are
/// done without until one has shown that it pays, and again where it does not (Consider).
class NodeMerge {
  public:
    /// Of a group with data, where we decide; below that its messages are few as they are.
    static constexpr std::size_t kFewestRanks = 4;

    /// `team` and `neighbours` outlive it. Throws std::bad_alloc.
    NodeMerge(overlap_direction direction, const Team &team, const Neighbours &neighbours, const overlap_settings &settings);
    NodeMerge(const NodeMerge &) = delete;
    NodeMerge &operator=(const NodeMerge &) = delete;

    /// Whether ranks may be merged in this call, of any group: the same on all ranks.
    bool possible() const noexcept { return possible_ && pays_ && !given_up_; }

    /// Whether that follows from calls: the same on all ranks.
    bool open() const noexcept { return possible_ && !always_ && !given_up_; }

    /// What a call has shown: the same on all ranks.
    struct Shown {
        ByteCount bytes = 0; // the most of a rank,
        std::int64_t pieces = 0;
        std::int64_t clients = 0; // of the aggregator that has most
        bool pays = false;        // to merge it, if its pieces are small; of a call without alone
        int leaders = 1;          // of each node, where it pays
    };
    /// Returns whether this rank's node has other groups now.
    bool Consider(const Shown &shown) noexcept;

    /// With the others of the group. `access` becomes what this rank transfers in this call: the bytes of all ranks, none,
    /// or what it was. Takes part whatever `local` is, why this rank cannot transfer anything.
    void Begin(Access &access, Status local) noexcept;

    /// This rank does not know what became of the call, or lacks something for it.
    bool failed() const noexcept { return failed_; }

    /// All ranks have come through Begin.
    void Agreed() noexcept { memory_.Seal(); }

    /// On all ranks: `access` is what it was again, if it is not this rank's still, and stays so in calls to come. Returns
    /// whether it was given back.
    bool GiveUp(Access &access) noexcept;

    /// Whether this rank's bytes are merged with those of others in this call.
    bool merged() const noexcept { return merged_; }

    /// Of this rank, whether ranks are merged or not.
    const MergeGroup &group() const noexcept { return group_; }

    /// Of this rank, where they are.
    ByteCount bytes() const noexcept { return own_.file.bytes(); }
    std::int64_t pieces() const noexcept { return own_.file.empty() ? 0 : own_.file.PiecesAtLeast(); }
    /// Those before the end of the file.
    ByteCount BytesBefore(FileOffset end) const noexcept;

    /// Of a read: what was read, as far as the file goes, is where this rank wants it.
    void Unpack(FileOffset end) noexcept;

    /// Of a read no more than the first `done` bytes that this rank reads for its group have come: what the memory held
    /// before is nobody's business.
    void Blank(ByteCount done) noexcept;

    /// Bytes of those that this rank transfers for its group are done: [from, to) of its access.
    void CountDone(ByteCount from, ByteCount to) noexcept;

    /// With the others of the group, where they are merged and not all was done: `done` becomes how many of this rank's
    /// bytes were.
    Status TellDone(ByteCount &done) noexcept;

  private:
    bool here() const noexcept { return possible_ && group_.size() >= fewest_; }
    bool leads() const noexcept { return group_.leader() == team_.rank(); }
    Description Describe(const Access &access, Status local);
    void PrepareToLead();
    bool Regroup(int leaders) noexcept;
    void Lead(Access &access, const Description &own, StridedList &&file) noexcept;
    void Refuse(Status why) noexcept;
    void Hear() noexcept;
    Verdict::Kind Decide(Access &merged) noexcept;
    bool MakeVerdicts();
    void Follow(Access &access, Letter &letter) noexcept;
    Status Join(const Verdict &verdict) noexcept;
    void HandOver(Access &access, Access &&merged) noexcept;
    void End() noexcept;

    const overlap_direction direction_;
    const Team &team_;
    const Neighbours &neighbours_;
    const int asked_; // leaders of each node, 1 where nobody said
    MergeGroup group_;
    const bool always_;        // else small pieces, where it pays
    const std::size_t fewest_; // ranks of a group with data
    const bool possible_;
    // As calls have shown.
    bool pays_;
    std::int64_t clients_ = 0; // without merging
    int large_ = 0;            // calls in a row, of pieces that are not small
    int in_vain_ = 0;          // calls that left aggregators as many clients
    bool given_up_ = false;
    std::optional<NodeUnion> union_; // of who leads, with all that it needs for that
    NodeMemory memory_;
    std::int64_t made_ = 0; // how many times who leads had made what this rank has
    ByteCount refused_ = 0; // of who leads: so much, or more, there was not; 0: it has not been asked for
    bool known_ = false;    // the leader knows
    StridedList described_;
    Share place_;       // of this rank's bytes in memory_,
    StridedList whole_; // which is one run
    bool failed_ = false;
    bool merged_ = false;
    Access own_; // of the call, where it is merged
    // Of who leads, for each rank.
    std::vector<Letter> verdicts_;
    std::vector<ByteCount> done_;
    std::array<Letter, 3> without_words_; // verdicts, by their kind
    Messages messages_;
    Words words_;
};

} // namespace overlap

#endif
