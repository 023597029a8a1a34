// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "watch.h"

#include "recorder.h"

namespace overlap {

static_assert(static_cast<std::size_t>(Activity::kFinish) == OVERLAP_TIME_FINISH, "the same order");
static_assert(static_cast<std::size_t>(Activity::kFinish) + 1 == kActivities && kActivities == OVERLAP_TIME_ELAPSED);

void Watch::Begin(overlap_direction direction) noexcept {
    direction_ = direction;
    began_ = TurnTo(Activity::kPlanning);
    running_ = true;
    if (recorder_ != nullptr) {
        recorder_->Begin(direction, began_);
    }
}

void Watch::End() noexcept {
    const double now = Close();
    running_ = false;
    counters().seconds[OVERLAP_TIME_ELAPSED] += now - began_;
    if (recorder_ != nullptr) {
        recorder_->End(now);
    }
}

// Ends the current span at the time that it returns.
double Watch::Close() noexcept {
    current_.end = host_.seconds(host_.self);
    if (running_) {
        counters().seconds[static_cast<std::size_t>(current_.activity)] += current_.end - current_.start;
        if (recorder_ != nullptr) {
            recorder_->AddActivity(current_);
        }
    }
    return current_.end;
}

} // namespace overlap
