// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "meter.h"

#include "../plan/plan.h"
#include "operation.h"

#include <algorithm>

namespace overlap {

void Meter::Kind::Start(Slot slot, double now) noexcept {
    started_[static_cast<std::size_t>(slot)] = now;
    if (under_way_++ == 0) {
        since_ = now;
    }
}

double Meter::Kind::End(Slot slot, double now) noexcept {
    ++ended_;
    if (--under_way_ == 0) {
        busy_ += now - since_;
    }
    return started_[static_cast<std::size_t>(slot)];
}

void Meter::Begin(const Plan *plan, std::int64_t distance) noexcept {
    plan_ = plan;
    distance_ = distance;
    began_ = ended_ = watch_.TurnTo(Activity::kShuffle);
}

void Meter::ShuffleStarts(const Step &step) noexcept {
    shuffles_.Start(step.slot, watch_.TurnTo(Activity::kShuffle, step.cycle, step.slot));
}

void Meter::ShuffleWaits(const Step &step) noexcept { watch_.TurnTo(Activity::kShuffle, step.cycle, step.slot); }

void Meter::ShuffleEnds(const Step &step) noexcept {
    ended_ = watch_.TurnTo(Activity::kShuffle);
    const double start = shuffles_.End(step.slot, ended_);
    Tell(Activity::kShuffle, step, start);
}

void Meter::FileStarts(const Step &step) noexcept {
    files_.Start(step.slot, watch_.TurnTo(Activity::kFile, step.cycle, step.slot));
}

void Meter::FileWaits(const Step &step) noexcept { watch_.TurnTo(Activity::kFile, step.cycle, step.slot); }

void Meter::FileEnds(const Step &step) noexcept {
    ended_ = watch_.TurnTo(Activity::kFile);
    Tell(Activity::kFile, step, files_.End(step.slot, ended_));
}

void Meter::Tell(Activity activity, const Step &step, double start) noexcept {
    if (watch_.observed()) {
        Stamp stamp;
        stamp.activity = activity;
        stamp.start = start;
        stamp.end = ended_;
        stamp.cycle = step.cycle;
        stamp.slot = step.slot;
        if (plan_ != nullptr) {
            DescribeOperation(*plan_, distance_, stamp);
        }
        watch_.Tell(stamp);
    }
}

Timing Meter::Total() const noexcept { return Timing{ended_ - began_, shuffles_.busy(), files_.busy()}; }

void Meter::Finish() noexcept {
    const Timing timing = Total();
    overlap_counters &counters = watch_.counters();
    counters.seconds[OVERLAP_TIME_STEPS] += timing.call;
    counters.seconds[OVERLAP_TIME_SHUFFLE_UNDER_WAY] += timing.shuffle;
    if (plan_ == nullptr || !plan_->owned.empty()) { // of who has nothing to transfer the steps tell nothing of the file
        counters.seconds[OVERLAP_TIME_FILE_UNDER_WAY] += timing.write;
        counters.seconds[OVERLAP_TIME_SHORTER] += std::min(timing.shuffle, timing.write);
    }
    counters.counts[OVERLAP_COUNT_CYCLES] += shuffles_.ended();
}

} // namespace overlap
