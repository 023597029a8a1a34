// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "declared_writes.h"

#include "../access/cursor.h"
#include "../base/guard.h"
#include "../call/transfer.h"
#include "../team/agreement.h"
#include "declared_union.h"

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

Range HullOf(const std::vector<StridedList> &layouts) {
    Range hull;
    for (const StridedList &layout : layouts) {
        if (!layout.empty()) {
            hull = hull.empty() ? Range{layout.begin(), layout.end()}
                                : Range{std::min(hull.first, layout.begin()), std::max(hull.last, layout.end())};
        }
    }
    return hull;
}

// The caller of the engine takes OVERLAP_ERR_ARG for an error of the call's own access, of which nothing is done. A later
// call must not return it.
Status ForLater(Status status) { return status.error() == OVERLAP_ERR_ARG ? Status(OVERLAP_ERR_OTHER) : status; }

const char *WhyNot(Status status) {
    switch (status.error()) {
    case OVERLAP_ERR_NO_MEM:
        return "A process has not the memory for it.";
    case OVERLAP_ERR_ACCESS:
        return "The program may use MPI from several threads at the same time (MPI_THREAD_MULTIPLE), so that another thread "
               "could access the file between the calls.";
    case OVERLAP_SUCCESS:
        return "Not all processes have declared the same number of calls.";
    default:
        return "The layouts of a process are too long for the info of the file, or cannot be read.";
    }
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
    const Range hull = HullOf(layouts);
    const auto count = static_cast<std::int64_t>(layouts.size());
    local.Merge(Guarded([&] {
        held_.resize(layouts.size());
        memory_ = std::make_unique<DeclaredMemory>(std::move(layouts));
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
    } else if (next_ + 1 == calls()) {
        status = WriteLast(call);
    } else {
        status = HoldCall(call);
        own_ = own_.ok() ? ForLater(status) : own_;
        ++next_;
        since_flush_ = true;
        status = Status();
    }
    const Status kept = TakeKept();
    return kept.ok() ? status : kept;
}

// Local. The first call of a set that has bytes tells the distance.
bool DeclaredWrites::IsDeclared(const Access &access) noexcept {
    const StridedList &layout = memory_->layout(next_);
    bool declared = layout.empty() && access.file.empty();
    if (!layout.empty() && !access.file.empty()) {
        const std::int64_t distance = moved_ ? distance_ : access.file.begin() - layout.begin();
        declared = IsMoved(access.file, layout, distance);
        if (declared) {
            moved_ = true;
            distance_ = distance;
        }
    }
    declared = declared && !access.on_device;
    if (!declared && other_ == 0) {
        other_ = next_ + 1;
    }
    return declared;
}

// Local. All ranks hear of a failure when they agree next.
Status DeclaredWrites::HoldCall(CallState &call) {
    if (!call.status.ok()) {
        whole_ = false;
        return call.status;
    }
    Access held;
    const bool declared = IsDeclared(call.access);
    const Status status = Guarded([&] {
        held.file = call.access.file;
        held.memory = memory_->PlaceOf(next_);
    });
    if (!declared || !may_hold_ || !status.ok()) {
        return WriteAtOnce(call);
    }
    memory_->Take(next_, call.access.memory);
    held_[static_cast<std::size_t>(next_)] = std::move(held);
    call.done = call.bytes;
    return Status();
}

// Local. The bytes of earlier calls go first, so that of two calls with the same byte the later one's stays.
Status DeclaredWrites::WriteAtOnce(CallState &call) {
    const Access &access = call.access;
    static_cast<void>(WriteOwn());
    whole_ = false;
    const Status status = file_.independent.Transfer(OVERLAP_WRITE, access.file, access.memory, access.on_device,
                                                     kLastOffset, true, call.done);
    call.done = status.ok() && call.done == access.file.bytes() ? call.bytes : call.done;
    return status;
}

// Where a rank does not hold all of its bytes, what is held is written first, then the call.
Status DeclaredWrites::WriteLast(CallState &call) {
    Access whole;
    Agreed agreed;
    Status status = Agree(call.status, call.status.ok() && PrepareWhole(call.access, whole), agreed);
    if (status.ok() && agreed.whole) {
        status = WriteWhole(std::move(whole), call);
    } else {
        held_.back() = Access();
        Keep(agreed.holds ? WriteHeld() : Status());
        status = status.ok() ? TransferCall(file_, call) : status;
    }
    BeginSet();
    if (agreed.ends) {
        End();
    }
    return status;
}

// Local: whether this rank holds all calls of the set and can hold the last one; `whole` is all of them then.
bool DeclaredWrites::PrepareWhole(const Access &last, Access &whole) noexcept {
    if (!IsDeclared(last) || !whole_ || !may_hold_) {
        return false;
    }
    Access &held = held_[static_cast<std::size_t>(next_)];
    const Status status = Guarded([&] {
        whole = memory_->Whole(distance_);
        held.file = last.file;
        held.memory = memory_->PlaceOf(next_);
    });
    if (!status.ok()) {
        held = Access();
    }
    return status.ok();
}

// Collective. After an error the bytes of the last call count as far as those in the file cannot be those of calls before.
Status DeclaredWrites::WriteWhole(Access whole, CallState &last) {
    ByteCount before = 0;
    for (int call = 0; call < next_; ++call) {
        before += memory_->layout(call).bytes();
    }
    memory_->Take(next_, last.access.memory);
    CallState all = NewCall();
    all.access = std::move(whole);
    all.bytes = all.access.file.bytes();
    all.several_calls = true;
    const Status status = TransferCall(file_, all);
    if (all.overlaps || status.error() == OVERLAP_ERR_NO_MEM) {
        return WriteOneByOne(calls(), true, last.done);
    }
    last.done = status.ok() && all.done == all.bytes ? last.bytes : std::max<ByteCount>(0, all.done - before);
    return status;
}

// Collective: the calls that no flush has written, as one. Nothing is held after that.
Status DeclaredWrites::WriteHeld() {
    if (first_ == next_) {
        return Status();
    }
    CallState all = NewCall();
    all.calls = 0;
    all.several_calls = next_ - first_ > 1;
    all.status = Guarded([&] {
        std::vector<const Access *> accesses;
        for (const Access &access : held_) {
            accesses.push_back(&access);
        }
        all.access = Merged(accesses);
    });
    all.bytes = all.access.file.bytes();
    Status status = TransferCall(file_, all);
    if (all.overlaps || status.error() == OVERLAP_ERR_NO_MEM) {
        ByteCount done = 0;
        status = WriteOneByOne(next_, false, done);
    }
    Release();
    return status;
}

// Collective, in the order of the calls up to `end`, the last call of the set among them or not. Of several errors the first
// is returned; `done` is that of the last.
Status DeclaredWrites::WriteOneByOne(int end, bool last, ByteCount &done) {
    Status first;
    for (int number = first_; number < end; ++number) {
        CallState one = NewCall();
        one.calls = last && number + 1 == end ? 1 : 0;
        one.status = Guarded([&] { one.access = held_[static_cast<std::size_t>(number)]; });
        one.bytes = one.access.file.bytes();
        const Status status = TransferCall(file_, one);
        done = one.done;
        first = first.ok() ? status : first;
    }
    return first;
}

Status DeclaredWrites::Flush() {
    if (since_flush_) {
        Agreed agreed;
        const Status status = Agree(Status(), false, agreed);
        Keep(status.ok() && agreed.holds ? WriteHeld() : status);
        Release();
        if (agreed.ends) {
            End();
        }
    }
    return TakeKept();
}

// Collective: all ranks return the same error, `local` of any of them included.
Status DeclaredWrites::Agree(Status local, bool whole, Agreed &agreed) {
    const std::int64_t size = file_.team.size();
    // The earliest call that was another one than declared is the largest, and with it which rank made it.
    std::int64_t other = other_ == 0 ? 0 : (calls() + 1 - other_) * size + file_.team.rank();
    std::int64_t farthest = moved_ ? distance_ : Agreement::kNoMaximum;
    std::int64_t nearest = moved_ ? distance_ : Agreement::kNoMinimum;
    std::int64_t own = own_.error();
    agreed.holds = HeldEnd() > 0;
    agreed.whole = whole;
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
            return "Call " + std::to_string(calls() + 1 - other / size) + " of " + std::to_string(calls()) +
                   " is not what rank " + std::to_string(other % size) +
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
    for (Access &access : held_) {
        if (!access.file.empty()) {
            ByteCount done = 0;
            const Status status =
                file_.independent.Transfer(OVERLAP_WRITE, access.file, access.memory, false, kLastOffset, true, done);
            own_ = own_.ok() ? ForLater(status) : own_;
            access = Access();
            whole_ = false;
        }
    }
    return own_;
}

bool DeclaredWrites::Refuses(const Range &range) const {
    if (!on() || !since_flush_ || hull_.empty() || range.empty()) {
        return false;
    }
    Range held;
    const bool known = moved_ && !__builtin_add_overflow(hull_.first, distance_, &held.first) &&
                       !__builtin_add_overflow(hull_.last, distance_, &held.last);
    return !known || (range.first < held.last && held.first < range.last);
}

FileOffset DeclaredWrites::HeldEnd() const noexcept {
    FileOffset end = 0;
    for (const Access &access : held_) {
        end = std::max(end, access.file.empty() ? 0 : access.file.end());
    }
    return end;
}

// What was held is in the file, or lost. Calls of the set that are held from now on are not all of it.
void DeclaredWrites::Release() noexcept {
    for (Access &access : held_) {
        access = Access();
    }
    first_ = next_;
    whole_ = next_ == 0;
    since_flush_ = false;
}

void DeclaredWrites::BeginSet() noexcept {
    next_ = 0;
    moved_ = false;
    distance_ = 0;
    Release();
}

// Needs: nothing is held.
void DeclaredWrites::End() noexcept {
    memory_.reset();
    held_.clear();
    hull_ = Range();
    other_ = 0;
    BeginSet();
}

Status DeclaredWrites::TakeKept() { return std::exchange(kept_, Status()); }

} // namespace overlap
