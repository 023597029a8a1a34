// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// The one clock of a file: every second of a call belongs to one activity.
#ifndef OVERLAP_ENGINE_OBSERVE_WATCH_H
#define OVERLAP_ENGINE_OBSERVE_WATCH_H

#include "../base/counters.h"
#include "../ports.h"
#include "event.h"

#include <array>

namespace overlap {

class Recorder;

/// Reads the clock where the thread of a call turns to something else, adds the time to the counters and tells the recorder,
/// if there is one. Takes no memory. Outside of a call it does nothing.
class Watch {
  public:
    /// `host` outlives it. Counts in the host's counters, or in its own where it has none.
    explicit Watch(const overlap_host &host) noexcept
        : host_(host), counters_(host.counters == nullptr ? own_.data() : host.counters) {}
    Watch(const Watch &) = delete;
    Watch &operator=(const Watch &) = delete;

    /// Outlives the watch, or null for none. Not during a call.
    void RecordTo(Recorder *recorder) noexcept { recorder_ = recorder; }
    Recorder *recorder() const noexcept { return recorder_; }

    /// A call begins, with its planning.
    void Begin(overlap_direction direction) noexcept;
    void End() noexcept;

    /// The thread of the call turns to another activity. Returns the time.
    double TurnTo(Activity activity, Cycle cycle = -1, Slot slot = -1) noexcept {
        const double now = Close();
        current_ = Span{activity, now, now, cycle, slot};
        return now;
    }

    /// The same where it may be at it already.
    void StayAt(Activity activity) noexcept {
        if (current_.activity != activity) {
            TurnTo(activity);
        }
    }

    /// What the thread is at, from its start to its last turn.
    const Span &current() const noexcept { return current_; }

    /// Of the direction of this call, or of the last one.
    overlap_counters &counters() noexcept { return counters_[direction_]; }
    const overlap_counters &counters(overlap_direction direction) const noexcept { return counters_[direction]; }

    /// Adds to a counter of the call.
    void Count(overlap_count count, std::int64_t more) noexcept { counters().counts[count] += more; }

  private:
    double Close() noexcept;

    const overlap_host &host_;
    std::array<overlap_counters, 2> own_{};
    overlap_counters *const counters_; // of each direction
    Recorder *recorder_ = nullptr;
    overlap_direction direction_ = OVERLAP_WRITE;
    bool running_ = false;
    double began_ = 0; // the call
    Span current_{Activity::kPlanning, 0, 0};
};

/// The thread is at an activity for a while, and then again at what it was at before.
class Interlude {
  public:
    Interlude(Watch *watch, Activity activity) noexcept : watch_(watch), before_(watch->current()) {
        watch_->TurnTo(activity, before_.cycle, before_.slot);
    }
    ~Interlude() { watch_->TurnTo(before_.activity, before_.cycle, before_.slot); }
    Interlude(const Interlude &) = delete;
    Interlude &operator=(const Interlude &) = delete;

  private:
    Watch *const watch_;
    const Span before_;
};

/// A call from here to the end of the block, whatever ends it.
class WatchedCall {
  public:
    WatchedCall(Watch &watch, overlap_direction direction) noexcept : watch_(watch) { watch_.Begin(direction); }
    ~WatchedCall() { watch_.End(); }
    WatchedCall(const WatchedCall &) = delete;
    WatchedCall &operator=(const WatchedCall &) = delete;

  private:
    Watch &watch_;
};

} // namespace overlap

#endif
