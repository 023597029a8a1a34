// What happens on a virtual clock, and what is used there by one at a time.
#ifndef OVERLAP_TEST_VIRTUAL_CLOCK_H
#define OVERLAP_TEST_VIRTUAL_CLOCK_H

#include <algorithm>
#include <cstdint>
#include <queue>
#include <vector>

namespace overlap::test {

/// Events in the order of their times, those of one time in the order in which they were added.
template <typename Event> class VirtualClock {
  public:
    double now() const noexcept { return now_; }
    bool empty() const noexcept { return queue_.empty(); }
    void At(double time, Event event) { queue_.push(Entry{std::max(time, now_), count_++, event}); }

    Event Next() {
        const Entry first = queue_.top();
        queue_.pop();
        now_ = first.time;
        return first.event;
    }

  private:
    struct Entry {
        double time;
        std::int64_t number;
        Event event;

        bool operator<(const Entry &other) const noexcept { // the largest comes first
            return time != other.time ? time > other.time : number > other.number;
        }
    };

    double now_ = 0;
    std::int64_t count_ = 0;
    std::priority_queue<Entry> queue_;
};

/// A NIC in one direction, a disk: whoever comes first is served first.
class Server {
  public:
    /// From when `seconds` of its time begin for who comes at `time`.
    double Reserve(double time, double seconds) noexcept {
        const double begin = std::max(time, free_);
        free_ = begin + seconds;
        return begin;
    }

  private:
    double free_ = 0;
};

} // namespace overlap::test

#endif
