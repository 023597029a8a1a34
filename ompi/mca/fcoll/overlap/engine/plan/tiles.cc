// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "tiles.h"

#include <algorithm>
#include <cstdint>
#include <queue>

namespace overlap {
namespace {

// The bits of a tile stay in the second level of the cache.
constexpr ByteCount kTile = ByteCount{1} << 20;
constexpr std::int64_t kWord = 64;

// The bytes of a tile that were marked.
class Tile {
  public:
    Tile() : words_(static_cast<std::size_t>(kTile / kWord), 0) {}

    void Begin(FileOffset base) { base_ = base; }
    bool Reaches(FileOffset offset) const { return offset - base_ < kTile; }
    FileOffset end() const { return base_ <= kLastOffset - kTile ? base_ + kTile : kLastOffset; }

    // Needs: the bytes lie in the tile. Returns whether any of them was marked before.
    bool Mark(FileOffset start, ByteCount length) {
        const std::int64_t first = start - base_;
        const std::int64_t last = first + length - 1;
        auto word = static_cast<std::size_t>(first / kWord);
        const auto end = static_cast<std::size_t>(last / kWord);
        used_ = std::max(used_, end + 1);
        const std::uint64_t from = ~std::uint64_t{0} << (first % kWord);
        const std::uint64_t to = ~std::uint64_t{0} >> (kWord - 1 - last % kWord);
        if (word == end) {
            return Set(word, from & to);
        }
        bool before = Set(word, from);
        for (++word; word < end; ++word) {
            before = Set(word, ~std::uint64_t{0}) || before;
        }
        return Set(end, to) || before;
    }

    // Visits what is marked, and forgets it.
    void Take(const std::function<void(const Block &)> &visit) {
        std::int64_t begin = -1; // of the block that is not closed yet
        for (std::size_t i = 0; i < used_; ++i) {
            const std::uint64_t word = words_[i];
            const auto at = static_cast<std::int64_t>(i) * kWord;
            words_[i] = 0;
            if (word == (begin < 0 ? 0 : ~std::uint64_t{0})) {
                continue;
            }
            for (int bit = 0; bit < kWord;) {
                const std::uint64_t left = (begin < 0 ? word : ~word) >> bit;
                if (left == 0) {
                    break;
                }
                bit += __builtin_ctzll(left);
                if (begin < 0) {
                    begin = at + bit;
                } else {
                    visit(Block{base_ + begin, at + bit - begin});
                    begin = -1;
                }
            }
        }
        if (begin >= 0) {
            visit(Block{base_ + begin, static_cast<std::int64_t>(used_) * kWord - begin});
        }
        used_ = 0;
    }

  private:
    bool Set(std::size_t word, std::uint64_t bits) {
        const bool before = (words_[word] & bits) != 0;
        words_[word] |= bits;
        return before;
    }

    FileOffset base_ = 0;
    std::size_t used_ = 0; // words; no bit behind them is set
    std::vector<std::uint64_t> words_;
};

// What is left of a sequence.
class Cursor {
  public:
    explicit Cursor(const BlockSequence &sequence)
        : list_(sequence.list), interval_(sequence.intervals.data()), end_(interval_ + sequence.intervals.size()) {
        GoTo(interval_->from);
    }

    bool done() const { return interval_ == end_; }
    FileOffset start() const { return start_; }

    // Marks what lies in the tile. Returns whether any of it was marked before.
    bool MarkIn(Tile &tile) {
        bool before = false;
        const ByteCount last = list_->BytesBefore(tile.end());
        while (!done() && position_ < last) {
            const ByteCount to = std::min(interval_->to, last);
            list_->ForEach(position_, to, [&](const Run &run, ByteCount) {
                for (std::int64_t block = 0; block < run.count; ++block) {
                    before = tile.Mark(run.start + block * run.stride, run.length) || before;
                }
            });
            position_ = to;
            if (to == interval_->to && ++interval_ != end_) {
                position_ = interval_->from;
            }
        }
        if (!done()) {
            GoTo(position_);
        }
        return before;
    }

  private:
    void GoTo(ByteCount position) {
        position_ = position;
        start_ = list_->StartOf(position);
    }

    const StridedList *list_;
    const StreamInterval *interval_;
    const StreamInterval *end_;
    ByteCount position_ = 0; // of the interval
    FileOffset start_ = 0;   // of the byte that stands there
};

bool StartsLater(const Cursor &a, const Cursor &b) { return a.start() > b.start(); }

} // namespace

bool ForEachInUnion(const std::vector<BlockSequence> &sequences, const std::function<void(const Block &)> &visit) {
    std::priority_queue<Cursor, std::vector<Cursor>, decltype(&StartsLater)> cursors(&StartsLater);
    for (const BlockSequence &sequence : sequences) {
        if (!sequence.intervals.empty()) {
            cursors.push(Cursor(sequence));
        }
    }
    bool overlap = false;
    if (cursors.empty()) {
        return overlap;
    }
    Tile tile;
    std::vector<Cursor> behind; // what the cursors of this tile have left
    while (!cursors.empty()) {
        tile.Begin(RoundDown(cursors.top().start(), kWord));
        while (!cursors.empty() && tile.Reaches(cursors.top().start())) {
            Cursor cursor = cursors.top();
            cursors.pop();
            overlap = cursor.MarkIn(tile) || overlap;
            if (!cursor.done()) {
                behind.push_back(cursor);
            }
        }
        tile.Take(visit);
        for (const Cursor &cursor : behind) {
            cursors.push(cursor);
        }
        behind.clear();
    }
    return overlap;
}

} // namespace overlap
