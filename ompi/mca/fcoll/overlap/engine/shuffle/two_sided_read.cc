// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Reads: the messages of two_sided.cc the other way. Each client's bytes of a cycle are sent from the aggregator's
// sub-buffer to where they belong in its memory. Clients may ask for the same bytes, which go to each of them.
#include "supply.h"
#include "unpacking.h"

#include <algorithm>

namespace overlap {
namespace {

class TwoSidedRead final : public Shuffle {
  public:
    explicit TwoSidedRead(const ShuffleJob &job) : job_(job), own_(job_), unpacking_(job_), supply_(job_) {
        for (int slot = 0; slot < job_.slots; ++slot) {
            receives_.emplace_back(job_.team.transport()).Reserve(job_.plan.shares.size());
        }
        pieces_.reserve(std::max(job_.most_pieces, std::size_t{1}));
    }

    // What this rank receives first: its aggregators may have to wait until it has come here.
    Status Start(Cycle cycle, Slot slot) noexcept override {
        Status status = job_.pack.BeginReceives(cycle, slot);
        for (const Share &share : job_.plan.shares) {
            status.Merge(ReceiveShare(share, cycle, slot));
        }
        status.Merge(supply_.Start(cycle));
        status.Merge(own_.CopyBack(cycle, slot));
        return status;
    }

    Status Wait(Cycle cycle, Slot slot) noexcept override {
        Status received;
        Status sent;
        for (bool all = false; !supply_.Past(cycle);) {
            received.Merge(all ? Status() : ReceivesOf(slot).Test(all)); // which others may wait for
            sent.Merge(supply_.Progress());
        }
        received.Merge(ReceivesOf(slot).Wait());
        received.Merge(unpacking_.Unpack(slot, received));
        received.Merge(sent);
        received.Merge(supply_.Wait(slot));
        return received;
    }

    Status Test(Cycle cycle, Slot slot, bool &done) noexcept override {
        bool sent = false;
        bool received = false;
        Status status = ReceivesOf(slot).Test(received);
        if (received) {
            status.Merge(unpacking_.Unpack(slot, status));
        }
        status.Merge(supply_.Test(cycle, slot, sent));
        done = sent && received;
        return status;
    }

    Status Finish() noexcept override { return job_.pack.Finish(); }

  private:
    Messages &ReceivesOf(Slot slot) { return receives_[static_cast<std::size_t>(slot)]; }

    Status ReceiveShare(const Share &share, Cycle cycle, Slot slot) noexcept {
        const ByteCount first = share.First(cycle);
        const ByteCount last = share.Last(cycle);
        if (first == last || share.aggregator == job_.team.rank()) {
            return Status();
        }
        unpacking_.PlacesFor(share, first, last, slot, pieces_);
        return ReceivesOf(slot).Receive(share.aggregator, kTagData, pieces_);
    }

    const ShuffleJob job_;
    OwnShares own_;
    Unpacking unpacking_;
    Supply supply_;
    std::vector<Messages> receives_; // of each slot
    Pieces pieces_;
};

} // namespace

std::unique_ptr<Shuffle> MakeTwoSidedRead(const ShuffleJob &job) { return std::make_unique<TwoSidedRead>(job); }

} // namespace overlap
