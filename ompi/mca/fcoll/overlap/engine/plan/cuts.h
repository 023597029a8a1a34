// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Where the cycles of a file domain begin and end.
#ifndef OVERLAP_ENGINE_PLAN_CUTS_H
#define OVERLAP_ENGINE_PLAN_CUTS_H

#include "../access/strided.h"
#include "domains.h"

#include <functional>
#include <utility>
#include <vector>

namespace overlap {

/// Parts that follow each other, each `length` bytes of the file long.
struct CutSegment {
    Cycle first; // part
    Cycle parts;
    FileOffset begin;
    ByteCount length;

    FileOffset end() const noexcept { return begin + parts * length; }
};

/// The data of a domain cut into parts, one for each cycle: from some part on to the last, then from the first one on. Its
/// memory grows with the places where parts stop being equally long in the file. A client's knows only the parts in which
/// the client has data, and finds the others empty between these.
class Cuts {
  public:
    Cuts() = default;
    /// `segments`: ascending, disjoint, with their parts in order.
    Cuts(Cycle cycles, ByteCount fullest_cycle, std::vector<CutSegment> segments)
        : cycles_(cycles), fullest_cycle_(fullest_cycle), segments_(std::move(segments)) {}

    /// Needs: part < cycles(), or no cycles.
    void StartWith(Cycle part) noexcept { first_ = part; }
    Cycle first_part() const noexcept { return first_; }

    /// Of a cycle. Needs: cycle < cycles().
    Cycle PartOf(Cycle cycle) const noexcept {
        return cycle < cycles_ - first_ ? first_ + cycle : cycle - (cycles_ - first_);
    }
    /// The first part that ends behind `offset`; cycles() where none does.
    Cycle PartAt(FileOffset offset) const noexcept;

    Cycle cycles() const noexcept { return cycles_; }

    /// The most data of any cycle.
    ByteCount FullestCycle() const noexcept { return fullest_cycle_; }

    /// The cycle's data lies in [Begin, End). Needs: cycle < cycles(). Time: the logarithm of the segments.
    FileOffset Begin(Cycle cycle) const noexcept { return BeginOf(PartOf(cycle)); }
    FileOffset End(Cycle cycle) const noexcept { return BeginOf(PartOf(cycle) + 1); }

    /// The positions of `list` that lie in a cycle: none behind the last one. Needs: the list is ascending.
    Range PositionsOf(const StridedList &list, Cycle cycle) const noexcept {
        return cycle < cycles_ ? Range{list.BytesBefore(Begin(cycle)), list.BytesBefore(End(cycle))}
                               : Range{list.bytes(), list.bytes()};
    }

    /// The most that count(positions of a part) is of any part that `list` has bytes in. Needs: the list is ascending and
    /// its bytes lie in parts that these cuts know. Time grows with these parts.
    template <typename Count> std::int64_t MostOf(const StridedList &list, Count count) const {
        std::int64_t most = 0;
        for (Range positions; positions.last < list.bytes();) {
            const Cycle part = PartAt(list.StartOf(positions.last));
            positions = Range{positions.last, part < cycles() ? list.BytesBefore(BeginOf(part + 1)) : list.bytes()};
            most = std::max(most, count(positions));
        }
        return most;
    }
    ByteCount MostBytesOf(const StridedList &list) const { return MostOf(list, std::mem_fn(&Range::bytes)); }

    /// The most pieces that the bytes of `list` in a cycle lie in, or a number that is not below it. `runs_of` gives how
    /// many runs a range of positions lies in; a run is at most three pieces, a partial block on either side of the whole
    /// ones. Of few runs those of the whole list are as good a bound as those of a cycle.
    template <typename RunsOf> std::size_t MostPieces(const StridedList &list, RunsOf runs_of) const {
        constexpr std::int64_t kFewRuns = 256;
        const std::int64_t runs = runs_of(Range{0, list.bytes()});
        return Narrow<std::size_t>(3 * (runs > kFewRuns ? MostOf(list, runs_of) : runs));
    }

    const std::vector<CutSegment> &segments() const noexcept { return segments_; }

  private:
    FileOffset BeginOf(Cycle part) const noexcept;

    Cycle cycles_ = 0;
    Cycle first_ = 0;
    ByteCount fullest_cycle_ = 0;
    std::vector<CutSegment> segments_;
};

/// Cuts `data` into cycles of at most `capacity` bytes of data each, whatever the gaps between them. No data: no cycles.
///
/// * In contiguous data, and in blocks of several capacities, a part ends at a multiple of `alignment`, so that no block of
///   the file is written more than once, or of the capacity where that is less.
/// * Among other regular blocks it ends between two, unless that leaves a quarter of the capacity unused; then it is full,
///   and ends at a multiple of `alignment` only where all blocks do.
///
/// Time grows with the cycles; those of contiguous data take none. Needs: data is ascending and not below 0, capacity and
/// alignment are at least 1.
Cuts CutsOf(const StridedList &data, ByteCount capacity, ByteCount alignment);

/// The same of a domain without gaps, in constant time and memory: any rank can work it out.
Cuts CutGapless(const Domain &domain, ByteCount capacity, ByteCount alignment);

/// What the aggregator tells a client whose share of the domain is `client_file`: the cycles, the part they start with, and
/// the segments in which it has data. Grows with the client's data at most. Needs: the client's bytes are the domain's.
std::vector<std::int64_t> EncodeCuts(const Cuts &cuts, const StridedList &client_file);

/// Of the words that EncodeCuts makes. Throws std::bad_alloc.
Cuts DecodeCuts(const std::int64_t *words, std::size_t count);

} // namespace overlap

#endif
