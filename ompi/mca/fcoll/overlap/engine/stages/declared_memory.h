// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Memory for the bytes of calls whose layouts are known before they come: in the order of the file, whichever call has them.
#ifndef OVERLAP_ENGINE_STAGES_DECLARED_MEMORY_H
#define OVERLAP_ENGINE_STAGES_DECLARED_MEMORY_H

#include "../access/access.h"

#include <memory>
#include <vector>

namespace overlap {

/// Nine variables of a record, a call each, lie in it as the records lie in the file: when the last call has come all of
/// them are one access, and nothing is left to be merged. A byte of the file that several calls write is there once, as the
/// last of them has it.
class DeclaredMemory {
  public:
    /// Takes memory for all that has to do with these calls, of which each is ascending. Throws std::bad_alloc,
    /// std::range_error. Time: the logarithm of the number of blocks for each of them where they do not lie one behind
    /// the other.
    explicit DeclaredMemory(std::vector<StridedList> layouts);

    const StridedList &layout(int call) const { return layouts_[static_cast<std::size_t>(call)]; }

    /// Where the bytes of a call lie in this memory, in the order of its layout.
    const StridedList &PlaceOf(int call) const { return places_[static_cast<std::size_t>(call)]; }

    /// Copies the bytes of a call, which the CPU reaches, to their place. Needs: as many as its layout has.
    void Take(int call, const StridedList &memory) const noexcept;

    /// The bytes of all calls as one access, `distance` further on than they were declared. Throws std::bad_alloc.
    Access Whole(std::int64_t distance) const;

  private:
    std::vector<StridedList> layouts_;
    std::unique_ptr<char[]> memory_;
    StridedList all_; // of the file
    std::vector<StridedList> places_;
};

} // namespace overlap

#endif
