// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "watch.h"

namespace overlap {

static_assert(static_cast<std::size_t>(Activity::kFinish) == OVERLAP_TIME_FINISH, "the same order");
static_assert(static_cast<std::size_t>(Activity::kFinish) + 1 == kActivities && kActivities == OVERLAP_TIME_ELAPSED);

void Watch::Begin(overlap_direction direction) noexcept {
    direction_ = direction;
    activity_ = Activity::kPlanning;
    cycle_ = -1;
    slot_ = -1;
    Read();
    began_ = since_ = now_;
    running_ = true;
    if (observer_ != nullptr) {
        observer_->Begins(direction, now_);
    }
}

void Watch::End() noexcept {
    Read();
    Close();
    running_ = false;
    counters().seconds[OVERLAP_TIME_ELAPSED] += now_ - began_;
    if (observer_ != nullptr) {
        observer_->Ended(now_);
    }
}

void Watch::Close() noexcept {
    if (!running_) {
        return;
    }
    counters().seconds[static_cast<std::size_t>(activity_)] += now_ - since_;
    if (observer_ != nullptr && now_ > since_) {
        Stamp stamp;
        stamp.activity = activity_;
        stamp.direction = direction_;
        stamp.start = since_;
        stamp.end = now_;
        stamp.cycle = cycle_;
        stamp.slot = slot_;
        observer_->Saw(stamp);
    }
    since_ = now_;
}

} // namespace overlap
