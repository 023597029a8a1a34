#include "strided.h"

namespace overlap {

bool operator==(const Run &a, const Run &b) {
    return a.start == b.start && a.length == b.length && a.count == b.count && (a.count == 1 || a.stride == b.stride);
}

void StridedList::Append(Run run) {
    if (run.length <= 0 || run.count <= 0) {
        return;
    }
    if (run.count > 1 && run.stride == run.length) {
        run = Run{run.start, run.bytes(), 0, 1};
    }
    if (run.count == 1) {
        run.stride = 0;
    }
    ascending_ =
        ascending_ && (run.count == 1 || run.stride > run.length) && (runs_.empty() || run.start >= runs_.back().end());
    if (runs_.empty() || !CoalesceWithLast(run)) {
        runs_.push_back(run);
        positions_.push_back(bytes_);
    }
    bytes_ += run.bytes();
}

bool StridedList::CoalesceWithLast(const Run &run) {
    Run &last = runs_.back();
    if (last.count == 1 && run.count == 1 && run.start == last.end()) {
        last.length += run.length;
        return true;
    }
    if (run.length != last.length) {
        return false;
    }
    std::int64_t step = 0;
    if (__builtin_sub_overflow(run.start, last.last(), &step)) {
        return false;
    }
    const bool fits_last = last.count == 1 || step == last.stride;
    const bool fits_run = run.count == 1 || step == run.stride;
    // Blocks that touch are kept as contiguous runs, never as a stride of their own length.
    if (!fits_last || !fits_run || step == last.length) {
        return false;
    }
    last.stride = step;
    last.count += run.count;
    return true;
}

ByteCount StridedList::BytesBefore(std::int64_t offset) const {
    const auto after =
        std::upper_bound(runs_.begin(), runs_.end(), offset, [](std::int64_t o, const Run &run) { return o < run.start; });
    if (after == runs_.begin()) {
        return 0;
    }
    const std::size_t index = static_cast<std::size_t>(after - runs_.begin()) - 1;
    const Run &run = runs_[index];
    if (offset >= run.end()) {
        return positions_[index] + run.bytes();
    }
    const std::int64_t block = run.count > 1 ? (offset - run.start) / run.stride : 0;
    const ByteCount inside = std::min(run.length, offset - (run.start + block * run.stride));
    return positions_[index] + block * run.length + inside;
}

std::size_t StridedList::RunAt(ByteCount position) const {
    const auto after = std::upper_bound(positions_.begin(), positions_.end(), position);
    return static_cast<std::size_t>(after - positions_.begin()) - 1;
}

std::int64_t StridedList::StartOf(ByteCount position) const {
    const std::size_t index = RunAt(position);
    const Run &run = runs_[index];
    const ByteCount inside = position - positions_[index];
    return run.start + (inside / run.length) * run.stride + inside % run.length;
}

void StridedList::Reserve(std::size_t runs) {
    runs_.reserve(runs);
    positions_.reserve(runs);
}

void StridedList::MoveBy(std::int64_t distance) {
    for (Run &run : runs_) {
        run.start += distance;
    }
}

// Only the ends can have become runs of another shape; what lies between them is copied as it is.
StridedList StridedList::Part(ByteCount from, ByteCount to) const {
    StridedList part;
    const auto append = [&part](const Run &run, ByteCount) { part.Append(run); };
    const std::size_t first = from < to ? RunAt(from) : 0;
    const std::size_t last = from < to ? RunAt(to - 1) : 0;
    if (!ascending_ || last - first < 4) {
        ForEach(from, to, append);
        return part;
    }
    part.Reserve(last - first + 3);
    ForEach(from, positions_[first + 2], append);
    for (std::size_t i = first + 2; i < last; ++i) {
        part.runs_.push_back(runs_[i]);
        part.positions_.push_back(positions_[i] - from);
    }
    part.bytes_ = positions_[last] - from;
    ForEach(positions_[last], to, append);
    return part;
}

} // namespace overlap
