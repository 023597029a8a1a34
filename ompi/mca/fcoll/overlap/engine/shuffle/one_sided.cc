// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Shuffles of writes by puts into the windows of the aggregators (Feki & Gabriel, section III-B). What differs is how an
// epoch begins and ends: by fences of all ranks, or by locks.
#include "arrivals.h"
#include "calls_to_clients.h"
#include "windows.h"

#include <algorithm>
#include <array>

namespace overlap {
namespace {

// Below it what a whole share may be cut into is as good a bound as what a cycle may.
constexpr std::size_t kFewShareRuns = 256;

// The most places of any share in a cycle: a run is at most a part of a block, whole blocks and a part of one.
std::size_t MostPlaces(const Plan &plan) {
    std::size_t most = 0;
    for (const Share &share : plan.shares) {
        const StridedList &data = share.positions.data.empty() ? share.file : share.positions.data;
        std::size_t runs = data.runs();
        if (runs > kFewShareRuns) {
            runs = 0;
            share.cuts.ForEachPartOf(share.file, [&](ByteCount from, ByteCount to) {
                runs = std::max(runs, data.HolderAt(to - 1).number - data.HolderAt(from).number + 1);
            });
        }
        most = std::max(most, 3 * runs);
    }
    return most;
}

class OneSidedShuffle : public Shuffle {
  protected:
    explicit OneSidedShuffle(const ShuffleJob &job) : job_(job), own_(job_), arrivals_(job_) {
        targets_.reserve(job_.plan.shares.size());
        pieces_.reserve(job_.most_pieces);
        places_.reserve(MostPlaces(job_.plan));
    }

    const overlap_transport &transport() const noexcept { return job_.team.transport(); }
    overlap_window *WindowOf(Slot slot) const noexcept { return job_.windows->At(slot); }

    /// The other ranks to which this one sends bytes of `cycle`, ascending. Valid until the next call.
    const std::vector<Rank> &Targets(Cycle cycle) noexcept {
        targets_.clear();
        ForEachShare(cycle, [this](const Share &share) { targets_.push_back(share.aggregator); });
        std::sort(targets_.begin(), targets_.end());
        targets_.erase(std::unique(targets_.begin(), targets_.end()), targets_.end());
        return targets_;
    }

    /// Puts this rank's bytes of `cycle` into the sub-buffers of other ranks, one put for each share. Needs an epoch, and
    /// that PackMemory has begun the sends of the cycle.
    Status Put(Cycle cycle, Slot slot) noexcept {
        Status status;
        ForEachShare(cycle, [&](const Share &share) {
            const Status packed =
                job_.pack.PiecesOf(share, share.First(cycle), share.Last(cycle), job_.memory, slot, pieces_);
            status.Merge(packed);
            if (packed.ok()) {
                FindPlaces(share, cycle);
                status.Merge(Status(transport().put(transport().self, WindowOf(slot), share.aggregator, pieces_.data(),
                                                    pieces_.size(), places_.data(), places_.size())));
            }
        });
        return status;
    }

    const ShuffleJob job_;
    OwnShares own_;
    Arrivals arrivals_;

  private:
    // Those that have bytes in `cycle` and are another rank's to aggregate.
    template <typename Visit> void ForEachShare(Cycle cycle, Visit visit) const noexcept {
        for (const Share &share : job_.plan.shares) {
            if (share.aggregator != job_.team.rank() && share.First(cycle) < share.Last(cycle)) {
                visit(share);
            }
        }
    }

    // In the window of the share's aggregator. In a domain without gaps a byte's position in the data is its offset in the
    // domain.
    void FindPlaces(const Share &share, Cycle cycle) noexcept {
        const bool gapless = share.positions.data.empty();
        const StridedList &data = gapless ? share.file : share.positions.data;
        const ByteCount base = gapless ? share.cuts.Begin(cycle) : share.positions.cuts.Begin(cycle);
        const ByteCount start = static_cast<ByteCount>(share.owned) * SubBuffers::Stride(job_.plan.fullest_cycle);
        places_.clear();
        data.ForEach(share.First(cycle), share.Last(cycle), [&](const Run &run, ByteCount) {
            places_.push_back(overlap_piece{reinterpret_cast<char *>(static_cast<std::intptr_t>(start + run.start - base)),
                                            static_cast<std::size_t>(run.length), static_cast<std::ptrdiff_t>(run.stride),
                                            static_cast<std::size_t>(run.count)});
        });
    }

    std::vector<Rank> targets_;
    Pieces pieces_; // of this rank's memory
    Pieces places_; // of a window
};

class PutFenceShuffle final : public OneSidedShuffle {
  public:
    explicit PutFenceShuffle(const ShuffleJob &job) : OneSidedShuffle(job) {}

    // The opening fence is what keeps a rank from filling a sub-buffer that is not written yet: its aggregator comes here
    // only after that.
    Status Start(Cycle cycle, Slot slot) noexcept override {
        const Status status = arrivals_.Expect(cycle);
        Status &puts = puts_of_slot_[static_cast<std::size_t>(slot)];
        job_.pack.BeginSends(cycle, slot);
        puts = Fence(slot, OVERLAP_FENCE_OPEN);
        puts.Merge(job_.pack.Packed(slot));
        puts.Merge(Put(cycle, slot));
        job_.pack.PackAhead(cycle + 1);
        return status;
    }

    Status Wait(Cycle cycle, Slot slot) noexcept override {
        Status puts = puts_of_slot_[static_cast<std::size_t>(slot)];
        puts.Merge(Fence(slot, OVERLAP_FENCE_CLOSE));
        Status status = arrivals_.Tell(slot, Targets(cycle), puts);
        status.Merge(puts);
        status.Merge(own_.Copy(cycle, slot));
        status.Merge(arrivals_.Wait(cycle, slot));
        return status;
    }

    Status Test(Cycle cycle, Slot slot, bool &done) noexcept override {
        done = true;
        return Wait(cycle, slot);
    }

    bool CompletesInAnyOrder() const noexcept override { return false; }

    Status Finish() noexcept override { return arrivals_.Finish(); }

  private:
    Status Fence(Slot slot, overlap_fence fence) noexcept {
        return Status(transport().window_fence(transport().self, WindowOf(slot), fence));
    }

    std::array<Status, OVERLAP_SLOTS_MAX> puts_of_slot_;
};

// The locks are shared, as no two ranks put the same byte. A lock says neither that all data of a cycle has arrived nor that
// a sub-buffer may be filled again. The paper has a barrier of all ranks for each; here messages tell those whom it
// concerns, the aggregators of the data (arrivals.h) and the ranks that have some, so that no rank waits for others that it
// has nothing to do with.
class PutLockShuffle final : public OneSidedShuffle {
  public:
    explicit PutLockShuffle(const ShuffleJob &job)
        : OneSidedShuffle(job), calls_(job_, job_.slots), free_(transport()), slots_(static_cast<std::size_t>(job_.slots)) {
        free_.Reserve(job_.plan.shares.size());
        freed_.reserve(job_.plan.shares.size());
        for (OfSlot &own : slots_) {
            own.locked.reserve(job_.plan.shares.size());
        }
    }

    Status Start(Cycle cycle, Slot slot) noexcept override {
        const bool used_before = cycle >= job_.slots;
        OfSlot &own = At(slot);
        job_.pack.BeginSends(cycle, slot);
        Status status = arrivals_.Expect(cycle);
        // An aggregator comes here only when what the slot held before is written.
        status.Merge(used_before ? calls_.Start(cycle, OVERLAP_SUCCESS) : Status());
        const std::vector<Rank> &targets = Targets(cycle);
        own.puts = used_before ? WaitUntilFree(targets) : Status();
        own.puts.Merge(job_.pack.Packed(slot));
        own.puts.Merge(Lock(slot, targets));
        if (own.puts.ok()) {
            own.puts = Put(cycle, slot);
        }
        job_.pack.PackAhead(cycle + 1);
        return status;
    }

    Status Wait(Cycle cycle, Slot slot) noexcept override {
        Status status = EndPuts(cycle, slot);
        status.Merge(calls_.LetGoOn([&](bool &done) { status.Merge(arrivals_.Test(cycle, slot, done)); }));
        status.Merge(arrivals_.Wait(cycle, slot));
        status.Merge(TakeArrivals(cycle, slot));
        return status;
    }

    Status Test(Cycle cycle, Slot slot, bool &done) noexcept override {
        Status status = calls_.Progress();
        status.Merge(EndPuts(cycle, slot));
        status.Merge(arrivals_.Test(cycle, slot, done));
        if (done) {
            status.Merge(TakeArrivals(cycle, slot));
        }
        return status;
    }

    Status Finish() noexcept override {
        Status status = calls_.Finish();
        status.Merge(arrivals_.Finish());
        return status;
    }

  private:
    struct OfSlot {
        Status puts;              // of the cycle, up to the end of its locks
        std::vector<Rank> locked; // with whom an epoch has begun
        Cycle ended = -1;         // the last cycle whose puts have ended
    };

    OfSlot &At(Slot slot) { return slots_[static_cast<std::size_t>(slot)]; }

    // After an error some are locked.
    Status Lock(Slot slot, const std::vector<Rank> &targets) noexcept {
        Status status;
        for (const Rank target : targets) {
            const Status one(transport().window_lock(transport().self, WindowOf(slot), target));
            if (one.ok()) {
                At(slot).locked.push_back(target);
            }
            status.Merge(one);
        }
        return status;
    }

    Status Unlock(Slot slot) noexcept {
        Status status;
        for (const Rank target : At(slot).locked) {
            status.Merge(Status(transport().window_unlock(transport().self, WindowOf(slot), target)));
        }
        At(slot).locked.clear();
        return status;
    }

    // Once for each cycle: the aggregators have this rank's data, and are notified. Cycles come here in their order,
    // whatever completes first, so that each message meets the receive of its cycle.
    Status EndPuts(Cycle cycle, Slot slot) noexcept {
        OfSlot &own = At(slot);
        if (own.ended == cycle) {
            return Status();
        }
        own.ended = cycle;
        own.puts.Merge(Unlock(slot));
        Status status;
        status.Merge(calls_.LetGoOn([&](bool &done) { status.Merge(arrivals_.TestTold(slot, done)); }));
        status.Merge(arrivals_.Tell(slot, Targets(cycle), own.puts));
        status.Merge(own.puts);
        return status;
    }

    // All data has arrived. An epoch of this rank with itself makes sure that it sees what others have put into its memory
    // (MPI-3.1, section 11.7).
    Status TakeArrivals(Cycle cycle, Slot slot) noexcept {
        if (job_.plan.owned.empty()) {
            return Status();
        }
        Status status(transport().window_lock(transport().self, WindowOf(slot), transport().rank));
        if (status.ok()) {
            status = Status(transport().window_unlock(transport().self, WindowOf(slot), transport().rank));
        }
        status.Merge(own_.Copy(cycle, slot));
        return status;
    }

    Status WaitUntilFree(const std::vector<Rank> &targets) noexcept {
        Status status;
        freed_.assign(targets.size(), OVERLAP_SUCCESS);
        for (std::size_t i = 0; i < targets.size(); ++i) {
            status.Merge(free_.Receive(targets[i], kTagFree, &freed_[i], 1));
        }
        status.Merge(calls_.LetGoOn([&](bool &done) { status.Merge(free_.Test(done)); }));
        status.Merge(free_.Wait());
        return status;
    }

    CallsToClients calls_;            // that the sub-buffer is free
    std::vector<std::int64_t> freed_; // words without a meaning, from aggregators
    Messages free_;                   // with these
    std::vector<OfSlot> slots_;
};

} // namespace

std::unique_ptr<Shuffle> MakePutFenceShuffle(const ShuffleJob &job) { return std::make_unique<PutFenceShuffle>(job); }

std::unique_ptr<Shuffle> MakePutLockShuffle(const ShuffleJob &job) { return std::make_unique<PutLockShuffle>(job); }

} // namespace overlap
