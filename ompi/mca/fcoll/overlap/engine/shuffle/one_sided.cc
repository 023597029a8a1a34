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
    explicit Arrivals(const ShuffleJob &job) : ClientMessages(job, 0, 1), words_(job.most) {
        free_.reserve(words_.size());
        for (std::int64_t &word : words_) {
            free_.push_back(&word);
        }
    }

    /// The most severe status of those that have come since the last call.
    Status Arrived(Slot slot) noexcept { return std::exchange(arrived_[static_cast<std::size_t>(slot)], Status()); }

  private:
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
        arrived_[static_cast<std::size_t>(job_.SlotOf(message.cycle))].Merge(Status(static_cast<int>(*word)));
        free_.push_back(word);
    }

    std::vector<std::int64_t> words_;
    std::vector<std::int64_t *> free_;
    std::array<Status, OVERLAP_SLOTS_MAX> arrived_; // of each slot
};

/// Messages without bytes that tell the clients of a cycle that its sub-buffers may be filled again.
class Releases final : public ClientMessages {
  public:
    /// Throws std::bad_alloc.
    explicit Releases(const ShuffleJob &job) : ClientMessages(job, 0, 1) {}

  private:
    // What was filled for the first time was free without that.
    bool Begin(const ClientMessage &message, Status &status) noexcept override {
        if (message.client->rank != job_.team.rank() && message.cycle >= job_.slots) {
            pieces_.assign(1, kNoBytes);
            status.Merge(Send(message, kTagFree, OVERLAP_SEND_STANDARD, nullptr));
        }
        return true;
    }

    void Complete(const ClientMessage & /*message*/, char * /*memory*/) noexcept override {}
};

/// Nobody waits for ever, as all ranks take the same steps in the same order, and a rank that blocks in a step has started
/// all that others wait for in it: it has sent its releases before it waits for those of others, and its words before
/// theirs. Each rank waits for what it receives before it waits for what it has sent.
class OneSided final : public Shuffle {
  public:
    OneSided(overlap_shuffle shuffle, const ShuffleJob &job)
        : job_(job), fences_(shuffle == OVERLAP_SHUFFLE_PUT_FENCE), arrivals_(job_), free_(transport()), words_(transport()),
          slots_(static_cast<std::size_t>(job.slots)) {
        std::size_t most_places = 0;
        shares_.reserve(job_.plan.shares.size());
        for (const Share &share : job_.plan.shares) {
            if (share.aggregator != job_.team.rank()) {
                shares_.push_back(&share);
                const auto runs_of = [&share](const Range &bytes) { return share.file.RunsIn(bytes); };
                most_places = std::max(most_places, share.cuts.MostPieces(share.file, runs_of));
            }
        }
        std::stable_sort(shares_.begin(), shares_.end(),
                         [](const Share *a, const Share *b) { return a->aggregator < b->aggregator; });
        pieces_.reserve(job_.pack.MostPieces());
        places_.reserve(most_places);
        words_.Reserve(shares_.size());
        if (!fences_) {
            releases_.emplace(job_);
            free_.Reserve(shares_.size());
            for (OfSlot &own : slots_) {
                own.locked.reserve(shares_.size());
            }
        }
    }

    // An aggregator comes here only when what the slot held before is written.
    Status Start(Cycle cycle, Slot slot) noexcept override {
        Status &puts = At(slot).puts;
        const Status status = arrivals_.Start(cycle);
        puts = fences_ ? Fence(slot, OVERLAP_FENCE_OPEN) : WaitUntilFree(cycle);
        puts.Merge(fences_ ? Status() : Lock(cycle, slot));
        if (puts.ok()) {
            puts = Put(cycle, slot);
        }
        return status;
    }

    // Behind the end of the epoch the aggregators have this rank's data, and get a word. With locks an epoch of this rank
    // with itself makes sure that it sees what others have put into its memory (MPI-3.1, section 11.7).
    Status Wait(Cycle cycle, Slot slot) noexcept override {
        Status status = At(slot).puts;
        status.Merge(fences_ ? Fence(slot, OVERLAP_FENCE_CLOSE) : Unlock(slot));
        const std::int64_t word = status.error();
        ForEachShare(cycle, [&](const Share &share, const Range &) {
            status.Merge(words_.Send(share.aggregator, kTagArrived, &word, 1));
        });
        status.Merge(arrivals_.Wait(cycle));
        status.Merge(words_.Wait());
        status.Merge(arrivals_.Arrived(slot));
        if (!fences_ && !job_.plan.owned.empty()) {
            const Status locked(transport().window_lock(transport().self, WindowOf(slot), transport().rank));
            status.Merge(locked.ok() ? Status(transport().window_unlock(transport().self, WindowOf(slot), transport().rank))
                                     : locked);
        }
        status.Merge(job_.CopyOwn(OVERLAP_WRITE, cycle));
        return status;
    }

  private:
    struct OfSlot {
        Status puts;              // of the cycle
        std::vector<Rank> locked; // with whom an epoch has begun
    };

    OfSlot &At(Slot slot) { return slots_[static_cast<std::size_t>(slot)]; }
    const overlap_transport &transport() const noexcept { return job_.team.transport(); }
    overlap_window *WindowOf(Slot slot) const noexcept { return job_.windows.At(slot); }

    /// Calls visit(share, its bytes in `cycle`) for those that have some.
    template <typename Visit> void ForEachShare(Cycle cycle, Visit visit) const noexcept {
        for (const Share *const share : shares_) {
            const Range bytes = share->In(cycle);
            if (!bytes.empty()) {
                visit(*share, bytes);
            }
        }
    }

    // Into the sub-buffers of other ranks, one put for each share. Needs an epoch. As the domain has no gaps, a byte's
    // position in its data is its offset there, also in the window of its aggregator.
    Status Put(Cycle cycle, Slot slot) noexcept {
        Status status;
        ForEachShare(cycle, [&](const Share &share, const Range &bytes) {
            const Status packed = job_.pack.PiecesToSend(share, bytes, cycle, pieces_);
            status.Merge(packed);
            if (packed.ok()) {
                const ByteCount start = static_cast<ByteCount>(share.owned) * SubBuffers::Stride(job_.plan.fullest_cycle);
                const ByteCount base = share.cuts.Begin(cycle);
                places_.clear();
                share.file.ForEach(bytes.first, bytes.last, [&](const Run &run, ByteCount) {
                    places_.push_back(PieceAt(InMemory::AddressOf(start + run.start - base), run));
                });
                status.Merge(Status(transport().put(transport().self, WindowOf(slot), share.aggregator, pieces_.data(),
                                                    pieces_.size(), places_.data(), places_.size())));
            }
        });
        return status;
    }

    Status Fence(Slot slot, overlap_fence fence) noexcept {
        return Status(transport().window_fence(transport().self, WindowOf(slot), fence));
    }

    // Each aggregator, which the shares are sorted by, once. After an error some are locked.
    Status Lock(Cycle cycle, Slot slot) noexcept {
        Status status;
        std::vector<Rank> &locked = At(slot).locked;
        ForEachShare(cycle, [&](const Share &share, const Range &) {
            if (locked.empty() || locked.back() != share.aggregator) {
                const Status one(transport().window_lock(transport().self, WindowOf(slot), share.aggregator));
                status.Merge(one);
                if (one.ok()) {
                    locked.push_back(share.aggregator);
                }
            }
        });
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

    // Receives the releases of this rank's aggregators, and sends those of its own sub-buffers. Blocks only when all of
    // these have started.
    Status WaitUntilFree(Cycle cycle) noexcept {
        Status status;
        if (cycle >= job_.slots) {
            ForEachShare(cycle, [&](const Share &share, const Range &) {
                status.Merge(free_.Receive(share.aggregator, kTagFree, &kNoBytes, 1));
            });
        }
        status.Merge(releases_->Start(cycle));
        for (bool all = false; !releases_->Past(cycle);) {
            status.Merge(all ? Status() : free_.Test(all));
            status.Merge(releases_->Progress());
        }
        status.Merge(free_.Wait());
        status.Merge(releases_->Wait(cycle));
        return status;
    }

    const ShuffleJob job_;
    const bool fences_;
    Arrivals arrivals_;
    std::optional<Releases> releases_;  // with locks
    Messages free_;                     // from aggregators whose sub-buffers are
    Messages words_;                    // to the aggregators
    std::vector<const Share *> shares_; // that others aggregate, by aggregator
    std::vector<OfSlot> slots_;
    Pieces pieces_; // of this rank's memory
    Pieces places_; // of a window
};

} // namespace

std::unique_ptr<Shuffle> MakeOneSided(overlap_shuffle shuffle, const ShuffleJob &job) {
    return std::make_unique<OneSided>(shuffle, job);
}

} // namespace overlap
