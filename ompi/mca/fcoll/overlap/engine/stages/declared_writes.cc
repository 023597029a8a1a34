// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "declared_writes.h"

#include "../access/cursor.h"
#include "../team/team.h"

#include <algorithm>
#include <string>
#include <utility>

namespace overlap {
namespace {

// Whether the bytes of `file` are those of `layout`, each `distance` further on, whatever runs they are in. Needs: both
// ascend.
bool IsMoved(const StridedList &file, const StridedList &layout, std::int64_t distance) {
    if (file.IsMoved(layout, distance)) {
        return true;
    }
    bool moved = file.bytes() == layout.bytes();
    PackedRuns::Room room;
    Cursor walk(layout, room);
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

// The caller of the engine takes OVERLAP_ERR_ARG for an error of the call's own access, of which nothing is done. A later
// call must not return it.
Status ForLater(Status status) { return status.error() == OVERLAP_ERR_ARG ? Status(OVERLAP_ERR_OTHER) : status; }

const char *WhyNot(Status status) {
    return status.ok()                            ? "Not all processes have declared the same number of calls."
           : status.error() == OVERLAP_ERR_NO_MEM ? "A process has not the memory for it."
           : status.error() == OVERLAP_ERR_ACCESS
               ? "The program may use MPI from several threads at the same time (MPI_THREAD_MULTIPLE), so that another "
                 "thread could access the file between the calls."
               : "The layouts of a process are too long for the info of the file, or cannot be read.";
}

} // namespace

// Once for a file.
template <typename Why> void DeclaredWrites::Say(Why why) {
    if (!std::exchange(said_, true) && file_.team.rank() == 0) {
        const Status said = Guarded([&] { file_.host.warn(file_.host.self, OVERLAP_WARNING_DECLARED, why().c_str()); });
        static_cast<void>(said); // without memory for a line there is none
    }
}

// The memory is taken before the ranks agree, and nothing fails after that.
void DeclaredWrites::Declare(std::vector<StridedList> layouts, Status local) {
    if (HasSomething()) {
        Keep(Flush());
    }
    End();
    if (file_.Facts().atomic_mode != 0) { // maybe not on all ranks, which then see another number of calls
        layouts.clear();
    }
    const auto count = static_cast<std::int64_t>(layouts.size());
    Range hull;
    local.Merge(Guarded([&] {
        memory_ = std::make_unique<DeclaredMemory>(std::move(layouts));
        hull = memory_->hull();
    }));
    std::int64_t most = count, least = count;
    FileOffset begin = hull.empty() ? Agreement::kNoMinimum : hull.first, end = hull.last;
    Agreement agreement;
    agreement.Max(most);
    agreement.Min(least);
    agreement.Min(begin);
    agreement.Max(end);
    const Status status = agreement.Run(file_.team, local);
    if (!status.ok() || most != least) {
        End();
        Say([&] { return std::string(WhyNot(status)) + " Each call is done as if nothing had been declared."; });
        return;
    }
    if (count < 2 || file_.settings.writes == OVERLAP_TRANSFERS_INDEPENDENT) { // the same on all ranks
        End();
        return;
    }
    hull_ = begin == Agreement::kNoMinimum ? Range() : Range{begin, end};
}

// All ranks count the calls alike.
Status DeclaredWrites::Write(CallState &call) {
    Status status;
    if (!on()) {
        status = TransferCall(file_, call);
    } else if (next_ + 1 == memory_->calls()) {
        status = WriteLast(call);
    } else { // all ranks hear of a failure when they agree next
        const Status held = HoldCall(call);
        own_ = own_.ok() ? ForLater(held) : own_;
        ++next_;
    }
    const Status kept = TakeKept();
    return kept.ok() ? status : kept;
}

// Local. The first call of a set that has bytes tells the distance.
bool DeclaredWrites::IsDeclared(const Access &access) noexcept {
    const StridedList &layout = memory_->layout(next_);
    bool declared = layout.empty() && access.file.empty();
    if (!layout.empty() && !access.file.empty()) {
        const std::int64_t distance = distance_.value_or(access.file.begin() - layout.begin());
        declared = IsMoved(access.file, layout, distance);
        if (declared) {
            distance_ = distance;
        }
    }
    declared = declared && !access.on_device;
    if (!declared && other_ == 0) {
        other_ = next_ + 1;
    }
    return declared;
}

// Local.
Status DeclaredWrites::HoldCall(CallState &call) {
    if (!call.status.ok() || !IsDeclared(call.access) || !may_hold_) {
        return WriteAtOnce(call);
    }
    memory_->Take(next_, call.access.memory);
    held_end_ = std::max(held_end_, call.access.file.empty() ? 0 : call.access.file.end());
    call.done = call.bytes;
    return Status();
}

// Local. The bytes of earlier calls go first, so that of two calls with the same byte the later one's stays.
Status DeclaredWrites::WriteAtOnce(CallState &call) {
    static_cast<void>(WriteOwn());
    held_ = next_ + 1;
    const Access &access = call.access;
    if (!call.status.ok()) {
        return call.status;
    }
    const Status status =
        TransferOwnBytes(file_, OVERLAP_WRITE, access.file, access.memory, access.on_device, kLastOffset, true, call.done);
    call.done = status.ok() && call.done == access.file.bytes() ? call.bytes : call.done;
    return status;
}

// Where a rank does not hold all of its bytes, what is held is written first, then the call.
Status DeclaredWrites::WriteLast(CallState &call) {
    Agreed agreed;
    agreed.whole = call.status.ok() && IsDeclared(call.access) && may_hold_ && held_ == 0;
    Status status = Agree(call.status, agreed);
    if (status.ok() && agreed.whole) {
        status = WriteAll(call);
    } else {
        ByteCount done = 0;
        Keep(agreed.holds ? WriteOneByOne(next_, false, done) : Status());
        status = status.ok() ? TransferCall(file_, call) : status;
    }
    BeginSet();
    if (agreed.ends) {
        End();
    }
    return status;
}

// Collective. After an error the bytes of the last call count as far as those in the file cannot be those of calls before.
Status DeclaredWrites::WriteAll(CallState &last) {
    ByteCount before = 0;
    for (int call = 0; call < next_; ++call) {
        before += memory_->layout(call).bytes();
    }
    memory_->Take(next_, last.access.memory);
    CallState all(file_.KindOf(OVERLAP_WRITE));
    all.status = Guarded([&] { all.access = memory_->OfAll(distance_.value_or(0)); });
    all.bytes = all.access.file.bytes();
    all.several_calls = true;
    const Status status = TransferCall(file_, all);
    if (all.overlaps || status.error() == OVERLAP_ERR_NO_MEM) {
        return WriteOneByOne(memory_->calls(), true, last.done);
    }
    last.done = status.ok() && all.done == all.bytes ? last.bytes : std::max<ByteCount>(0, all.done - before);
    return status;
}

// Collective: the calls that no flush has written, in their order up to `end`, the last call of the set among them or not.
// Of several errors the first is returned; `done` is that of the last.
Status DeclaredWrites::WriteOneByOne(int end, bool last, ByteCount &done) {
    Status first;
    for (int number = first_; number < end; ++number) {
        CallState one(file_.KindOf(OVERLAP_WRITE));
        one.calls = last && number + 1 == end ? 1 : 0;
        one.status = Guarded([&] {
            if (number >= held_) {
                one.access = memory_->Of(number, distance_.value_or(0));
            }
        });
        one.bytes = one.access.file.bytes();
        const Status status = TransferCall(file_, one);
        done = one.done;
        first = first.ok() ? status : first;
    }
    return first;
}

Status DeclaredWrites::Flush() {
    if (first_ < next_) {
        Agreed agreed;
        ByteCount done = 0;
        const Status status = Agree(Status(), agreed);
        Keep(status.ok() && agreed.holds ? WriteOneByOne(next_, false, done) : status);
        Release();
        if (agreed.ends) {
            End();
        }
    }
    return TakeKept();
}

// Collective: all ranks return the same error, `local` of any of them included.
Status DeclaredWrites::Agree(Status local, Agreed &agreed) {
    const std::int64_t size = file_.team.size();
    // The earliest call that was another one than declared is the largest, and with it which rank made it.
    std::int64_t other = other_ == 0 ? 0 : (memory_->calls() + 1 - other_) * size + file_.team.rank();
    std::int64_t farthest = distance_.value_or(Agreement::kNoMaximum);
    std::int64_t nearest = distance_.value_or(Agreement::kNoMinimum);
    std::int64_t own = own_.error();
    agreed.holds = HeldEnd() > 0;
    Agreement agreement;
    agreement.Any(agreed.holds);
    agreement.All(agreed.whole);
    agreement.Max(other);
    agreement.Max(farthest);
    agreement.Min(nearest);
    agreement.Max(own);
    const Status status = agreement.Run(file_.team, local);
    Keep(Status(static_cast<int>(own)));
    own_ = Status();
    other_ = 0;
    const bool apart = farthest != Agreement::kNoMaximum && farthest != nearest;
    agreed.ends = other != 0 || apart;
    if (other != 0) {
        Say([&] {
            return "Call " + std::to_string(memory_->calls() + 1 - other / size) + " of " +
                   std::to_string(memory_->calls()) + " is not what rank " + std::to_string(other % size) +
                   " declared, or its buffer is in the memory of a device. Later calls are done as if nothing had been "
                   "declared.";
        });
    } else if (apart) {
        Say([] {
            return std::string("The calls of the processes are not moved by the same distance. Later calls are done as if "
                               "nothing had been declared.");
        });
    }
    return status;
}

Status DeclaredWrites::WriteOwn() {
    if (held_end_ == 0) {
        return own_;
    }
    for (int call = held_; call < next_; ++call) {
        const Status status = Guarded([&] {
            const Access access = memory_->Of(call, *distance_);
            ByteCount done = 0;
            return TransferOwnBytes(file_, OVERLAP_WRITE, access.file, access.memory, false, kLastOffset, true, done);
        });
        own_ = own_.ok() ? ForLater(status) : own_;
    }
    held_ = next_;
    held_end_ = 0;
    return own_;
}

// The range of all calls; all of the file where it is not known; empty where no rank may hold bytes.
Range DeclaredWrites::Refused() const {
    if (!on() || first_ == next_ || hull_.empty()) {
        return {};
    }
    Range held;
    const bool known = distance_.has_value() && !__builtin_add_overflow(hull_.first, *distance_, &held.first) &&
                       !__builtin_add_overflow(hull_.last, *distance_, &held.last);
    return known ? held : Range{INT64_MIN, INT64_MAX};
}

bool DeclaredWrites::Refuses(const Range &range) const {
    const Range refused = Refused();
    return !refused.empty() && !range.empty() && range.first < refused.last && refused.first < range.last;
}

bool DeclaredWrites::Refuses(const StridedList &list) const {
    const Range refused = Refused();
    return !refused.empty() && list.BytesBefore(refused.last) > list.BytesBefore(refused.first);
}

// What was held is in the file, or lost.
void DeclaredWrites::Release() noexcept {
    first_ = held_ = next_;
    held_end_ = 0;
}

void DeclaredWrites::BeginSet() noexcept {
    next_ = 0;
    distance_.reset();
    Release();
}

// Needs: nothing is held.
void DeclaredWrites::End() noexcept {
    memory_.reset();
    hull_ = Range();
    other_ = 0;
    BeginSet();
}

} // namespace overlap
