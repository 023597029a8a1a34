// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "meter.h"

#include "../observe/recorder.h"
#include "../plan/plan.h"

#include <algorithm>

namespace overlap {

void Meter::Begin(const Plan *plan, std::int64_t distance) noexcept {
    plan_ = plan;
    distance_ = distance;
    began_ = ended_ = watch_.TurnTo(Activity::kShuffle);
}

void Meter::Starts(Activity operation, const Step &step) noexcept {
    Kind &kind = KindOf(operation);
    const double now = watch_.TurnTo(operation, step.cycle, step.slot);
    kind.started[static_cast<std::size_t>(step.slot)] = now;
    if (kind.under_way++ == 0) {
        kind.since = now;
    }
}

void Meter::Ends(Activity operation, const Step &step) noexcept {
    Kind &kind = KindOf(operation);
    ended_ = watch_.TurnTo(operation);
    ++kind.ended;
    if (--kind.under_way == 0) {
        kind.busy += ended_ - kind.since;
    }
    if (watch_.recorder() != nullptr) {
        const double started = kind.started[static_cast<std::size_t>(step.slot)];
        watch_.recorder()->AddOperation(Span{operation, started, ended_, step.cycle, step.slot}, *plan_, distance_);
    }
}

void Meter::Finish() noexcept {
    const Timing timing = Total();
    overlap_counters &counters = watch_.counters();
    counters.seconds[OVERLAP_TIME_STEPS] += timing.call;
    counters.seconds[OVERLAP_TIME_SHUFFLE_UNDER_WAY] += timing.shuffle;
    if (plan_ == nullptr || !plan_->owned.empty()) { // of who has nothing to transfer the steps tell nothing of the file
        counters.seconds[OVERLAP_TIME_FILE_UNDER_WAY] += timing.write;
        counters.seconds[OVERLAP_TIME_SHORTER] += std::min(timing.shuffle, timing.write);
    }
    counters.counts[OVERLAP_COUNT_CYCLES] += shuffles_.ended;
}

} // namespace overlap
