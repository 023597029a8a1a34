// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Lists whose runs recur: the instances of a datatype of several blocks.
#ifndef OVERLAP_ENGINE_PLAN_RECURRENCES_H
#define OVERLAP_ENGINE_PLAN_RECURRENCES_H

#include "../access/strided.h"

#include <algorithm>
#include <array>
#include <vector>

namespace overlap {

/// How many runs an instance may have to be found.
constexpr std::size_t kLongestInstance = 8;

/// Runs in a row without an instance that recurs, after which not every one is looked at: one more is passed over for as
/// many again, at most kMostPassedOver.
constexpr std::size_t kInARow = 64;
constexpr std::size_t kMostPassedOver = 32;

/// The next runs of a list, side by side.
class RunWindow {
  public:
    explicit RunWindow(const StridedList &list) : list_(list) {}

    /// Makes at least `count` runs visible, all that there are where the list has fewer.
    void See(std::size_t count);

    const Run *runs() const { return begin_; }
    std::size_t size() const { return static_cast<std::size_t>(end_ - begin_); }

    /// The stream position of the first visible run.
    ByteCount position() const { return position_; }

    /// Needs: so many are visible.
    void Drop(std::size_t count);

  private:
    const StridedList &list_;
    std::size_t next_ = 0; // segment that is not visible yet
    PackedRuns::Room room_;
    std::vector<Run> kept_; // where several segments are visible
    std::vector<Run> spare_;
    const Run *begin_ = nullptr;
    const Run *end_ = nullptr;
    ByteCount position_ = 0;
};

/// How many times the first `size` of `count` runs, taken together, stand there one after the other, at a constant
/// distance; 1 where they do not recur, or are not there.
std::int64_t CountInstances(const Run *runs, std::size_t count, std::size_t size);

/// Takes the first `size` visible runs and all that repeat them at the same distance out of the window, and returns how many
/// times they stand there; `instance` becomes the first, `distance` how far it is to the next.
std::int64_t TakeInstances(RunWindow &window, std::size_t size, std::array<Run, kLongestInstance> &instance,
                           std::int64_t &distance);

/// Calls regular(Run) for runs of at least `fewest` blocks and single(Run, stream position) for others, which together are
/// the bytes of the list: a block of an instance that recurs so often is a run, but for the first ones behind a long part
/// where nothing recurs. Time grows with the runs of the list. Needs: fewest > 1.
template <typename Regular, typename Single>
void ForEachRecurrence(const StridedList &list, std::int64_t fewest, Regular regular, Single single) {
    RunWindow window(list);
    const std::size_t enough = kLongestInstance * (static_cast<std::size_t>(fewest) + 1);
    std::size_t in_a_row = 0;
    for (window.See(enough); window.size() > 0; window.See(enough)) {
        if (window.runs()->count >= fewest) {
            regular(*window.runs());
            window.Drop(1);
            in_a_row = 0;
            continue;
        }
        std::size_t size = 1;
        while (size <= kLongestInstance && CountInstances(window.runs(), window.size(), size) < fewest) {
            ++size;
        }
        if (size > kLongestInstance) {
            std::size_t left = std::min(window.size(), 1 + std::min(in_a_row / kInARow, kMostPassedOver));
            for (; left > 0 && window.runs()->count < fewest; --left, ++in_a_row) {
                single(*window.runs(), window.position());
                window.Drop(1);
            }
            continue;
        }
        in_a_row = 0;
        std::array<Run, kLongestInstance> instance;
        std::int64_t distance = 0;
        const std::int64_t instances = TakeInstances(window, size, instance, distance);
        for (std::size_t i = 0; i < size; ++i) {
            for (std::int64_t block = 0; block < instance[i].count; ++block) {
                regular(Run{instance[i].start + block * instance[i].stride, instance[i].length, distance, instances});
            }
        }
    }
}

} // namespace overlap

#endif
