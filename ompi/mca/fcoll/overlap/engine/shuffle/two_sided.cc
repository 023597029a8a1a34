// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Writes: sends and receives without blocking, then a wait for all of them (Feki & Gabriel, section III-B), but that an
// aggregator receives so many messages at a time and not those of all its clients at once.
#include "intake.h"
#include "outgoing.h"

namespace overlap {
namespace {

class TwoSidedShuffle final : public Shuffle {
  public:
    explicit TwoSidedShuffle(const ShuffleJob &job) : job_(job), own_(job_), intake_(job_, own_), outgoing_(job_) {}

    // This rank's own part as an aggregator first, so that what others send meets its receive.
    Status Start(Cycle cycle, Slot slot) noexcept override {
        job_.pack.BeginSends(cycle, slot);
        Status status = intake_.Start(cycle);
        status.Merge(job_.pack.Packed(slot));
        status.Merge(outgoing_.Start(cycle));
        job_.pack.PackAhead(cycle + 1);
        if (!job_.plan.overlap) {
            status.Merge(own_.Copy(cycle, slot));
        }
        return status;
    }

    // What is called for first: the aggregator that has called may itself wait for this rank.
    Status Wait(Cycle cycle, Slot slot) noexcept override {
        Status status = outgoing_.Progress();
        while (!outgoing_.Past(cycle)) {
            status.Merge(intake_.Progress());
            status.Merge(outgoing_.Progress());
        }
        status.Merge(intake_.Wait(cycle, slot));
        status.Merge(outgoing_.Wait(slot));
        job_.staging.Leave(slot);
        return status;
    }

    Status Test(Cycle cycle, Slot slot, bool &done) noexcept override {
        Status status = outgoing_.Progress();
        status.Merge(intake_.Test(cycle, slot, done));
        done = done && outgoing_.Past(cycle);
        if (done) {
            status.Merge(outgoing_.Test(slot, done));
        }
        if (done) {
            job_.staging.Leave(slot);
        }
        return status;
    }

    // Bytes of ranks that overlap are taken in the order of cycles.
    bool CompletesInAnyOrder() const noexcept override { return !job_.plan.overlap; }

    Status Finish() noexcept override { return intake_.Finish(); }

  private:
    const ShuffleJob job_;
    OwnShares own_;
    Intake intake_;
    Outgoing outgoing_;
};

} // namespace

std::unique_ptr<Shuffle> MakeTwoSidedShuffle(const ShuffleJob &job) { return std::make_unique<TwoSidedShuffle>(job); }

} // namespace overlap
