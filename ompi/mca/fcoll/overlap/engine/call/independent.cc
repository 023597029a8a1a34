// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "transfer.h"

#include "../access/cursor.h"
#include "../io/holes.h"
#include "../io/list_writer.h"
#include "../shuffle/copy.h"

#include <algorithm>

namespace overlap {
namespace {

constexpr std::size_t kExtentsAtOnce = 1024;

// Of a batch for the I/O thread, which works on it until the program calls MPI again.
constexpr std::size_t kExtentsAhead = 16 * kExtentsAtOnce;

// A long piece that goes to a server is so many requests.
constexpr ByteCount kRequest = ByteCount{4} << 20;

// Of a device's memory: long enough for copies and transfers to run at their full rate.
constexpr ByteCount kStagedAtOnce = ByteCount{4} << 20;

// Collects extents and hands them over in batches; stops at the first error, and at the end of the file.
class Batches {
  public:
    // `done`: the bytes up to now.
    Batches(FileState &file, overlap_direction direction, const StridedList &bytes, const StridedList &memory, bool others,
            FileOffset end, ByteCount &done)
        : direction_(direction), end_(end), done_(done), storage_(file.storage),
          alone_(direction == OVERLAP_WRITE && !others) {
        if (alone_) {
            HolesPolicy &holes = file.resources.holes();
            holes.Begin(holes.Offer());
            const overlap_holes asked = holes.For(bytes.end() - bytes.begin() > bytes.bytes());
            rule_.holes = holes.Allows() ? asked : OVERLAP_HOLES_LIST;
        }
        const overlap_file_facts facts = file.Facts();
        const bool atomic = direction == OVERLAP_WRITE && facts.atomic_mode != 0;
        rule_.parallel = !alone_ && !atomic && direction == OVERLAP_WRITE && facts.remote != 0 && facts.posix != 0 &&
                         FewOnNode(file.team);
        if (facts.posix != 0) {
            engine_ = &file.resources.thread();
            by_thread_ = !alone_ && file.team.transport().waits(file.team.transport().self) == 0;
            most_ = by_thread_ ? kExtentsAhead : kExtentsAtOnce;
        }
        if (atomic) { // one batch, as it has one lock
            most_ = static_cast<std::size_t>(bytes.Blocks() + memory.Blocks());
        }
        if (engine_ != nullptr) {
            engine_->SetRule(rule_);
            engine_->Prepare(by_thread_ ? 1 : 0, by_thread_ || rule_.parallel ? most_ : 0);
        }
        extents_.reserve(std::min(most_, static_cast<std::size_t>(bytes.PiecesAtLeast() + memory.PiecesAtLeast())));
    }

    void Add(FileOffset offset, std::int64_t address, ByteCount length) {
        length = std::min(length, end_ - offset);
        while (length > 0) {
            const ByteCount part = rule_.parallel ? std::min(length, kRequest) : length;
            extents_.push_back(overlap_extent{offset, reinterpret_cast<char *>(static_cast<std::intptr_t>(address)),
                                              static_cast<std::size_t>(part)});
            bytes_ += part;
            if (extents_.size() == most_) {
                Flush();
            }
            offset += part;
            address += part;
            length -= part;
        }
    }

    Status Finish() {
        Flush();
        return status_;
    }

  private:
    // More ranks have enough requests under way with one each.
    static bool FewOnNode(const Team &team) {
        const NodeMap &nodes = team.node_map();
        return static_cast<std::size_t>(nodes.CountOf(nodes.NodeOf(team.rank()))) < ListWriter::kFewestRequests;
    }

    void Flush() {
        if (!extents_.empty() && whole_) {
            ByteCount done = 0;
            status_ = Transfer(done);
            whole_ = status_.ok() && done == bytes_;
            done_ += done;
        }
        extents_.clear();
        bytes_ = 0;
    }

    // What is not sieved of a process that writes alone is fbtl's, which writes neighbours of the file in one call.
    Status Transfer(ByteCount &done) {
        if (by_thread_) {
            engine_->Start(0, direction_, extents_);
            return engine_->Wait(0, done);
        }
        if (engine_ != nullptr && (!alone_ || HasSieved(rule_, extents_))) {
            return engine_->Transfer(direction_, extents_, done);
        }
        std::size_t bytes = 0;
        const Status status(storage_.transfer(storage_.self, direction_, extents_.data(), extents_.size(), &bytes));
        done = static_cast<ByteCount>(bytes);
        return status;
    }

    const overlap_direction direction_;
    const FileOffset end_;
    ByteCount &done_;
    const overlap_storage &storage_;
    const bool alone_; // and writes
    WriteRule rule_;
    IoEngine *engine_ = nullptr;        // null: POSIX calls do not reach the file
    bool by_thread_ = false;            // transfers without waiting
    std::size_t most_ = kExtentsAtOnce; // of a batch
    Extents extents_;
    ByteCount bytes_ = 0; // of extents_
    bool whole_ = true;   // all batches so far
    Status status_;
};

Status OnHost(FileState &state, overlap_direction direction, const StridedList &file, const StridedList &memory,
              FileOffset end, bool others, ByteCount &done) {
    if (file.empty()) {
        return Status();
    }
    Batches batches(state, direction, file, memory, others, end, done);
    PackedRuns::Room room;
    Cursor walk(memory, room);
    file.ForEachBlock(0, file.bytes(), [&](FileOffset offset, ByteCount bytes, ByteCount) {
        walk.Next(bytes, [&](std::int64_t address, ByteCount length) {
            batches.Add(offset, address, length);
            offset += length;
        });
    });
    return batches.Finish();
}

// By way of a part of the host's memory.
Status OnDevice(FileState &state, overlap_direction direction, const StridedList &file, const StridedList &memory,
                FileOffset end, bool others, ByteCount &done) {
    const overlap_host &host = state.host;
    KeptMemory &stage_memory = state.resources.stage();
    stage_memory.Reserve(static_cast<std::size_t>(std::min(file.bytes(), kStagedAtOnce)));
    char *const stage = stage_memory.data();
    const auto copy = [&](overlap_direction way, ByteCount from, ByteCount to) {
        return CopyDevice(host, way, memory, {from, to}, stage);
    };
    // Of a read that does not ascend the end of the file may cut off bytes anywhere, which are as they were.
    const bool cut_anywhere = direction == OVERLAP_READ && !file.ascending();
    StridedList staged;
    Status status;
    for (ByteCount from = 0; from < file.bytes() && (done == from || cut_anywhere) && status.ok(); from += staged.bytes()) {
        const ByteCount bytes = std::min(file.bytes() - from, kStagedAtOnce);
        staged = StridedList();
        staged.Append(Run{static_cast<std::int64_t>(reinterpret_cast<std::intptr_t>(stage)), bytes, 0, 1});
        ByteCount moved = 0;
        status = direction == OVERLAP_WRITE || cut_anywhere ? copy(OVERLAP_WRITE, from, from + bytes) : Status();
        if (status.ok()) {
            status =
                Guarded([&] { return OnHost(state, direction, file.Part(from, from + bytes), staged, end, others, moved); });
        }
        if (direction == OVERLAP_READ && status.ok()) {
            status = copy(OVERLAP_READ, from, from + (cut_anywhere ? bytes : moved));
        }
        done += direction == OVERLAP_WRITE || status.ok() ? moved : 0;
    }
    return status;
}

} // namespace

Status TransferOwnBytes(FileState &file, overlap_direction direction, const StridedList &bytes, const StridedList &memory,
                        bool on_device, FileOffset end, bool others, ByteCount &done) {
    done = 0;
    return Guarded([&] { return (on_device ? OnDevice : OnHost)(file, direction, bytes, memory, end, others, done); });
}

} // namespace overlap
