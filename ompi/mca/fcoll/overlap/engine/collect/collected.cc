#include "collected.h"

#include "../access/device_copy.h"
#include "../shuffle/copy_blocks.h"

#include <algorithm>
#include <utility>

namespace overlap {
namespace {

constexpr std::size_t kMostCalls = 4096; // of which each takes memory for its layout, and for nothing else where it is empty

} // namespace

void Collected::Reserve(std::size_t calls, ByteCount room) {
    calls_.reserve(calls);
    if (capacity_ < room) {
        TakeRoom(room);
    }
}

// Needs: nothing is held in what there was.
void Collected::TakeRoom(ByteCount room) {
    memory_.reset(); // first, so that the two are never there together
    capacity_ = 0;
    memory_.reset(new char[static_cast<std::size_t>(room)]); // what is not used never becomes resident
    capacity_ = room;
}

bool Collected::Prepare(const StridedList &file, ByteCount room) {
    prepared_ = Access();
    if (file.bytes() > room - used_ || calls_.size() == kMostCalls) {
        return false;
    }
    if (calls_.size() == calls_.capacity()) {
        calls_.reserve(std::max<std::size_t>(8, 2 * calls_.size()));
    }
    if (!file.empty() && capacity_ < room) {
        if (used_ > 0) { // copies are where their calls say; the room grows when they are gone
            return false;
        }
        TakeRoom(room);
    }
    prepared_.file = file;
    if (!file.empty()) {
        const auto start = static_cast<std::int64_t>(reinterpret_cast<std::intptr_t>(memory_.get() + used_));
        prepared_.memory.Append(Run{start, file.bytes(), 0, 1});
    }
    return true;
}

void Collected::Add(const StridedList &memory) noexcept {
    char *to = memory_.get() + used_;
    memory.ForEachRun([&to](const Run &run) {
        CopyBlocks(to, run.length, reinterpret_cast<const char *>(static_cast<std::intptr_t>(run.start)), run.stride,
                   run.length, run.count);
        to += run.bytes();
    });
    AddPrepared();
}

Status Collected::AddFromDevice(const overlap_host &device, const StridedList &memory) noexcept {
    DeviceCopy copy(device, OVERLAP_WRITE, memory_.get() + used_);
    memory.ForEachRun([&copy](const Run &run) { copy.Add(run); });
    const Status status = copy.Finish();
    if (status.ok()) {
        AddPrepared();
    }
    return status;
}

void Collected::AddPrepared() noexcept {
    used_ += prepared_.file.bytes();
    bytes_ += prepared_.file.bytes();
    calls_.push_back(std::move(prepared_));
    prepared_ = Access();
}

void Collected::Place(Access access) noexcept {
    bytes_ += access.file.bytes();
    calls_.push_back(std::move(access));
}

bool Collected::Reaches(FileOffset first, FileOffset last) const noexcept {
    return std::any_of(calls_.begin(), calls_.end(), [&](const Access &call) {
        return !call.file.empty() && call.file.begin() < last && first < call.file.end();
    });
}

FileOffset Collected::End() const noexcept {
    FileOffset end = 0;
    for (const Access &call : calls_) {
        end = std::max(end, call.file.empty() ? 0 : call.file.end());
    }
    return end;
}

void Collected::Forget() noexcept {
    for (Access &call : calls_) {
        call = Access();
    }
    used_ = 0;
    bytes_ = 0;
}

void Collected::Clear() noexcept {
    calls_.clear();
    used_ = 0;
    bytes_ = 0;
}

} // namespace overlap
