// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Shuffles of writes by puts into the windows of the aggregators (Feki & Gabriel, section III-B). An epoch begins and ends
// by fences of all ranks, or by locks.
//
// The end of an epoch says to nobody but its origin whether the puts succeeded. An aggregator that treated it as the arrival
// of the data would write what its sub-buffer held before. So each origin sends a word, its status, for each share. Words
// are bounded as data is, by ClientMessages.
//
// An opening fence keeps a rank from filling a sub-buffer that is not written yet, as the aggregator comes to it only after
// that. The locks are shared, as no two ranks put the same byte. A lock says neither that all data of a cycle has arrived
// nor that a sub-buffer may be filled again. The paper has a barrier of all ranks for each; here messages tell those whom it
// concerns, the aggregators of the data and the ranks that have some, so that no rank waits for others that it has nothing
// to do with.
#include "client_messages.h"
#include "throttle.h"
#include "windows.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace overlap {
namespace {

/// The words with which origins tell an aggregator that the bytes of a share in a cycle are there, or are not.
class Arrivals final : public ClientMessages {
  public:
    /// Throws std::bad_alloc.
    explicit Arrivals(const ShuffleJob &job) : Arrivals(job, MostWords(job.plan, job.slots, job.throttle)) {}
    ~Arrivals() override { Drain(); }

    /// The most severe status of those that have come since the last call.
    Status Heard(Slot slot) noexcept { return std::exchange(heard_[static_cast<std::size_t>(slot)], Status()); }

  private:
    Arrivals(const ShuffleJob &job, std::size_t most) : ClientMessages(job, 0, most, 1), words_(most) {
        free_.reserve(most);
        for (std::int64_t &word : words_) {
            free_.push_back(&word);
        }
    }

    bool Begin(const ClientMessage &message, Status &status) noexcept override {
        if (message.client->rank != job_.team.rank()) {
            std::int64_t *const word = free_.back();
            free_.pop_back();
            *word = OVERLAP_SUCCESS; // if the receive fails
            pieces_.assign(1, PieceOfWords(word, 1));
            status.Merge(Receive(message, kTagArrived, pieces_.front().address));
        }
        return true;
    }

    void Complete(const ClientMessage &message, char *memory) noexcept override {
        auto *const word = reinterpret_cast<std::int64_t *>(memory);
        heard_[static_cast<std::size_t>(message.slot)].Merge(Status(static_cast<int>(*word)));
        free_.push_back(word);
    }

    std::vector<std::int64_t> words_;
    std::vector<std::int64_t *> free_;
    std::array<Status, OVERLAP_SLOTS_MAX> heard_; // of each slot
};

/// Messages without bytes that tell the clients of a cycle that its sub-buffers may be filled again.
///
/// Nobody waits for ever: who waits for something else continues with those that are left meanwhile, as the ranks that they
/// are for may be what it waits for. One is complete when its client has come to the start of the cycle; before that the
/// client waits only for what other ranks do for earlier cycles.
class Releases final : public ClientMessages {
  public:
    /// Throws std::bad_alloc.
    explicit Releases(const ShuffleJob &job) : ClientMessages(job, 0, MostWords(job.plan, job.slots, job.throttle), 1) {}

    /// As Progress. A message is often complete when it is sent: then nobody comes back for those behind it before the file
    /// has been waited for.
    Status Continue() noexcept {
        Status status;
        do {
            some_complete_ = false;
            status.Merge(Progress());
        } while (some_complete_ && HasMore());
        return status;
    }

  private:
    // What was filled for the first time was free without that.
    bool Begin(const ClientMessage &message, Status &status) noexcept override {
        if (message.client->rank != job_.team.rank() && message.cycle >= job_.slots) {
            pieces_.assign(1, kNoBytes);
            status.Merge(Send(message, kTagFree, OVERLAP_SEND_STANDARD, nullptr));
        }
        return true;
    }

    void Complete(const ClientMessage & /*message*/, char * /*memory*/) noexcept override { some_complete_ = true; }

    bool some_complete_ = false;
};

class OneSided final : public Shuffle {
  public:
    OneSided(overlap_shuffle shuffle, const ShuffleJob &job)
        : job_(job), fences_(shuffle == OVERLAP_SHUFFLE_PUT_FENCE), arrivals_(job_), free_(transport()) {
        const std::size_t shares = job_.plan.shares.size();
        if (!fences_) {
            releases_.emplace(job_);
            free_.Reserve(shares);
        }
        std::size_t most_places = 0;
        for (const Share &share : job_.plan.shares) {
            most_places = std::max(most_places, MostPieces(share, [&share](ByteCount from, ByteCount to) {
                                       return RunsBetween(share.file, from, to - 1);
                                   }));
        }
        pieces_.reserve(job_.pack.MostPieces());
        places_.reserve(most_places);
        for (int slot = 0; slot < job_.slots; ++slot) {
            OfSlot &own = slots_.emplace_back(OfSlot{Messages(transport())});
            own.words.Reserve(shares);
            own.locked.reserve(shares);
        }
    }

    // With locks an aggregator comes here only when what the slot held before is written.
    Status Start(Cycle cycle, Slot slot) noexcept override {
        OfSlot &own = At(slot);
        job_.pack.BeginSends(cycle, slot);
        Status status = arrivals_.Start(cycle);
        if (fences_) {
            own.puts = Fence(slot, OVERLAP_FENCE_OPEN);
        } else {
            status.Merge(releases_->Start(cycle));
            status.Merge(releases_->Continue());
            own.puts = cycle >= job_.slots ? WaitUntilFree(cycle) : Status();
        }
        own.puts.Merge(job_.pack.Packed(slot));
        own.puts.Merge(fences_ ? Status() : Lock(cycle, slot));
        if (own.puts.ok()) {
            own.puts = Put(cycle, slot);
        }
        job_.pack.PackAhead(cycle + 1);
        return status;
    }

    Status Wait(Cycle cycle, Slot slot) noexcept override {
        Status status = EndPuts(cycle, slot);
        status.Merge(ContinueUntil([&](bool &done) { return TestArrivals(cycle, slot, done); }));
        status.Merge(arrivals_.Wait(cycle, slot));
        status.Merge(TakeArrivals(cycle, slot));
        return status;
    }

    // With locks only.
    Status Test(Cycle cycle, Slot slot, bool &done) noexcept override {
        Status status = releases_->Continue();
        status.Merge(EndPuts(cycle, slot));
        status.Merge(TestArrivals(cycle, slot, done));
        if (done) {
            status.Merge(TakeArrivals(cycle, slot));
        }
        return status;
    }

    bool CompletesInAnyOrder() const noexcept override { return !fences_; }

    Status Finish() noexcept override {
        Status status = fences_ ? Status() : releases_->Finish();
        status.Merge(arrivals_.Finish());
        for (OfSlot &own : slots_) {
            status.Merge(own.words.Wait());
        }
        return status;
    }

  private:
    struct OfSlot {
        Messages words; // with `word`, to the aggregators
        std::int64_t word = OVERLAP_SUCCESS;
        Status puts = {};              // of the cycle, up to the end of its epochs
        std::vector<Rank> locked = {}; // with whom an epoch has begun
        Cycle ended = -1;              // the last cycle whose puts have ended
    };

    OfSlot &At(Slot slot) { return slots_[static_cast<std::size_t>(slot)]; }
    const overlap_transport &transport() const noexcept { return job_.team.transport(); }
    overlap_window *WindowOf(Slot slot) const noexcept { return job_.windows.At(slot); }

    /// Calls visit(share) for those that have bytes in `cycle` and are another rank's to aggregate.
    template <typename Visit> void ForEachShare(Cycle cycle, Visit visit) const noexcept {
        for (const Share &share : job_.plan.shares) {
            if (share.aggregator != job_.team.rank() && share.First(cycle) < share.Last(cycle)) {
                visit(share);
            }
        }
    }

    /// Calls test(done) again and again, starting the releases that are left, until it is done or none is left.
    template <typename Test> Status ContinueUntil(Test test) noexcept {
        Status status;
        for (bool done = fences_; !done && releases_->HasMore();) {
            status.Merge(releases_->Continue());
            status.Merge(test(done));
        }
        return status;
    }

    // Into the sub-buffers of other ranks, one put for each share. Needs an epoch.
    Status Put(Cycle cycle, Slot slot) noexcept {
        Status status;
        ForEachShare(cycle, [&](const Share &share) {
            const Status packed = job_.pack.PiecesToSend(share, share.First(cycle), share.Last(cycle), slot, pieces_);
            status.Merge(packed);
            if (packed.ok()) {
                FindPlaces(share, cycle);
                status.Merge(Status(transport().put(transport().self, WindowOf(slot), share.aggregator, pieces_.data(),
                                                    pieces_.size(), places_.data(), places_.size())));
            }
        });
        return status;
    }

    // In the window of the share's aggregator. As the domain has no gaps, a byte's position in its data is its offset there.
    void FindPlaces(const Share &share, Cycle cycle) noexcept {
        const ByteCount base = share.cuts.Begin(cycle);
        const ByteCount start = static_cast<ByteCount>(share.owned) * SubBuffers::Stride(job_.plan.fullest_cycle);
        places_.clear();
        share.file.ForEach(share.First(cycle), share.Last(cycle), [&](const Run &run, ByteCount) {
            places_.push_back(PieceAt(InMemory::AddressOf(start + run.start - base), run));
        });
    }

    Status Fence(Slot slot, overlap_fence fence) noexcept {
        return Status(transport().window_fence(transport().self, WindowOf(slot), fence));
    }

    // Each aggregator once. After an error some are locked.
    Status Lock(Cycle cycle, Slot slot) noexcept {
        Status status;
        std::vector<Rank> &locked = At(slot).locked;
        ForEachShare(cycle, [&](const Share &share) { locked.push_back(share.aggregator); });
        std::sort(locked.begin(), locked.end());
        const auto end = std::unique(locked.begin(), locked.end());
        const auto kept = std::remove_if(locked.begin(), end, [&](Rank target) {
            const Status one(transport().window_lock(transport().self, WindowOf(slot), target));
            status.Merge(one);
            return !one.ok();
        });
        locked.erase(kept, locked.end());
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

    Status WaitUntilFree(Cycle cycle) noexcept {
        Status status;
        ForEachShare(cycle,
                     [&](const Share &share) { status.Merge(free_.Receive(share.aggregator, kTagFree, &kNoBytes, 1)); });
        status.Merge(ContinueUntil([&](bool &done) { return free_.Test(done); }));
        status.Merge(free_.Wait());
        return status;
    }

    // Once for each cycle: the aggregators have this rank's data, and get a word. Cycles come here in their order, whatever
    // completes first, so that each word meets the receive of its cycle. Waits until the words of the slot before have been
    // taken.
    Status EndPuts(Cycle cycle, Slot slot) noexcept {
        OfSlot &own = At(slot);
        if (own.ended == cycle) {
            return Status();
        }
        own.ended = cycle;
        own.puts.Merge(fences_ ? Fence(slot, OVERLAP_FENCE_CLOSE) : Unlock(slot));
        Status status = ContinueUntil([&own](bool &done) { return own.words.Test(done); });
        status.Merge(own.words.Wait());
        own.word = own.puts.error();
        ForEachShare(cycle,
                     [&](const Share &share) { status.Merge(own.words.Send(share.aggregator, kTagArrived, &own.word, 1)); });
        status.Merge(own.puts);
        return status;
    }

    // Those of earlier cycles may keep others from starting, and their origins from what this rank waits for.
    Status TestArrivals(Cycle cycle, Slot slot, bool &done) noexcept {
        const Status status = arrivals_.Progress();
        done = arrivals_.Done(cycle, slot);
        return status;
    }

    // All data has arrived. With locks an epoch of this rank with itself makes sure that it sees what others have put into
    // its memory (MPI-3.1, section 11.7).
    Status TakeArrivals(Cycle cycle, Slot slot) noexcept {
        Status status = arrivals_.Heard(slot);
        if (!fences_ && !job_.plan.owned.empty()) {
            const Status locked(transport().window_lock(transport().self, WindowOf(slot), transport().rank));
            status.Merge(locked.ok() ? Status(transport().window_unlock(transport().self, WindowOf(slot), transport().rank))
                                     : locked);
        }
        status.Merge(job_.CopyOwn(OVERLAP_WRITE, cycle, slot));
        return status;
    }

    const ShuffleJob job_;
    const bool fences_;
    Arrivals arrivals_;
    std::optional<Releases> releases_; // with locks
    Messages free_;                    // from aggregators whose sub-buffers are
    std::vector<OfSlot> slots_;
    Pieces pieces_; // of this rank's memory
    Pieces places_; // of a window
};

} // namespace

std::unique_ptr<Shuffle> MakeOneSided(overlap_shuffle shuffle, const ShuffleJob &job) {
    return std::make_unique<OneSided>(shuffle, job);
}

} // namespace overlap
