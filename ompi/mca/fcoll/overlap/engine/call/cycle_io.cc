// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "cycle_io.h"

#include <algorithm>
#include <cstring>
#include <iterator>

namespace overlap {

// Cycles end nearly in their order, and the first part of a domain need not be its lowest; each failed list of the slots
// that were under way parts what is done once more.
CycleIo::CycleIo(overlap_direction direction, const Plan &plan, const SubBuffers &buffers, IoEngine &engine, int slots)
    : direction_(direction), plan_(plan), buffers_(buffers), engine_(engine),
      most_intervals_(2 + (2 + (direction == OVERLAP_WRITE ? engine.WrittenBehind().capacity() : 0)) *
                              static_cast<std::size_t>(slots)),
      done_(plan.owned.size()) {
    for (std::vector<Range> &done : done_) {
        done.reserve(most_intervals_ + 1);
    }
    extents_.reserve(plan.most_extents);
}

const Extents &CycleIo::ExtentsOf(std::size_t owned, Cycle cycle, Slot slot) noexcept {
    const OwnedDomain &domain = plan_.owned[owned];
    const Range data = domain.In(cycle);
    char *const buffer = buffers_.At(slot, owned);
    extents_.clear();
    domain.coverage.data.ForEachBlock(data.first, data.last, [&](FileOffset start, ByteCount length, ByteCount position) {
        char *const address = buffer + (position - data.first);
        domain.layout.ForEachPiece(start, length, [&](FileOffset offset, ByteCount bytes, ByteCount before) {
            extents_.push_back(overlap_extent{offset + distance_, address + before, static_cast<std::size_t>(bytes)});
        });
    });
    return extents_;
}

void CycleIo::Record(std::size_t owned, Cycle cycle, Slot slot, Status status, ByteCount done) noexcept {
    AddDone(owned, cycle, 0, done);
    if (!status.ok()) {
        for (const Range &range : engine_.WrittenBehind()) {
            AddDone(owned, cycle, range.first, range.last);
        }
    }
    if (done < plan_.owned[owned].In(cycle).bytes()) {
        ended_ = ended_ || status.ok();
        Blank(owned, cycle, slot, done);
    }
    status_.Merge(status);
}

// The bytes [from, to) of the cycle are transferred.
void CycleIo::AddDone(std::size_t owned, Cycle cycle, ByteCount from, ByteCount to) noexcept {
    if (from >= to) {
        return;
    }
    transferred_ += to - from;
    const OwnedDomain &domain = plan_.owned[owned];
    const Range data = domain.In(cycle);
    Range next{domain.cuts.Begin(cycle), domain.cuts.End(cycle)};
    if (from > 0) {
        next.first = domain.coverage.data.StartOf(data.first + from);
    }
    if (to < data.bytes()) {
        next.last = domain.coverage.data.StartOf(data.first + to);
    }
    std::vector<Range> &done = done_[owned]; // with room for one more
    const auto at =
        done.insert(std::find_if(done.begin(), done.end(), [&](const Range &one) { return one.first >= next.last; }), next);
    const auto behind = std::next(at);
    if (behind != done.end() && behind->first == at->last) {
        at->last = behind->last;
        done.erase(behind);
    }
    if (at != done.begin() && std::prev(at)->last == at->first) {
        std::prev(at)->last = at->last;
        done.erase(at);
    } else if (done.size() > most_intervals_) { // more there are where others cut off the file in between: they do not count
        done.erase(at);
    }
}

// What a sub-buffer held before is nobody's business.
void CycleIo::Blank(std::size_t owned, Cycle cycle, Slot slot, ByteCount from) noexcept {
    if (direction_ == OVERLAP_READ) {
        const ByteCount bytes = plan_.owned[owned].In(cycle).bytes();
        std::memset(buffers_.At(slot, owned) + from, 0, static_cast<std::size_t>(bytes - from));
    }
}

void CycleIo::Start(Cycle cycle, Slot slot, bool blocking) noexcept {
    started_[static_cast<std::size_t>(slot)] = status_.ok() && !blocking;
    for (std::size_t i = 0; i < plan_.owned.size(); ++i) {
        if (cycle >= plan_.owned[i].cycles()) {
            continue;
        }
        if (!status_.ok()) {
            Blank(i, cycle, slot, 0);
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

} // namespace overlap
