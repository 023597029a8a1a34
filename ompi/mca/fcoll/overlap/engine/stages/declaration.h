// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// What a rank has declared (overlap_declare.h): the layouts of its calls, and memory for their bytes.
#ifndef OVERLAP_ENGINE_STAGES_DECLARATION_H
#define OVERLAP_ENGINE_STAGES_DECLARATION_H

#include "../access/access.h"
#include "../shuffle/copy.h"

#include <memory>
#include <vector>

namespace overlap {

constexpr std::size_t kMostDeclaredCalls = 4096;

/// Reads the layout of each call. Each ends with ";" and holds runs, separated by ",": OFFSET:LENGTH or
/// OFFSET:LENGTH:STRIDE:COUNT, in bytes of the file and in any order. A call without bytes is ";" alone. `layouts` then
/// ascend. False where the text is malformed; `layouts` has no meaning then. Throws std::bad_alloc, and std::range_error
/// where a call has too many bytes.
bool ParseLayouts(const char *text, std::vector<StridedList> &layouts);

/// Memory for the bytes of all calls in the order of the file, whichever call has them. Nine variables of a record, a call
/// each, lie in it as in the file, so all calls are one access without a merge. A byte of the file that several calls write
/// is there once, as the last of them has it.
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
