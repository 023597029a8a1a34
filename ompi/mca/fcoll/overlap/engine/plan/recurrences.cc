// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "recurrences.h"

namespace overlap {
namespace {

bool SameShape(const Run &a, const Run &b) {
    return a.length == b.length && a.count == b.count && (a.count == 1 || a.stride == b.stride);
}

} // namespace

void RunWindow::See(std::size_t count) {
    while (size() < count && next_ < list_.segments()) {
        if (size() == 0) {
            const StridedList::Segment segment = list_.SegmentAt(next_++, room_);
            begin_ = segment.begin;
            end_ = segment.end;
            continue;
        }
        // What is left goes to the front; it may lie in the room that the next segment takes.
        spare_.assign(begin_, end_);
        const StridedList::Segment segment = list_.SegmentAt(next_++, room_);
        spare_.insert(spare_.end(), segment.begin, segment.end);
        kept_.swap(spare_);
        begin_ = kept_.data();
        end_ = begin_ + kept_.size();
    }
}

void RunWindow::Drop(std::size_t count) {
    for (; count > 0; --count) {
        position_ += (begin_++)->bytes();
    }
}

std::int64_t CountInstances(const Run *runs, std::size_t count, std::size_t size) {
    if (size >= count) {
        return 1;
    }
    const std::int64_t distance = runs[size].start - runs[0].start;
    std::size_t last = 0; // the runs before it recur
    while (last + size < count && SameShape(runs[last], runs[last + size]) &&
           runs[last + size].start - runs[last].start == distance) {
        ++last;
    }
    return static_cast<std::int64_t>(last / size) + 1;
}

std::int64_t TakeInstances(RunWindow &window, std::size_t size, std::array<Run, kLongestInstance> &instance,
                           std::int64_t &distance) {
    distance = window.runs()[size].start - window.runs()[0].start;
    std::copy_n(window.runs(), size, instance.begin());
    std::array<Run, kLongestInstance> before = instance;
    std::int64_t instances = 0;
    const auto recurs = [&] {
        window.See(size);
        if (window.size() < size) {
            return false;
        }
        for (std::size_t i = 0; i < size; ++i) {
            const Run &run = window.runs()[i];
            if (!SameShape(run, before[i]) || (instances > 0 && run.start - before[i].start != distance)) {
                return false;
            }
        }
        return true;
    };
    for (; recurs(); ++instances) {
        std::copy_n(window.runs(), size, before.begin());
        window.Drop(size);
    }
    return instances;
}

} // namespace overlap
