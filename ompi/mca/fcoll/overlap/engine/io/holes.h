// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Which gaps between the extents of a list are read: to write them back with what lies around them, or to read that in
// fewer calls. Whether that is allowed: what the user asked for, and what the ranks agreed on.
#ifndef OVERLAP_ENGINE_IO_HOLES_H
#define OVERLAP_ENGINE_IO_HOLES_H

#include "io_engine.h"

#include <algorithm>

namespace overlap {

/// Neighbours of a list that are sieved, or not, together: the extents [first, last) lie in [begin, end) of the file and
/// hold `bytes` of it.
struct Chunk {
    std::size_t first = 0;
    std::size_t last = 0;
    FileOffset begin = 0;
    FileOffset end = 0;
    ByteCount bytes = 0;

    std::size_t extents() const { return last - first; }
    ByteCount span() const { return end - begin; }
};

/// The most that a chunk of more than one extent spans: the cycle of a usual sub-buffer goes in one write.
constexpr ByteCount kLargestChunk = ByteCount{4} << 20;

/// The longest gap that is read: a longer one costs more to read, and to write again, than the calls that it saves
/// (docs/results, "Cycles with gaps: list or sieve").
constexpr ByteCount kLongestGap = ByteCount{16} << 10;

/// The chunk that starts with extent `first`. It ends where it would grow too large, before a gap that is not worth reading
/// or an extent that does not lie behind the others, and with a stripe of `stripe` bytes, unless that is 0: the next one may
/// be another aggregator's, who writes it without a lock.
Chunk ChunkAt(const Extents &extents, std::size_t first, ByteCount stripe = 0);

/// Whether the chunk is sieved. One without a gap never is.
bool IsSieved(overlap_holes holes, const Chunk &chunk);

/// Calls visit(Chunk) for the chunks that are sieved, in order.
template <typename Visit> void ForEachSieved(const WriteRule &rule, const Extents &extents, Visit visit) {
    for (std::size_t first = 0; rule.holes != OVERLAP_HOLES_LIST && first < extents.size();) {
        const Chunk chunk = ChunkAt(extents, first, rule.stripe);
        if (IsSieved(rule.holes, chunk)) {
            visit(chunk);
        }
        first = chunk.last;
    }
}

inline bool HasSieved(const WriteRule &rule, const Extents &extents) {
    bool any = false;
    ForEachSieved(rule, extents, [&any](const Chunk &) { any = true; });
    return any;
}

/// The bytes between two neighbours where they are read with the rest, else 0. Neither a lock nor a second pass stands
/// against that, so each gap saves a call.
inline ByteCount ReadThrough(const overlap_extent &extent, const overlap_extent &next) {
    const ByteCount gap = next.offset - extent.offset - static_cast<ByteCount>(extent.length);
    return gap > 0 && gap <= kLongestGap ? gap : 0;
}

inline bool HasReadThrough(const Extents &extents) {
    return std::adjacent_find(extents.begin(), extents.end(), ReadThrough) != extents.end();
}

/// To read a gap and write it back loses what somebody else writes into it meanwhile, and programs may do that (MPI 4.1,
/// 14.6.1: other bytes of a file are no conflict). So `auto`
/// sieves only where the storage port knows of nobody (overlap_gaps). `sieve` takes the user's word for it.
class HolesPolicy {
  public:
    /// `warns` on the rank that warns the user.
    HolesPolicy(const overlap_storage &storage, const overlap_host &host, overlap_holes asked, bool warns)
        : storage_(storage), host_(host), asked_(asked), warns_(warns) {}

    /// Local, at the start of each call: what the ranks then take the maximum of.
    overlap_gaps Offer() const;

    /// The maximum: it holds for this call.
    void Begin(overlap_gaps agreed) { agreed_ = agreed; }

    /// Whether anything may be sieved in this call.
    bool Allows() const { return asked_ != OVERLAP_HOLES_LIST && agreed_ == OVERLAP_GAPS_WRITTEN_BACK; }

    /// How the gaps of a plan, or of a write, are written where that is allowed: a list where this rank has none, so that it
    /// takes no memory for them. Tells the user where the ranks have agreed on something else than was asked for.
    overlap_holes For(bool gaps);

    /// For the user: how the gaps of this call are written; and why, where that was not asked for.
    overlap_holes InUse() const { return Allows() ? asked_ : OVERLAP_HOLES_LIST; }
    const char *Why() const;

  private:
    const overlap_storage &storage_;
    const overlap_host &host_;
    const overlap_holes asked_;
    const bool warns_;
    bool warned_ = false;
    overlap_gaps agreed_ = OVERLAP_GAPS_NO_LOCK;
};

} // namespace overlap

#endif
