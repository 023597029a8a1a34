// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "bands.h"

#include <algorithm>

namespace overlap {
namespace {

// Adds the blocks of the run that lie in [from, to), or what of them does.
void AddBlocks(const Run &run, FileOffset from, FileOffset to, std::vector<Block> &blocks) {
    std::int64_t index = from <= run.start ? 0 : (from - run.start) / run.stride;
    for (; index < run.count; ++index) {
        const FileOffset start = run.start + index * run.stride;
        if (start >= to) {
            return;
        }
        const FileOffset first = std::max(start, from);
        const FileOffset last = std::min(start + run.length, to);
        if (first < last) {
            blocks.push_back(Block{first, last - first});
        }
    }
}

// Goes through the offsets at which runs begin and end. Between two of them the same blocks recur.
class Sweep {
  public:
    Sweep(std::vector<Run> runs, Bands &bands) : runs_(std::move(runs)), stride_(runs_.front().stride), bands_(bands) {
        std::sort(runs_.begin(), runs_.end(), [](const Run &a, const Run &b) { return a.start < b.start; });
    }

    void Go() {
        std::vector<FileOffset> changes;
        changes.reserve(2 * runs_.size());
        for (const Run &run : runs_) {
            changes.push_back(run.start);
            changes.push_back(run.end());
        }
        std::sort(changes.begin(), changes.end());
        FileOffset done = changes.front();
        for (std::size_t i = 0; i + 1 < changes.size(); ++i) {
            // Shorter ones are left until the next long one: there may be as many as runs, in each of which all have a
            // block.
            if ((changes[i + 1] - changes[i]) / kFewestPeriods >= stride_) {
                AddRest(done, changes[i]);
                AddRegular(changes[i], changes[i + 1]);
                done = changes[i + 1];
            }
        }
        AddRest(done, changes.back());
    }

  private:
    // Makes `active_` those that have bytes in [from, to).
    void Activate(FileOffset from, FileOffset to) {
        active_.erase(std::remove_if(active_.begin(), active_.end(), [from](const Run *run) { return run->end() <= from; }),
                      active_.end());
        for (; next_ < runs_.size() && runs_[next_].start < to; ++next_) {
            active_.push_back(&runs_[next_]);
        }
    }

    void AddActive(FileOffset from, FileOffset to) {
        for (const Run *run : active_) {
            AddBlocks(*run, from, to, bands_.rest);
        }
    }

    void AddRest(FileOffset from, FileOffset to) {
        if (from < to) {
            Activate(from, to);
            AddActive(from, to);
        }
    }

    // The blocks of a period that begins at `origin`, joined where they touch; the last one may end in the next period.
    std::vector<Block> Period(FileOffset origin) {
        std::vector<Block> blocks;
        blocks.reserve(active_.size());
        for (const Run *run : active_) {
            const std::int64_t behind = (origin - run->start) % stride_;
            blocks.push_back(Block{behind == 0 ? 0 : stride_ - behind, run->length});
        }
        std::sort(blocks.begin(), blocks.end(), [](const Block &a, const Block &b) { return a.start < b.start; });
        std::size_t last = 0;
        for (std::size_t i = 1; i < blocks.size(); ++i) {
            if (blocks[i].start > blocks[last].end()) {
                blocks[++last] = blocks[i];
                continue;
            }
            bands_.overlap = bands_.overlap || blocks[i].start < blocks[last].end();
            blocks[last].length = std::max(blocks[last].end(), blocks[i].end()) - blocks[last].start;
        }
        blocks.resize(last + 1);
        return blocks;
    }

    // Joins the last block of a period with the first ones of the next.
    void JoinPeriods(std::vector<Block> &blocks) {
        std::size_t first = 0;
        Block &last = blocks.back();
        while (last.end() - stride_ >= blocks[first].start) {
            bands_.overlap = bands_.overlap || last.end() - stride_ > blocks[first].start;
            if (first + 1 == blocks.size()) {
                last.length = stride_;
                break;
            }
            last.length = std::max(last.end(), blocks[first].end() + stride_) - last.start;
            ++first;
        }
        blocks.erase(blocks.begin(), blocks.begin() + static_cast<std::ptrdiff_t>(first));
    }

    // Needs: no run begins or ends between `from` and `to`.
    void AddRegular(FileOffset from, FileOffset to) {
        Activate(from, from + 1);
        if (active_.empty()) {
            return;
        }
        Band band{Period(from), stride_, 0};
        JoinPeriods(band.blocks);
        if (band.blocks.front().length == stride_) {
            bands_.rest.push_back(Block{from, to - from});
            return;
        }
        for (Block &block : band.blocks) {
            block.start += from;
        }
        band.periods = (to - band.begin()) / stride_;
        const FileOffset begin = band.begin();
        const FileOffset end = begin + band.periods * stride_;
        AddActive(from, begin);
        AddActive(end, to);
        MakeEqual(band);
        bands_.bands.push_back(std::move(band));
    }

    static void MakeEqual(Band &band) {
        const auto count = static_cast<std::int64_t>(band.blocks.size());
        const std::int64_t distance = band.stride / count;
        if (distance * count != band.stride) {
            return;
        }
        for (std::int64_t i = 1; i < count; ++i) {
            const Block &block = band.blocks[static_cast<std::size_t>(i)];
            if (block.start != band.begin() + i * distance || block.length != band.blocks.front().length) {
                return;
            }
        }
        band.blocks.resize(1);
        band.stride = distance;
        band.periods *= count;
    }

    std::vector<Run> runs_;
    const std::int64_t stride_;
    Bands &bands_;
    std::size_t next_ = 0; // of runs_, that was not active yet
    std::vector<const Run *> active_;
};

} // namespace

void AddBands(std::vector<Run> runs, Bands &bands) {
    if (!runs.empty()) {
        Sweep(std::move(runs), bands).Go();
    }
}

} // namespace overlap
