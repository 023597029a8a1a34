// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "cuts.h"

#include <iterator>
#include <stdexcept>
#include <utility>

namespace overlap {
namespace {

// Runs of this many blocks, or fewer, are cut block by block where a block is worth it.
constexpr std::int64_t kFewBlocks = 4;
constexpr ByteCount kLongBlock = 4; // capacities

// Blocks whose starts are no farther apart have bytes in every page, and are written with what lies between them
// (io/holes.cc). File systems write up to whole multiples of this at once.
constexpr ByteCount kCloseStarts = ByteCount{4} << 10;
constexpr ByteCount kAtOnce = ByteCount{1} << 20;

class Cutter {
  public:
    Cutter(const StridedList &data, ByteCount capacity, ByteCount alignment)
        : data_(data), capacity_(capacity), alignment_(std::min(alignment, capacity)),
          at_once_(DivideUp(kAtOnce, alignment_) * alignment_), state_(std::make_shared<Cuts::State>()) {}

    Cuts Cut() {
        if (data_.empty()) {
            return Cuts();
        }
        begin_ = data_.begin();
        while (Left() > capacity_) {
            const StridedList::Holder holder = data_.HolderAt(position_);
            const Run &run = holder.run;
            const ByteCount inside = position_ - holder.position;
            const Cycle before = state_->cycles;
            const bool apart = run.count <= kFewBlocks && run.length / kLongBlock >= capacity_;
            if (run.count == 1 || apart) {
                CutBlock(run.length - inside % run.length);
            } else if (const ByteCount span = SpanOf(run); span > 0) {
                CutSpans(run, span);
            } else {
                CutBlocks(run, inside);
            }
            if (state_->cycles == before) {
                CutOnce();
            }
        }
        AddParts(1, CutPattern{Left()});
        return Cuts(std::move(state_));
    }

  private:
    ByteCount Left() const { return data_.bytes() - position_; }

    // Adds parts of the next bytes of data.
    void AddParts(Cycle parts, const CutPattern &pattern) {
        if (parts > 0) {
            position_ += parts * pattern.part;
            AddSegment(parts, pattern, pattern.part, position_ == data_.bytes() ? data_.end() : data_.StartOf(position_));
        }
    }

    // Adds parts that lie before `end`, which is no end of the data, each of so many bytes of the file.
    void AddSpans(Cycle parts, ByteCount span, FileOffset end, ByteCount fullest) {
        position_ = data_.BytesBefore(end);
        AddSegment(parts, CutPattern{span}, fullest, end);
    }

    void AddSegment(Cycle parts, const CutPattern &pattern, ByteCount fullest, FileOffset end) {
        state_->segments.push_back(CutSegment{state_->cycles, parts, begin_, end, pattern});
        state_->cycles += parts;
        state_->fullest_cycle = std::max(state_->fullest_cycle, fullest);
        begin_ = end;
    }

    // The number of parts of `part` bytes that begin more than a capacity before the end of `length` bytes.
    Cycle PartsBefore(ByteCount length, ByteCount part) const {
        return length > capacity_ ? DivideUp(length - capacity_, part) : 0;
    }

    // Cuts the next `length` bytes, which are contiguous, as long as more than one part of them is left. Every part ends at
    // a multiple; the first one may begin at another place.
    void CutBlock(ByteCount length) {
        if (length <= capacity_) {
            return;
        }
        const FileOffset begin = data_.StartOf(position_);
        const ByteCount whole = RoundDown(capacity_, alignment_);
        const ByteCount first = RoundDown(begin + capacity_, alignment_) - begin;
        if (first != whole) {
            AddParts(1, CutPattern{first});
            length -= first;
        }
        AddParts(PartsBefore(length, whole), CutPattern{whole});
    }

    // The bytes of a part among the blocks of a run.
    ByteCount PartOf(const Run &run) const {
        const ByteCount blocks = RoundDown(capacity_, run.length);
        if (blocks >= capacity_ - capacity_ / 4) {
            return blocks;
        }
        const bool aligned = run.start % alignment_ == 0 && run.length % alignment_ == 0 && run.stride % alignment_ == 0;
        return aligned ? RoundDown(capacity_, alignment_) : capacity_;
    }

    // The distance in the file between the ends of parts among blocks that are written with their gaps, 0 where it would
    // leave a quarter of the capacity unused.
    ByteCount SpanOf(const Run &run) const {
        const std::int64_t blocks = capacity_ / run.length;
        if (run.stride > kCloseStarts || blocks > kLastOffset / kCloseStarts) {
            return 0;
        }
        const ByteCount most = blocks * run.stride;
        const ByteCount span = RoundDown(most, at_once_);
        return span >= most - most / 4 ? span : 0;
    }

    void CutSpans(const Run &run, ByteCount span) {
        const FileOffset begin = data_.StartOf(position_);
        if (run.end() - begin <= span) {
            return;
        }
        const ByteCount fullest = std::min(DivideUp(span, run.stride) * run.length, capacity_);
        const FileOffset end = RoundDown(begin + span, at_once_);
        AddSpans(1, span, end, fullest);
        if (const Cycle more = (run.end() - 1 - end) / span; more > 0) {
            AddSpans(more, span, end + more * span, fullest);
        }
    }

    // Cuts what is left of a run behind its first `inside` bytes, as long as it fills a part.
    void CutBlocks(const Run &run, ByteCount inside) {
        const ByteCount part = PartOf(run);
        const ByteCount skipped = inside % run.length;
        if (skipped == 0 || part % run.length != 0) { // else first one cut at the start of a block
            const Cycle parts = std::min((run.bytes() - inside) / part, PartsBefore(Left(), part));
            AddParts(parts, CutPattern{part, run.length, run.stride, skipped});
        }
    }

    // One part, by the rules of the data in which it ends.
    void CutOnce() {
        const ByteCount most = position_ + capacity_;
        const StridedList::Holder holder = data_.HolderAt(most);
        const Run &run = holder.run;
        ByteCount end = 0;
        if (run.count > 1 && PartOf(run) % run.length == 0) {
            end = most - (most - holder.position) % run.length;
        } else {
            end = data_.BytesBefore(RoundDown(data_.StartOf(most), alignment_));
        }
        AddParts(1, CutPattern{(end > position_ ? end : most) - position_});
    }

    const StridedList &data_;
    const ByteCount capacity_;
    const ByteCount alignment_;
    const ByteCount at_once_;
    std::shared_ptr<Cuts::State> state_;
    ByteCount position_ = 0; // of the data: what lies before it is cut
    FileOffset begin_ = 0;   // of the next part
};

// The first segment that ends behind `offset`.
auto SegmentAt(const std::vector<CutSegment> &segments, FileOffset offset) {
    return std::upper_bound(segments.begin(), segments.end(), offset,
                            [](FileOffset o, const CutSegment &segment) { return o < segment.end; });
}

// Words: cycles, first part, data of the fullest cycle; then the segments: first part, parts, begin, end, and of more parts
// than one their pattern.
constexpr std::size_t kHeaderWords = 3;
constexpr std::size_t kSegmentWords = 4;
constexpr std::size_t kPatternWords = 4;

// Whether the last part begins where the segment still is, which bounds what is computed for the others.
bool Fits(const CutSegment &segment) {
    const CutPattern &pattern = segment.pattern;
    const ByteCount data = CheckedAdd(CheckedMultiply(segment.parts - 1, pattern.part), pattern.inside);
    const FileOffset block = CheckedMultiply(data / pattern.length, pattern.stride);
    return CheckedAdd(block, data % pattern.length) - pattern.inside < segment.end - segment.begin;
}

void Decode(const std::int64_t *words, std::size_t count, Cuts::State &state) {
    Cycle next = 0;
    FileOffset reached = 0;
    for (std::size_t at = kHeaderWords; at < count;) {
        RequireForm(count - at >= kSegmentWords);
        CutSegment segment{words[at], words[at + 1], words[at + 2], words[at + 3], CutPattern()};
        at += kSegmentWords;
        RequireForm(segment.first >= next && segment.parts > 0 && segment.parts <= state.cycles &&
                    segment.first <= state.cycles - segment.parts);
        RequireForm(segment.begin >= reached && segment.end > segment.begin);
        if (segment.parts > 1) {
            RequireForm(count - at >= kPatternWords);
            const CutPattern pattern{words[at], words[at + 1], words[at + 2], words[at + 3]};
            RequireForm(pattern.part > 0 && pattern.length > 0 && pattern.inside >= 0 && pattern.inside < pattern.length);
            RequireForm(pattern.stride >= pattern.length || (pattern.stride == 0 && pattern.length == kLastOffset));
            segment.pattern = pattern;
            RequireForm(Fits(segment));
            at += kPatternWords;
        }
        state.segments.push_back(segment);
        next = segment.first + segment.parts;
        reached = segment.end;
    }
}

} // namespace

Cuts::Cuts(const std::vector<FileOffset> &offsets) {
    if (offsets.size() < 2) {
        return;
    }
    const auto state = std::make_shared<State>();
    state->cycles = static_cast<Cycle>(offsets.size()) - 1;
    state->segments.reserve(offsets.size() - 1);
    for (std::size_t i = 0; i + 1 < offsets.size(); ++i) {
        state->segments.push_back(CutSegment{static_cast<Cycle>(i), 1, offsets[i], offsets[i + 1], CutPattern()});
        state->fullest_cycle = std::max(state->fullest_cycle, offsets[i + 1] - offsets[i]);
    }
    state_ = state;
}

Cycle Cuts::PartAt(FileOffset offset) const noexcept {
    if (state_ == nullptr) {
        return 0;
    }
    const auto segment = SegmentAt(state_->segments, offset);
    if (segment == state_->segments.end()) {
        return cycles();
    }
    Cycle first = segment->first;
    for (Cycle parts = segment->parts; parts > 1;) {
        const Cycle half = parts / 2;
        if (EndOf(first + half - 1) > offset) {
            parts = half;
        } else {
            first += half;
            parts -= half;
        }
    }
    return first;
}

FileOffset Cuts::OffsetOf(Cycle part, int parts_behind) const noexcept {
    const std::vector<CutSegment> &segments = state_->segments;
    const auto after = std::upper_bound(segments.begin(), segments.end(), part,
                                        [](Cycle p, const CutSegment &segment) { return p < segment.first; });
    if (after == segments.begin()) {
        return segments.empty() ? 0 : segments.front().begin;
    }
    const CutSegment &segment = *std::prev(after);
    const Cycle inside = part - segment.first;
    if (inside >= segment.parts - parts_behind) {
        return segment.end;
    }
    const Cycle wanted = inside + parts_behind;
    return wanted == 0 ? segment.begin : segment.begin + segment.pattern.DistanceOf(wanted);
}

Cuts CutsOf(const StridedList &data, ByteCount capacity, ByteCount alignment) {
    return Cutter(data, capacity, alignment).Cut();
}

Cuts CutGapless(const Domain &domain, ByteCount capacity, ByteCount alignment) {
    StridedList data;
    data.Append(Run{domain.begin, domain.end - domain.begin, 0, 1});
    return CutsOf(data, capacity, alignment);
}

std::vector<std::int64_t> EncodeCuts(const Cuts &cuts, const StridedList &client_file) {
    std::vector<std::int64_t> words = {cuts.cycles(), cuts.first_part(), cuts.FullestCycle()};
    for (ByteCount position = 0; position < client_file.bytes();) {
        const auto segment = SegmentAt(cuts.state().segments, client_file.StartOf(position));
        words.insert(words.end(), {segment->first, segment->parts, segment->begin, segment->end});
        if (segment->parts > 1) {
            const CutPattern &pattern = segment->pattern;
            words.insert(words.end(), {pattern.part, pattern.length, pattern.stride, pattern.inside});
        }
        position = client_file.BytesBefore(segment->end);
    }
    return words;
}

Cuts DecodeCuts(const std::int64_t *words, std::size_t count) {
    RequireForm(count >= kHeaderWords);
    const auto state = std::make_shared<Cuts::State>();
    state->cycles = words[0];
    const Cycle first = words[1];
    state->fullest_cycle = words[2];
    RequireForm(state->cycles >= 0 && first >= 0 && (first < state->cycles || first == 0) && state->fullest_cycle >= 0);
    try {
        Decode(words, count, *state);
    } catch (const std::range_error &) {
        RequireForm(false);
    }
    Cuts cuts(state);
    cuts.StartWith(first);
    return cuts;
}

} // namespace overlap
