// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "coverage.h"

#include "bands.h"
#include "recurrences.h"
#include "tiles.h"

#include <algorithm>
#include <queue>
#include <utility>

namespace overlap {
namespace {

// A block from here on is sorted: a bit for each of its bytes takes longer.
constexpr ByteCount kLongBlock = 1024;

// So many bytes of the file to a block, on average, are a few words of a tile.
constexpr ByteCount kDense = 512;

bool StartsEarlier(const Block &a, const Block &b) { return a.start < b.start; }

// Sorts by start: into buckets of equal ranges of offsets, as many as blocks, then each bucket.
void Sort(std::vector<Block> &blocks) {
    if (std::is_sorted(blocks.begin(), blocks.end(), StartsEarlier)) {
        return;
    }
    const auto [lowest, highest] = std::minmax_element(blocks.begin(), blocks.end(), StartsEarlier);
    const FileOffset base = lowest->start;
    const auto count = static_cast<std::int64_t>(blocks.size());
    const std::int64_t width = (highest->start - base) / count + 1;
    std::vector<std::size_t> begins(blocks.size() + 1, 0); // of each bucket, one entry late
    for (const Block &block : blocks) {
        ++begins[static_cast<std::size_t>((block.start - base) / width) + 1];
    }
    for (std::size_t bucket = 1; bucket < begins.size(); ++bucket) {
        begins[bucket] += begins[bucket - 1];
    }
    std::vector<Block> sorted(blocks.size());
    for (const Block &block : blocks) {
        sorted[begins[static_cast<std::size_t>((block.start - base) / width)]++] = block;
    }
    // Each begin has moved to the bucket's end.
    std::size_t begin = 0;
    for (std::size_t bucket = 0; bucket + 1 < begins.size(); ++bucket) {
        std::sort(sorted.begin() + static_cast<std::ptrdiff_t>(begin),
                  sorted.begin() + static_cast<std::ptrdiff_t>(begins[bucket]), StartsEarlier);
        begin = begins[bucket];
    }
    blocks = std::move(sorted);
}

// Adds to a union in ascending order of starts.
class UnionBuilder {
  public:
    explicit UnionBuilder(bool overlap) : overlap_(overlap) {}

    void Add(const Block &block) {
        if (pending_.length > 0 && block.start <= pending_.end()) {
            overlap_ = overlap_ || block.start < pending_.end();
            pending_.length = std::max(pending_.end(), block.end()) - pending_.start;
            return;
        }
        Flush();
        pending_ = block;
    }

    // Whether what begins at `offset` can only touch what was added.
    bool IsBehind(FileOffset offset) const { return pending_.length == 0 || pending_.end() <= offset; }

    // Adds periods of a band in which nothing else has bytes. Needs: IsBehind(their start).
    void AddPeriods(const Band &band, std::int64_t period, std::int64_t periods) {
        if (band.blocks.size() == 1) {
            const Block &block = band.blocks.front();
            AddAlone(Run{block.start + period * band.stride, block.length, band.stride, periods});
            return;
        }
        for (const std::int64_t end = period + periods; period < end; ++period) {
            for (const Block &block : band.blocks) {
                Add(Block{block.start + period * band.stride, block.length});
            }
        }
    }

    Coverage Finish() {
        Flush();
        coverage_.overlap = overlap_;
        return std::move(coverage_);
    }

  private:
    // The first and the last block may touch what is added before and behind.
    void AddAlone(const Run &run) {
        Add(Block{run.start, run.length});
        if (run.count > 1) {
            Flush();
            coverage_.data.Append(Run{run.start + run.stride, run.length, run.stride, run.count - 2});
            pending_ = Block{run.last(), run.length};
        }
    }

    void Flush() {
        coverage_.data.Append(Run{pending_.start, pending_.length, 0, 1});
        pending_.length = 0;
    }

    Coverage coverage_;
    bool overlap_;
    Block pending_ = {0, 0}; // none where it has no length
};

// A band that is added period by period, or where others have bytes in it block by block.
class BandCursor {
  public:
    explicit BandCursor(const Band &band) : band_(&band) {}

    bool done() const { return period_ == band_->periods; }
    FileOffset start() const { return band_->blocks[block_].start + period_ * band_->stride; }

    // Adds what lies before `next`, where others continue; at least one block.
    void Add(FileOffset next, UnionBuilder &merged) {
        if (block_ == 0 && next - start() >= band_->span() && merged.IsBehind(start())) {
            const std::int64_t before = (next - start() - band_->span()) / band_->stride + 1;
            const std::int64_t periods = std::min(band_->periods - period_, before);
            merged.AddPeriods(*band_, period_, periods);
            period_ += periods;
            return;
        }
        merged.Add(Block{start(), band_->blocks[block_].length});
        if (++block_ == band_->blocks.size()) {
            block_ = 0;
            ++period_;
        }
    }

  private:
    const Band *band_;
    std::int64_t period_ = 0;
    std::size_t block_ = 0;
};

bool StartsLater(const BandCursor &a, const BandCursor &b) { return a.start() > b.start(); }

Coverage Merge(const Bands &bands) {
    UnionBuilder merged(bands.overlap);
    std::priority_queue<BandCursor, std::vector<BandCursor>, decltype(&StartsLater)> cursors(&StartsLater);
    for (const Band &band : bands.bands) {
        cursors.push(BandCursor(band));
    }
    auto block = bands.rest.begin();
    while (!cursors.empty()) {
        BandCursor cursor = cursors.top();
        cursors.pop();
        for (; block != bands.rest.end() && block->start <= cursor.start(); ++block) {
            merged.Add(*block);
        }
        const FileOffset next_block = block == bands.rest.end() ? kLastOffset : block->start;
        cursor.Add(cursors.empty() ? next_block : std::min(next_block, cursors.top().start()), merged);
        if (!cursor.done()) {
            cursors.push(cursor);
        }
    }
    for (; block != bands.rest.end(); ++block) {
        merged.Add(*block);
    }
    return merged.Finish();
}

void AddBlocks(const Run &run, std::vector<Block> &blocks) {
    for (std::int64_t block = 0; block < run.count; ++block) {
        blocks.push_back(Block{run.start + block * run.stride, run.length});
    }
}

// Irregular blocks, list by list. They stay where they are until they are added.
class ShortBlocks {
  public:
    void BeginList(const StridedList &list) { sequences_.push_back(BlockSequence{&list, {}}); }

    void Add(const Run &run, ByteCount position) {
        std::vector<StreamInterval> &intervals = sequences_.back().intervals;
        if (!intervals.empty() && intervals.back().to == position) {
            intervals.back().to += run.bytes();
        } else {
            intervals.push_back(StreamInterval{position, position + run.bytes()});
        }
        begin_ = std::min(begin_, run.start);
        end_ = std::max(end_, run.end());
        blocks_ += run.count;
    }

    // So that tiles serve them.
    bool dense() const { return blocks_ > 0 && (end_ - begin_) / kDense < blocks_; }

    // The union, if nothing else is in it. Needs: they are dense.
    Coverage Union() const {
        UnionBuilder merged(false);
        const bool overlap = ForEachInUnion(sequences_, [&merged](const Block &block) { merged.Add(block); });
        Coverage coverage = merged.Finish();
        coverage.overlap = overlap;
        return coverage;
    }

    // Their union by tiles where they are dense, else each of them.
    void AddTo(Bands &bands) const {
        if (dense()) {
            const auto add = [&bands](const Block &block) { bands.rest.push_back(block); };
            bands.overlap = ForEachInUnion(sequences_, add) || bands.overlap;
            return;
        }
        bands.rest.reserve(bands.rest.size() + static_cast<std::size_t>(blocks_));
        for (const BlockSequence &sequence : sequences_) {
            for (const StreamInterval &interval : sequence.intervals) {
                sequence.list->ForEach(interval.from, interval.to,
                                       [&bands](const Run &run, ByteCount) { AddBlocks(run, bands.rest); });
            }
        }
    }

  private:
    std::vector<BlockSequence> sequences_;
    FileOffset begin_ = kLastOffset;
    FileOffset end_ = 0;
    std::int64_t blocks_ = 0;
};

} // namespace

Coverage Cover(const std::vector<const StridedList *> &lists) {
    Bands bands;
    std::vector<Run> regular;
    ShortBlocks irregular;
    for (const StridedList *list : lists) {
        irregular.BeginList(*list);
        ForEachRecurrence(
            *list, kFewestPeriods, [&regular](const Run &run) { regular.push_back(run); },
            [&](const Run &run, ByteCount position) {
                if (run.length < kLongBlock) {
                    irregular.Add(run, position);
                } else {
                    AddBlocks(run, bands.rest);
                }
            });
    }
    if (regular.empty() && bands.rest.empty() && irregular.dense()) {
        return irregular.Union();
    }
    irregular.AddTo(bands);
    std::stable_sort(regular.begin(), regular.end(), [](const Run &a, const Run &b) { return a.stride < b.stride; });
    for (auto begin = regular.begin(); begin != regular.end();) {
        const auto end = std::find_if(begin, regular.end(), [begin](const Run &run) { return run.stride != begin->stride; });
        AddBands(std::vector<Run>(begin, end), bands);
        begin = end;
    }
    Sort(bands.rest);
    return Merge(bands);
}

} // namespace overlap
