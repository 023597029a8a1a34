// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Memory for the bytes of calls whose layouts are known before they come: in the order of the file, whichever call has them.
#ifndef OVERLAP_ENGINE_STAGES_DECLARED_MEMORY_H
#define OVERLAP_ENGINE_STAGES_DECLARED_MEMORY_H

#include "../access/access.h"
#include "../shuffle/packing.h"

#include <memory>
#include <vector>

namespace overlap {

/// Nine variables of a record, a call each, lie in it as the records lie in the file, so all calls are one access without a
/// merge. A byte of the file that several calls write is there once, as the last of them has it.
class DeclaredMemory {
  public:
    /// Takes memory for these calls, each of which is ascending. Throws std::bad_alloc, std::range_error.
    explicit DeclaredMemory(std::vector<StridedList> layouts);

    int calls() const { return static_cast<int>(layouts_.size()); }
    const StridedList &layout(int call) const { return layouts_[static_cast<std::size_t>(call)]; }

    /// From the first byte of all calls to the last, as declared.
    Range hull() const { return all_.empty() ? Range() : Range{all_.begin(), all_.end()}; }

    /// Copies the bytes of a call, which the CPU reaches, to their place. Needs: as many as its layout has.
    void Take(int call, const StridedList &memory) const noexcept {
        packing_[static_cast<std::size_t>(call)].Pack(memory, memory_.get());
    }

    /// The bytes of a call, or of all calls, as an access `distance` further on than declared. Throws std::bad_alloc.
    Access Of(int call, std::int64_t distance) const;
    Access OfAll(std::int64_t distance) const;

  private:
    Access Moved(const StridedList &file, const StridedList &positions, std::int64_t distance) const;

    std::vector<StridedList> layouts_;
    std::unique_ptr<char[]> memory_;
    StridedList all_; // of the file
    std::vector<Packing> packing_;
};

} // namespace overlap

#endif
