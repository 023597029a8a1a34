// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// What happens on the virtual clock.
#ifndef BENCH_SIMULATE_CLOCK_H
#define BENCH_SIMULATE_CLOCK_H

#include <algorithm>
#include <cstdint>
#include <limits>
#include <queue>
#include <vector>

namespace simulate {

constexpr double kNever = std::numeric_limits<double>::infinity();

/// Something to which things happen; `what` is its own numbering of them.
class Event {
  public:
    virtual void Happen(int what) = 0;

  protected:
    ~Event() = default;
};

/// Events in the order of their times, those of one time in the order in which they were added.
class Clock {
  public:
    double now() const { return now_; } // seconds
    std::uint64_t events() const { return count_; }

    /// Not before now.
    void At(double time, Event &event, int what = 0) { queue_.push(Entry{std::max(time, now_), count_++, &event, what}); }

    /// Has the next one happen; false where there is none.
    bool Step() {
        if (queue_.empty()) {
            return false;
        }
        const Entry first = queue_.top();
        queue_.pop();
        now_ = first.time;
        first.event->Happen(first.what);
        return true;
    }

  private:
    struct Entry {
        double time;
        std::uint64_t number;
        Event *event;
        int what;

        bool operator<(const Entry &other) const { // the largest comes first
            return time != other.time ? time > other.time : number > other.number;
        }
    };

    double now_ = 0;
    std::uint64_t count_ = 0;
    std::priority_queue<Entry> queue_;
};

/// A NIC in one direction, a link, a storage target, a processor: whoever comes first is served first.
class Server {
  public:
    /// When `seconds` of its time end for who comes at `time`.
    double Serve(double time, double seconds) {
        free_ = std::max(time, free_) + seconds;
        return free_;
    }
    double free() const { return free_; } // from when on

  private:
    double free_ = 0;
};

} // namespace simulate

#endif
