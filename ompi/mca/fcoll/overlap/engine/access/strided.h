// Sequences of bytes kept as strided runs: a regular view of a million blocks is one run.
#ifndef OVERLAP_ENGINE_ACCESS_STRIDED_H
#define OVERLAP_ENGINE_ACCESS_STRIDED_H

#include "../types.h"

#include <algorithm>
#include <vector>

namespace overlap {

/// `count` blocks of `length` bytes whose starts are `stride` apart. A start is a file offset or an address. The end of each
/// block fits, so that last() and end() do.
struct Run {
    std::int64_t start = 0;
    ByteCount length = 0;
    std::int64_t stride = 0; // of no meaning where count is 1; may be negative in memory
    std::int64_t count = 1;

    ByteCount bytes() const { return length * count; }
    std::int64_t last() const { return start + (count - 1) * (count > 1 ? stride : 0); } // start of the last block
    std::int64_t end() const { return last() + length; }
};

bool operator==(const Run &a, const Run &b);

/// Bytes in an order (the stream): position p of the stream is the p-th byte of the runs. Appending coalesces.
class StridedList {
  public:
    /// Appends a run; runs of no bytes are ignored.
    void Append(Run run);

    /// Takes the memory for so many runs at once. Throws std::bad_alloc.
    void Reserve(std::size_t runs);

    /// Moves all bytes. Needs: every start and end fits behind it.
    void MoveBy(std::int64_t distance);

    const std::vector<Run> &runs() const { return runs_; }
    bool empty() const { return runs_.empty(); }
    ByteCount bytes() const { return bytes_; }

    /// True where every block starts at or after the end of the one before it. The functions that take an offset need it.
    bool ascending() const { return ascending_; }

    /// First and one past the last byte. Needs: ascending, not empty.
    std::int64_t begin() const { return runs_.front().start; }
    std::int64_t end() const { return runs_.back().end(); }

    /// The number of bytes that lie before `offset`, which is the stream position of `offset` where the list has that byte.
    ByteCount BytesBefore(std::int64_t offset) const;

    /// Where the byte at stream position `position` (0 .. bytes()-1) lies.
    std::int64_t StartOf(ByteCount position) const;

    /// Index of the run that holds stream position `position` (0 .. bytes()-1).
    std::size_t RunAt(ByteCount position) const;

    /// Index of the run that holds the byte at `offset`. Needs: ascending; the run is `from` or lies behind it. Time: the
    /// logarithm of how far behind.
    std::size_t HolderOf(std::int64_t offset, std::size_t from) const {
        std::size_t low = from;
        std::size_t step = 1;
        for (; low + step < runs_.size() && runs_[low + step].start <= offset; step *= 2) {
            low += step;
        }
        for (std::size_t high = std::min(low + step, runs_.size()); high - low > 1;) {
            const std::size_t middle = low + (high - low) / 2;
            (runs_[middle].start <= offset ? low : high) = middle;
        }
        return low;
    }

    /// Stream position of the byte at `offset`, which run `index` holds.
    ByteCount PositionIn(std::size_t index, std::int64_t offset) const {
        const Run &run = runs_[index];
        const std::int64_t block = run.count > 1 ? (offset - run.start) / run.stride : 0;
        return positions_[index] + block * run.length + (offset - run.start - block * run.stride);
    }

    /// Stream position of the first byte of run `index`.
    ByteCount PositionOf(std::size_t index) const { return positions_[index]; }

    /// Calls visit(Run, stream position) for the stream interval [from, to), in order: a run is cut into at most a partial
    /// block, a run of whole blocks and another partial block.
    template <typename Visit> void ForEach(ByteCount from, ByteCount to, Visit visit) const {
        if (from >= to) {
            return;
        }
        for (std::size_t i = RunAt(from); i < runs_.size() && positions_[i] < to; ++i) {
            const ByteCount first = std::max(from, positions_[i]) - positions_[i];
            const ByteCount last = std::min(to, positions_[i] + runs_[i].bytes()) - positions_[i];
            VisitPart(runs_[i], positions_[i], first, last, visit);
        }
    }

    /// The part of the stream in [from, to).
    StridedList Part(ByteCount from, ByteCount to) const;

    friend bool operator==(const StridedList &a, const StridedList &b) { return a.runs_ == b.runs_; }

  private:
    template <typename Visit>
    static void VisitPart(const Run &run, ByteCount position, ByteCount first, ByteCount last, Visit &visit) {
        std::int64_t block = first / run.length;
        const ByteCount skipped = first % run.length;
        if (skipped != 0) {
            const ByteCount length = std::min(run.length - skipped, last - first);
            visit(Run{run.start + block * run.stride + skipped, length, 0, 1}, position + first);
            first += length;
            ++block;
        }
        const std::int64_t whole = (last - first) / run.length;
        if (whole > 0) {
            visit(Run{run.start + block * run.stride, run.length, run.stride, whole}, position + first);
            first += whole * run.length;
            block += whole;
        }
        if (first < last) {
            visit(Run{run.start + block * run.stride, last - first, 0, 1}, position + first);
        }
    }

    bool CoalesceWithLast(const Run &run);

    std::vector<Run> runs_;
    std::vector<ByteCount> positions_; // stream position of each run's first byte
    ByteCount bytes_ = 0;
    bool ascending_ = true;
};

} // namespace overlap

#endif
