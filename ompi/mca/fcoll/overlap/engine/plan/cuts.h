// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Where the cycles of a file domain begin and end.
#ifndef OVERLAP_ENGINE_PLAN_CUTS_H
#define OVERLAP_ENGINE_PLAN_CUTS_H

#include "../access/strided.h"
#include "domains.h"

#include <algorithm>
#include <memory>
#include <vector>

namespace overlap {

/// How parts follow each other: each has `part` bytes of data, or of the file where it is cut, which are blocks of `length`
/// bytes whose starts are `stride` apart. The first one begins `inside` bytes behind the start of a block.
struct CutPattern {
    ByteCount part = 0;
    ByteCount length = kLastOffset;
    std::int64_t stride = 0;
    ByteCount inside = 0;

    /// From the start of the first part to that of the one so many parts behind it.
    std::int64_t DistanceOf(Cycle parts) const noexcept {
        const ByteCount data = parts * part + inside;
        return data / length * stride + data % length - inside;
    }
};

/// Parts that follow each other by one pattern, from `begin` to `end`.
struct CutSegment {
    Cycle first; // part
    Cycle parts;
    FileOffset begin;
    FileOffset end;
    CutPattern pattern; // of no meaning where there is one part
};

/// The data of a domain cut into parts, one for each cycle: from some part on to the last, then from the first one on. Its
/// memory grows with the places where the data stops being regular, not with the cycles, and is shared by copies. A client's
/// knows only the parts in which the client has data, and finds the others empty between these.
class Cuts {
  public:
    struct State {
        Cycle cycles = 0;
        ByteCount fullest_cycle = 0;
        std::vector<CutSegment> segments; // ascending, disjoint
    };

    Cuts() = default;
    /// Ascending offsets of the domain, from the start of its data to its end: one more than there are parts.
    explicit Cuts(const std::vector<FileOffset> &offsets);
    explicit Cuts(std::shared_ptr<const State> state) : state_(std::move(state)) {}

    /// Needs: part < cycles(), or no cycles.
    void StartWith(Cycle part) noexcept { first_ = part; }
    Cycle first_part() const noexcept { return first_; }

    /// Of a cycle. Needs: cycle < cycles().
    Cycle PartOf(Cycle cycle) const noexcept {
        const Cycle to_last = state_->cycles - first_;
        return cycle < to_last ? first_ + cycle : cycle - to_last;
    }
    /// The first part that ends behind `offset`; cycles() where none does.
    Cycle PartAt(FileOffset offset) const noexcept;

    Cycle cycles() const noexcept { return state_ == nullptr ? 0 : state_->cycles; }

    /// The most data of any cycle; of cycles that are cut where the file is, what they may have at most.
    ByteCount FullestCycle() const noexcept { return state_ == nullptr ? 0 : state_->fullest_cycle; }

    /// The cycle's data lies in [Begin, End). Needs: cycle < cycles(). Time: the logarithm of the segments.
    FileOffset Begin(Cycle cycle) const noexcept { return BeginOf(PartOf(cycle)); }
    FileOffset End(Cycle cycle) const noexcept { return EndOf(PartOf(cycle)); }

    /// Calls visit(from, to) for the intervals of positions of `list` that one part holds each. Needs: the list is ascending
    /// and its bytes lie in parts that these cuts know. Time grows with these parts.
    template <typename Visit> void ForEachPartOf(const StridedList &list, Visit visit) const {
        for (ByteCount from = 0; from < list.bytes();) {
            const Cycle part = PartAt(list.StartOf(from));
            const ByteCount to = part < cycles() ? list.BytesBefore(EndOf(part)) : list.bytes();
            visit(from, to);
            from = to;
        }
    }

    /// Needs: there are cycles.
    const State &state() const noexcept { return *state_; }

  private:
    FileOffset BeginOf(Cycle part) const noexcept { return OffsetOf(part, 0); }
    FileOffset EndOf(Cycle part) const noexcept { return OffsetOf(part, 1); }
    FileOffset OffsetOf(Cycle part, int parts_behind) const noexcept;

    std::shared_ptr<const State> state_;
    Cycle first_ = 0;
};

/// Cuts `data` into cycles of at most `capacity` bytes of data each, whatever the gaps between them. No data: no cycles.
///
/// * In contiguous data a part ends at a multiple of `alignment`, so that no block of the file is written more than once, or
///   of the capacity where that is less.
/// * Regular blocks whose starts are less than a page apart are cut at whole MiB of the file where a part spans so much:
///   they are written with their gaps, and what begins and ends there takes the fewest requests.
/// * Other regular blocks with gaps are cut between blocks, unless that leaves a quarter of the capacity unused or a block
///   is longer than that; then parts are full, and end at multiples of `alignment` only where all blocks do.
///
/// Time and memory grow with the runs of the data or with the cycles, whichever are fewer. Needs: data is ascending and not
/// below 0, capacity and alignment are at least 1.
Cuts CutsOf(const StridedList &data, ByteCount capacity, ByteCount alignment);

/// The same of a domain without gaps, in constant time and memory: any rank can work it out.
Cuts CutGapless(const Domain &domain, ByteCount capacity, ByteCount alignment);

/// What the aggregator tells a client whose share of the domain is `client_file`: the cycles, the part they start with, and
/// the segments in which it has data. Grows with the client's data at most. Needs: the client's bytes are the domain's.
std::vector<std::int64_t> EncodeCuts(const Cuts &cuts, const StridedList &client_file);

/// Throws std::invalid_argument where the words are none that EncodeCuts makes.
Cuts DecodeCuts(const std::int64_t *words, std::size_t count);

} // namespace overlap

#endif
