// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// What lives with a file: sub-buffers, windows, the I/O engine, memory for messages.
#ifndef OVERLAP_ENGINE_CALL_RESOURCES_H
#define OVERLAP_ENGINE_CALL_RESOURCES_H

#include "../base/sub_buffers.h"
#include "../io/holes.h"
#include "../io/io_engine.h"
#include "../observe/watch.h"
#include "../shuffle/shuffle.h"
#include "../shuffle/windows.h"

#include <memory>

namespace overlap {

struct Choice;
struct KindState;

/// Kept as long as it serves, so that a call that repeats another takes no memory here.
class FileResources {
  public:
    FileResources(const Team &team, const overlap_storage &storage, const overlap_host &host,
                  const overlap_settings &settings, Watch &watch);

    /// Collective, for a new plan: decides which shuffle serves it, the same on all ranks, and makes windows for one that
    /// puts.
    overlap_shuffle ChooseShuffle(const KindState &kind) noexcept;

    /// The shuffle of a call, with what the calls of this plan need; `memory`, which may be a device's, and `enclosed`
    /// outlive it. Local. Throws std::bad_alloc.
    std::unique_ptr<Shuffle> MakeShuffle(const KindState &kind, const StridedList &memory, bool on_device,
                                         const Enclosed &enclosed);

    /// The ranks have agreed to begin a call.
    void BeginCall() { io_->SetRule(holes_.Allows() ? rule_ : WriteRule{OVERLAP_HOLES_LIST, rule_.stripe, rule_.parallel}); }

    /// Behind a write: says so where a lock was not free in time.
    void SayLocks();

    /// Collective: gives back the windows.
    void FreeTogether() { windows_.Free(); }

    /// In use.
    const SubBuffers &buffers() const { return buffers_; }
    IoEngine &io() const { return *io_; }
    /// Of the file's I/O thread, which may be the same one; to be prepared by its user.
    IoEngine &thread() const { return *thread_; }
    HolesPolicy &holes() { return holes_; }
    const HolesPolicy &holes() const { return holes_; }
    LockPatience &patience() { return patience_; }
    KeptMemory &stage() { return stage_; }

  private:
    void Prepare(const KindState &kind);
    void PrepareIo(const KindState &kind);

    const Team &team_;
    const overlap_storage &storage_;
    const overlap_host &host_;
    Watch &watch_;
    Windows windows_; // of writes
    PackMemory pack_;
    Staging staging_;
    KeptMemory stage_; // of independent transfers from or to a device, and of common reads
    SubBuffers buffers_;
    HolesPolicy holes_;
    LockPatience patience_;
    bool explained_locks_ = false;
    std::shared_ptr<IoEngine> thread_;          // behind the sub-buffers, which it may still use when it is destroyed
    std::shared_ptr<IoEngine> io_;              // that serves the plan
    WriteRule rule_;                            // of the plan
    std::size_t most_ = 1;                      // messages of this rank, an aggregator, under way
    overlap_writer made_ = OVERLAP_WRITER_AUTO; // the kind of io_ that was chosen
    std::int64_t prepared_ = 0;                 // number of the plan that all of it serves
};

} // namespace overlap

#endif
