// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Reads: the messages of two_sided_write.cc the other way. Each client's bytes of a cycle are sent from the aggregator's
// sub-buffer to where they belong in its memory. Clients may ask for the same bytes, which go to each of them.
#include "client_messages.h"
#include "copy.h"
#include "throttle.h"

namespace overlap {
namespace {

/// What an aggregator sends. Where a client scatters, its message needs room in Staging as well, of which there may be less
/// than messages.
///
/// Nobody waits for ever: a client starts all its receives of a cycle when the cycle starts, whatever else it waits for, so
/// sends that have started are complete when their clients have come to the cycle; and no rank blocks for what it receives
/// in a cycle, or for its sends, before it has started all that it sends in it and so has nothing left that others wait for.
class Supply final : public ClientMessages {
  public:
    /// Throws std::bad_alloc.
    explicit Supply(const ShuffleJob &job)
        : ClientMessages(job, job.plan.rotation.FirstClient(), job.plan.most_client_pieces) {}

  private:
    bool Begin(const ClientMessage &message, Status &status) noexcept override {
        if (message.client->rank == job_.team.rank()) {
            return true;
        }
        char *packed = nullptr;
        if (!FindPieces(message, packed)) {
            return false;
        }
        if (packed != nullptr) {
            const Interlude copying(&job_.watch, Activity::kCopy);
            Gather(BufferOf(message), message.bytes, packed);
        }
        const overlap_send_mode mode = SendModeOf(job_.slots, message.cycle, message.before, message.bytes.bytes());
        status.Merge(Send(message, kTagData, mode, packed));
        return true;
    }

    void Complete(const ClientMessage & /*message*/, char *packed) noexcept override {
        if (packed != nullptr) {
            job_.staging.GiveBack(packed);
        }
    }
};

class TwoSidedRead final : public Shuffle {
  public:
    explicit TwoSidedRead(const ShuffleJob &job) : job_(job), supply_(job_) {
        for (int slot = 0; slot < job_.slots; ++slot) {
            OfSlot &own = slots_.emplace_back(OfSlot{Messages(job_.team.transport()), {}});
            own.receives.Reserve(job_.plan.shares.size());
            own.packed.reserve(job_.plan.shares.size());
        }
        pieces_.reserve(job_.pack.MostPieces());
    }

    // What this rank receives first: its aggregators may have to wait until it has come here.
    Status Start(Cycle cycle, Slot slot) noexcept override {
        Status status;
        for (const Share &share : job_.plan.shares) {
            status.Merge(ReceiveShare(share, cycle, slot));
        }
        status.Merge(supply_.Start(cycle));
        status.Merge(job_.CopyOwn(OVERLAP_READ, cycle));
        return status;
    }

    Status Wait(Cycle cycle, Slot slot) noexcept override {
        Messages &receives = At(slot).receives;
        Status received;
        Status sent;
        for (bool all = false; !supply_.Past(cycle);) {
            received.Merge(all ? Status() : receives.Test(all)); // which others may wait for
            sent.Merge(supply_.Progress());
        }
        received.Merge(receives.Wait());
        received.Merge(Unpack(cycle, slot, received));
        received.Merge(sent);
        received.Merge(supply_.Wait(cycle));
        return received;
    }

    Status Test(Cycle cycle, Slot slot, bool &done) noexcept override {
        bool sent = false;
        bool received = false;
        Status status = At(slot).receives.Test(received);
        if (received) {
            status.Merge(Unpack(cycle, slot, status));
        }
        status.Merge(supply_.Test(cycle, sent));
        done = sent && received;
        return status;
    }

  private:
    struct OfSlot {
        Messages receives;
        std::vector<const Share *> packed; // shares that are received in one piece
    };

    OfSlot &At(Slot slot) { return slots_[static_cast<std::size_t>(slot)]; }

    Status ReceiveShare(const Share &share, Cycle cycle, Slot slot) noexcept {
        const Range bytes = share.In(cycle);
        if (bytes.empty() || share.aggregator == job_.team.rank()) {
            return Status();
        }
        if (job_.pack.PiecesToReceive(share, bytes, cycle, pieces_)) {
            At(slot).packed.push_back(&share);
        }
        return At(slot).receives.Receive(share.aggregator, kTagData, pieces_.data(), pieces_.size());
    }

    // All of the slot has come; after an error that may be anything, and memory is left as it is.
    Status Unpack(Cycle cycle, Slot slot, Status received) noexcept {
        std::vector<const Share *> &packed = At(slot).packed;
        Status status;
        if (received.ok() && !packed.empty()) {
            const Interlude copying(&job_.watch, Activity::kCopy);
            for (const Share *const share : packed) {
                status.Merge(job_.pack.Unpack(*share, share->In(cycle), cycle));
            }
        }
        packed.clear();
        return status;
    }

    const ShuffleJob job_;
    Supply supply_;
    std::vector<OfSlot> slots_;
    Pieces pieces_;
};

} // namespace

std::unique_ptr<Shuffle> MakeTwoSidedRead(const ShuffleJob &job) { return std::make_unique<TwoSidedRead>(job); }

} // namespace overlap
