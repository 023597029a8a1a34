// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// The one clock of a file: every second of a call belongs to one activity.
#ifndef OVERLAP_ENGINE_OBSERVE_WATCH_H
#define OVERLAP_ENGINE_OBSERVE_WATCH_H

#include "../base/counters.h"
#include "observer.h"

#include <array>

namespace overlap {

/// Reads the clock where the thread of a call turns to something else, adds the time to the counters and tells an observer,
/// if there is one. Takes no memory. Outside of a call it does nothing.
class Watch {
  public:
    /// `counters`: of writes and of reads, which outlive it, or null.
    Watch(const overlap_host &host, overlap_counters *counters) noexcept
        : host_(host), counters_(counters == nullptr ? own_.data() : counters) {}
    Watch(const Watch &) = delete;
    Watch &operator=(const Watch &) = delete;

    /// Outlives the watch, or null for nobody. Not during a call.
    void Observe(Observer *observer) noexcept { observer_ = observer; }
    bool observed() const noexcept { return observer_ != nullptr; }

    /// A call begins, with its planning.
    void Begin(overlap_direction direction) noexcept;
    void End() noexcept;

    /// The thread of the call turns to another activity. Returns the time.
    double TurnTo(Activity activity, Cycle cycle = -1, Slot slot = -1) noexcept {
        Read();
        Close();
        activity_ = activity;
        cycle_ = cycle;
        slot_ = slot;
        return now_;
    }

    /// The same where it may be at it already.
    void StayAt(Activity activity) noexcept {
        if (activity_ != activity) {
            TurnTo(activity);
        }
    }

    /// Tells the observer of an operation. Needs: observed().
    void Tell(Stamp &stamp) noexcept {
        stamp.operation = true;
        stamp.direction = direction_;
        observer_->Saw(stamp);
    }

    /// Observer::SawIndependent, where there is one.
    void TellIndependent(double start, ByteCount bytes, FileOffset offset) noexcept {
        if (observer_ != nullptr) {
            observer_->SawIndependent(start, now_, bytes, offset);
        }
    }

    Activity activity() const noexcept { return activity_; }
    Cycle cycle() const noexcept { return cycle_; }
    Slot slot() const noexcept { return slot_; }

    /// As last read.
    double now() const noexcept { return now_; }

    /// Of the direction of this call, or of the last one.
    overlap_counters &counters() noexcept { return counters_[direction_]; }

    /// Adds to a counter of the call.
    void Count(overlap_count count, std::int64_t more) noexcept { counters().counts[count] += more; }
    const overlap_counters &counters(overlap_direction direction) const noexcept { return counters_[direction]; }

  private:
    void Read() noexcept { now_ = host_.seconds(host_.self); }
    void Close() noexcept;

    const overlap_host &host_;
    std::array<overlap_counters, 2> own_{};
    overlap_counters *const counters_; // of each direction
    Observer *observer_ = nullptr;
    overlap_direction direction_ = OVERLAP_WRITE;
    bool running_ = false;
    Activity activity_ = Activity::kPlanning;
    Cycle cycle_ = -1;
    Slot slot_ = -1;
    double began_ = 0; // the call
    double since_ = 0; // the activity
    double now_ = 0;
};

/// The thread is at an activity for a while, and then again at what it was at before.
class Interlude {
  public:
    Interlude(Watch *watch, Activity activity) noexcept
        : watch_(watch), activity_(watch->activity()), cycle_(watch->cycle()), slot_(watch->slot()) {
        watch_->TurnTo(activity, cycle_, slot_);
    }
    ~Interlude() { watch_->TurnTo(activity_, cycle_, slot_); }
    Interlude(const Interlude &) = delete;
    Interlude &operator=(const Interlude &) = delete;

  private:
    Watch *const watch_;
    const Activity activity_;
    const Cycle cycle_;
    const Slot slot_;
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
