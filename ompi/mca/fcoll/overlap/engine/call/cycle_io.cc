// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "cycle_io.h"

#include <algorithm>
#include <cstring>

namespace overlap {

// After the first failure no transfer starts, so that at most the cycles that were under way then, and those that a schedule
// had passed over, lack bytes.
CycleIo::CycleIo(overlap_direction direction, const Plan &plan, const SubBuffers &buffers, IoEngine &engine, int slots)
    : direction_(direction), plan_(plan), buffers_(buffers), engine_(engine),
      most_missing_((2 + (direction == OVERLAP_WRITE ? engine.MostWrittenRanges() : 0)) * static_cast<std::size_t>(slots)) {
    missing_.reserve(most_missing_ * plan.owned.size());
    ends_.assign(plan.owned.size(), kLastOffset);
    extents_.reserve(plan.most_extents);
}

const Extents &CycleIo::ExtentsOf(std::size_t owned, Cycle cycle, Slot slot) noexcept {
    const OwnedDomain &domain = plan_.owned[owned];
    const ByteCount base = domain.First(cycle);
    char *const buffer = buffers_.At(slot, owned);
    extents_.clear();
    domain.coverage.data.ForEach(base, domain.Last(cycle), [&](const Run &run, ByteCount position) {
        char *address = buffer + (position - base);
        for (std::int64_t block = 0; block < run.count; ++block, address += run.length) {
            domain.layout.ForEachPiece(run.start + block * run.stride, run.length,
                                       [&](FileOffset offset, ByteCount length, ByteCount before) {
                                           extents_.push_back(overlap_extent{offset + distance_, address + before,
                                                                             static_cast<std::size_t>(length)});
                                       });
        }
    });
    return extents_;
}

void CycleIo::Record(std::size_t owned, Cycle cycle, Slot slot, Status status, ByteCount done) noexcept {
    transferred_ += done;
    const OwnedDomain &domain = plan_.owned[owned];
    const ByteCount position = domain.First(cycle) + done;
    if (position < domain.Last(cycle)) {
        if (status.ok()) {
            ends_[owned] = std::min(ends_[owned], domain.coverage.data.StartOf(position));
        } else {
            transferred_ += RecordFailure(owned, cycle, done);
        }
        Blank(owned, cycle, slot, done);
    }
    status_.Merge(status);
}

// The first `from` bytes of the cycle are transferred. Returns how many of the others are.
ByteCount CycleIo::RecordFailure(std::size_t owned, Cycle cycle, ByteCount from) noexcept {
    const OwnedDomain &domain = plan_.owned[owned];
    const auto start = [&](ByteCount byte) { return domain.coverage.data.StartOf(domain.First(cycle) + byte); };
    ByteCount behind = 0;
    for (const WrittenRange &range : engine_.WrittenBehind()) {
        AddMissing(Missing{owned, start(from), start(range.from)});
        behind += range.to - range.from;
        from = range.to;
    }
    if (domain.First(cycle) + from < domain.Last(cycle)) {
        AddMissing(Missing{owned, start(from), domain.cuts.End(cycle)});
    }
    return behind;
}

// Within what was reserved.
void CycleIo::AddMissing(const Missing &missing) noexcept {
    const auto behind = std::upper_bound(missing_.begin(), missing_.end(), missing,
                                         [](const Missing &a, const Missing &b) { return a.begin < b.begin; });
    missing_.insert(behind, missing);
}

void CycleIo::Skip(std::size_t owned, Cycle cycle, Slot slot) noexcept {
    const Cuts &cuts = plan_.owned[owned].cuts;
    Blank(owned, cycle, slot, 0);
    if (cycle < begun_) {
        AddMissing(Missing{owned, cuts.Begin(cycle), cuts.End(cycle)});
    }
}

// What a sub-buffer held before is nobody's business.
void CycleIo::Blank(std::size_t owned, Cycle cycle, Slot slot, ByteCount from) noexcept {
    const OwnedDomain &domain = plan_.owned[owned];
    if (direction_ == OVERLAP_READ) {
        std::memset(buffers_.At(slot, owned) + from, 0,
                    static_cast<std::size_t>(domain.Last(cycle) - domain.First(cycle) - from));
    }
}

void CycleIo::Start(Cycle cycle, Slot slot, bool blocking) noexcept {
    begun_ = status_.ok() ? std::max(begun_, cycle + 1) : begun_;
    started_[static_cast<std::size_t>(slot)] = status_.ok() && !blocking;
    for (std::size_t i = 0; i < plan_.owned.size(); ++i) {
        if (cycle >= plan_.owned[i].cycles()) {
            continue;
        }
        if (!status_.ok()) {
            Skip(i, cycle, slot);
        } else if (blocking) {
            ByteCount done = 0;
            const Status status = engine_.Transfer(direction_, ExtentsOf(i, cycle, slot), done);
            Record(i, cycle, slot, status, done);
        } else {
            engine_.Start(RequestOf(i, slot), direction_, ExtentsOf(i, cycle, slot));
        }
    }
}

bool CycleIo::Complete(Cycle cycle, Slot slot) noexcept {
    for (std::size_t i = 0; i < plan_.owned.size() && started_[static_cast<std::size_t>(slot)]; ++i) {
        if (cycle < plan_.owned[i].cycles() && !engine_.Done(RequestOf(i, slot))) {
            return false;
        }
    }
    return true;
}

void CycleIo::Wait(Cycle cycle, Slot slot) noexcept {
    for (std::size_t i = 0; i < plan_.owned.size() && started_[static_cast<std::size_t>(slot)]; ++i) {
        if (cycle < plan_.owned[i].cycles()) {
            ByteCount done = 0;
            const Status status = engine_.Wait(RequestOf(i, slot), done);
            Record(i, cycle, slot, status, done);
        }
    }
    started_[static_cast<std::size_t>(slot)] = false;
}

bool CycleIo::ended() const noexcept {
    return std::any_of(ends_.begin(), ends_.end(), [](FileOffset end) { return end < kLastOffset; });
}

} // namespace overlap
