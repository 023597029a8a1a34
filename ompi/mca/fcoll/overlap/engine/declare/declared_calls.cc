#include "declared_calls.h"

#include "../access/block_walk.h"
#include "../guard.h"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

namespace overlap {
namespace {

constexpr std::int64_t kNothing = std::numeric_limits<std::int64_t>::min();

// Whether the bytes of `file` are those of `layout`, each so much further on, whatever runs they are in. Needs: both ascend.
bool IsMoved(const StridedList &file, const StridedList &layout, std::int64_t distance) {
    if (file.IsMoved(layout, distance)) {
        return true;
    }
    bool moved = file.bytes() == layout.bytes();
    BlockWalk walk(layout);
    file.ForEachRun([&](const Run &run) {
        for (std::int64_t block = 0; moved && block < run.count; ++block) {
            FileOffset next = 0;
            moved = !__builtin_sub_overflow(run.start + block * run.stride, distance, &next);
            walk.Next(run.length, [&](FileOffset start, ByteCount length) {
                moved = moved && start == next;
                next += moved ? length : 0;
            });
        }
    });
    return moved;
}

} // namespace

void DeclaredCalls::Next() noexcept {
    if (++next_ == calls_) {
        next_ = 0;
        moved_ = false;
        distance_ = 0;
        kept_ = 0;
    }
}

void DeclaredCalls::Prepare(Declaration declaration, Collected &held) {
    const auto calls = static_cast<std::size_t>(declaration.calls);
    room_ = declaration.bytes;
    if (declaration.layouts.empty()) {
        held.Reserve(calls, room_);
        return;
    }
    held.Reserve(calls, 0);
    ends_.assign(calls + 1, 0);
    for (std::size_t call = 0; call < calls; ++call) {
        const StridedList &layout = declaration.layouts[call];
        ends_[call] = layout.empty() ? 0 : layout.end();
    }
    memory_ = std::make_unique<DeclaredMemory>(std::move(declaration.layouts));
}

// Two agreements: who has no room for the ends cannot take part in the second.
Status DeclaredCalls::Begin(const Team &team, int calls, DeclaredTerms &terms, Status local) noexcept {
    enum Word : std::size_t { kUnsized, kRefuses, kDiffers, kUnknown, kWords };
    std::array<std::int64_t, kWords> values{};
    values[kUnsized] = terms.sized ? 0 : 1;
    values[kRefuses] = terms.refuses ? 1 : 0;
    values[kDiffers] = terms.differs;
    values[kUnknown] = memory_ == nullptr ? 1 : 0;
    Status status = team.Agree(values, local);
    terms.sized = values[kUnsized] == 0;
    terms.refuses = values[kRefuses] != 0;
    terms.differs = static_cast<Rank>(values[kDiffers]);
    if (status.ok() && terms.sized && !terms.refuses && values[kUnknown] == 0) {
        status = team.AgreeInPlace(ends_.data(), ends_.size(), Status());
    } else {
        ends_.clear();
    }
    if (!status.ok() || terms.refuses) {
        End();
        return status;
    }
    calls_ = calls;
    sized_ = terms.sized;
    if (!sized_) {
        memory_.reset();
    }
    return status;
}

void DeclaredCalls::End() noexcept {
    memory_.reset();
    ends_.clear();
    calls_ = 0;
    sized_ = false;
    next_ = 0;
    moved_ = false;
    distance_ = 0;
    kept_ = 0;
    other_ = 0;
    no_room_ = false;
}

bool DeclaredCalls::Keeps(const Access &access) noexcept {
    if (memory_ == nullptr) {
        return false;
    }
    const StridedList &layout = memory_->layout(next_);
    bool keeps = layout.empty() && access.file.empty();
    if (!layout.empty() && !access.file.empty()) {
        const std::int64_t distance = moved_ ? distance_ : access.file.begin() - layout.begin();
        keeps = IsMoved(access.file, layout, distance);
        if (keeps) {
            moved_ = true;
            distance_ = distance;
        }
    }
    if (!keeps && other_ == 0) {
        other_ = next_ + 1;
    }
    return keeps;
}

bool DeclaredCalls::Hold(const Access &access, const overlap_host &host, Collected &held, Status &copied) noexcept {
    copied = Status();
    keeps_ = Keeps(access);
    if (keeps_ && !access.on_device && HoldInPlace(access, held)) {
        return true;
    }
    kept_ = kNotAll;
    return HoldBeside(access, host, held, copied);
}

bool DeclaredCalls::HoldInPlace(const Access &access, Collected &held) noexcept {
    Access place;
    const Status status = Guarded([&] {
        place.file = access.file;
        place.memory = memory_->PlaceOf(next_);
    });
    if (!status.ok()) {
        return false;
    }
    memory_->Take(next_, access.memory);
    held.Place(std::move(place));
    kept_ = kept_ == next_ ? kept_ + 1 : kNotAll;
    return true;
}

bool DeclaredCalls::HoldBeside(const Access &access, const overlap_host &host, Collected &held, Status &copied) noexcept {
    bool fits = false;
    const Status status = Guarded([&] { fits = held.Prepare(access.file, room_); });
    if (!status.ok() || !fits) {
        no_room_ = true;
        return false;
    }
    if (access.on_device) {
        copied = held.AddFromDevice(host, access.memory);
    } else {
        held.Add(access.memory);
    }
    return copied.ok();
}

bool DeclaredCalls::PrepareLast(const Access &access) noexcept {
    const bool keeps = Keeps(access);
    if (!keeps || access.on_device || next_ == 0 || kept_ != next_) {
        return false;
    }
    const Status status = Guarded([&] {
        prepared_.file = access.file;
        prepared_.memory = memory_->PlaceOf(next_);
    });
    return status.ok();
}

void DeclaredCalls::HoldLast(const Access &access, Collected &held) noexcept {
    memory_->Take(next_, access.memory);
    held.Place(std::move(prepared_));
    prepared_ = Access();
    ++kept_;
}

FileOffset DeclaredCalls::EndOfLast() const noexcept {
    FileOffset end = 0;
    if (keeps_ && !ends_.empty() && ends_[static_cast<std::size_t>(next_)] > 0 &&
        __builtin_add_overflow(ends_[static_cast<std::size_t>(next_)], distance_, &end)) {
        end = 0;
    }
    return end;
}

Status DeclaredCalls::Agree(const Team &team, Status local, DeclaredAgreement &agreement) noexcept {
    enum Word : std::size_t { kHolds, kKept, kBegin, kEnd, kOther, kNoRoom, kWords };
    std::array<std::int64_t, kWords> values{};
    values[kHolds] = agreement.holds ? 1 : 0;
    values[kKept] = agreement.kept;
    values[kBegin] = agreement.range.empty() ? kNothing : -agreement.range.first;
    values[kEnd] = agreement.range.last;
    // The earliest call of all ranks is the greatest of these.
    const std::int64_t size = team.size();
    values[kOther] = other_ == 0 ? 0 : (calls_ + 1 - other_) * size + team.rank();
    values[kNoRoom] = no_room_ ? team.rank() + 1 : 0;
    const Status status = team.Agree(values, local);
    agreement = DeclaredAgreement();
    agreement.holds = values[kHolds] != 0;
    agreement.kept = static_cast<int>(values[kKept]);
    if (values[kBegin] != kNothing) {
        agreement.range = Range{-values[kBegin], values[kEnd]};
    }
    if (values[kOther] != 0) {
        agreement.other = calls_ + 1 - static_cast<int>(values[kOther] / size);
        agreement.of_other = static_cast<Rank>(values[kOther] % size);
    }
    agreement.no_room = static_cast<Rank>(values[kNoRoom]) - 1;
    other_ = 0;
    no_room_ = false;
    return status;
}

} // namespace overlap
