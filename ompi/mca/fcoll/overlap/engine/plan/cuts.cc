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
        : data_(data), capacity_(capacity), alignment_(alignment), state_(std::make_shared<Cuts::State>()) {}

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
            } else {
                CutBlocks(run, inside);
            }
            if (state_->cycles == before) {
                CutOnce();
            }
        }
        AddParts(1, CutPattern(), Left());
        return Cuts(std::move(state_));
    }

  private:
    ByteCount Left() const { return data_.bytes() - position_; }

    // Adds parts that hold the next `bytes` bytes of data.
    void AddParts(Cycle parts, const CutPattern &pattern, ByteCount bytes) {
        position_ += bytes;
        const ByteCount fullest = parts == 1 ? bytes : pattern.in_period == 1 ? pattern.period : pattern.step;
        AddSegment(parts, pattern, fullest, position_ == data_.bytes() ? data_.end() : data_.StartOf(position_));
    }

    // Adds parts that lie before `end`, which is no end of the data.
    void AddPartsUpTo(FileOffset end, Cycle parts, const CutPattern &pattern, ByteCount fullest) {
        position_ = data_.BytesBefore(end);
        AddSegment(parts, pattern, fullest, end);
    }

    void AddSegment(Cycle parts, const CutPattern &pattern, ByteCount fullest, FileOffset end) {
        state_->segments.push_back(CutSegment{state_->cycles, parts, begin_, end, pattern});
        state_->cycles += parts;
        state_->fullest_cycle = std::max(state_->fullest_cycle, fullest);
        begin_ = end;
    }

    // Cuts the next `length` bytes, which are contiguous, as long as more than one part of them is left.
    void CutBlock(ByteCount length) {
        if (length <= capacity_) {
            return;
        }
        const FileOffset begin = data_.StartOf(position_);
        const ByteCount whole = RoundDown(capacity_, alignment_);
        if (whole > 0) {
            // Every part ends at a multiple; the first one may begin at another place.
            const ByteCount first = RoundDown(begin + capacity_, alignment_) - begin;
            if (first != whole) {
                AddParts(1, CutPattern(), first);
                length -= first;
            }
            AddFullParts(length, whole);
            return;
        }
        // Full parts up to the next multiple, which ends one; then as many as a distance between multiples takes.
        const ByteCount to_multiple = alignment_ - begin % alignment_;
        const ByteCount head = std::min(length, to_multiple);
        const Cycle parts = head < length ? std::min(DivideUp(head, capacity_), PartsBefore(length, capacity_))
                                          : PartsBefore(length, capacity_);
        const ByteCount bytes = std::min(head, parts <= kLastOffset / capacity_ ? parts * capacity_ : head);
        AddParts(parts, CutPattern{1, capacity_, 0, kLastOffset, 0, 0}, bytes);
        length -= bytes;
        if (length <= capacity_) {
            return;
        }
        const CutPattern pattern{DivideUp(alignment_, capacity_), alignment_, capacity_, kLastOffset, 0, 0};
        const ByteCount start_of_last = length - capacity_; // a part that begins here, or behind, may reach the end
        const Cycle in_last = std::min(pattern.in_period, DivideUp(start_of_last % alignment_, capacity_));
        const Cycle more = start_of_last / alignment_ * pattern.in_period + in_last;
        AddParts(more, pattern, pattern.DistanceOf(more));
    }

    // The number of parts of `part` bytes that begin more than a capacity before the end of `length` bytes.
    Cycle PartsBefore(ByteCount length, ByteCount part) const {
        return length > capacity_ ? DivideUp(length - capacity_, part) : 0;
    }

    void AddFullParts(ByteCount length, ByteCount part) {
        const Cycle parts = PartsBefore(length, part);
        if (parts > 0) {
            AddParts(parts, CutPattern{1, part, 0, kLastOffset, 0, 0}, parts * part);
        }
    }

    // The bytes of a part among the blocks of a run.
    ByteCount PartOf(const Run &run) const {
        const ByteCount blocks = RoundDown(capacity_, run.length);
        if (blocks >= capacity_ - capacity_ / 4) {
            return blocks;
        }
        const ByteCount whole = RoundDown(capacity_, alignment_);
        const bool aligned = run.start % alignment_ == 0 && run.length % alignment_ == 0 && run.stride % alignment_ == 0;
        return aligned && whole > 0 ? whole : capacity_;
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
        const FileOffset run_end = run.start + (run.count - 1) * run.stride + run.length;
        const FileOffset begin = data_.StartOf(position_);
        if (run_end - begin <= span) {
            return;
        }
        const ByteCount fullest = DivideUp(span, run.stride) * run.length;
        const FileOffset end = RoundDown(begin + span, at_once_);
        AddPartsUpTo(end, 1, CutPattern(), std::min(fullest, capacity_));
        const Cycle more = (run_end - 1 - end) / span;
        if (more > 0) {
            AddPartsUpTo(end + more * span, more, CutPattern{1, span, 0, kLastOffset, 0, 0}, std::min(fullest, capacity_));
        }
    }

    // Cuts what is left of a run behind its first `inside` bytes, as long as it fills a part.
    void CutBlocks(const Run &run, ByteCount inside) {
        if (const ByteCount span = SpanOf(run); span > 0) {
            CutSpans(run, span);
            return;
        }
        const ByteCount part = PartOf(run);
        const ByteCount skipped = inside % run.length;
        if (skipped != 0 && part % run.length == 0) {
            return; // first one cut at the start of a block
        }
        const Cycle parts = std::min((run.bytes() - inside) / part, PartsBefore(Left(), part));
        if (parts > 0) {
            AddParts(parts, CutPattern{1, part, 0, run.length, run.stride, skipped}, parts * part);
        }
    }

    // One part, by the rules of the data in which it ends.
    void CutOnce() {
        const ByteCount most = position_ + capacity_;
        const StridedList::Holder holder = data_.HolderAt(most);
        const Run &run = holder.run;
        ByteCount end = most;
        if (run.count > 1 && PartOf(run) % run.length == 0) {
            const ByteCount block_start = most - (most - holder.position) % run.length;
            end = block_start > position_ ? block_start : most;
        } else {
            const ByteCount aligned = data_.BytesBefore(RoundDown(data_.StartOf(most), alignment_));
            end = aligned > position_ ? aligned : most;
        }
        AddParts(1, CutPattern(), end - position_);
    }

    const StridedList &data_;
    const ByteCount capacity_;
    const ByteCount alignment_;
    const ByteCount at_once_ = DivideUp(kAtOnce, alignment_) * alignment_;
    std::shared_ptr<Cuts::State> state_;
    ByteCount position_ = 0; // of the data: what lies before it is cut
    FileOffset begin_ = 0;   // of the next part
};

// Words: cycles, first part, data of the fullest cycle; then the segments: first part, parts, begin, end, and of more parts
// than one their pattern.
constexpr std::size_t kHeaderWords = 3;
constexpr std::size_t kSegmentWords = 4;
constexpr std::size_t kPatternWords = 6;

// Calls visit(segment) for those in which `file` has data.
template <typename Visit> void ForEachReached(const Cuts::State &state, const StridedList &file, Visit visit) {
    auto segment = state.segments.begin();
    for (ByteCount position = 0; position < file.bytes();) {
        segment = std::upper_bound(segment, state.segments.end(), file.StartOf(position),
                                   [](FileOffset offset, const CutSegment &other) { return offset < other.end; });
        if (segment == state.segments.end()) {
            return;
        }
        visit(*segment);
        position = file.BytesBefore(segment->end);
        ++segment;
    }
}

CutPattern DecodePattern(const std::int64_t *words) {
    const CutPattern pattern{words[0], words[1], words[2], words[3], words[4], words[5]};
    RequireForm(pattern.in_period > 0 && pattern.period > 0 && pattern.step >= 0 && pattern.length > 0 &&
                pattern.stride >= 0 && pattern.inside >= 0 && pattern.inside < pattern.length);
    RequireForm(CheckedMultiply(pattern.in_period - 1, pattern.step) < pattern.period);
    RequireForm(pattern.stride >= pattern.length || pattern.length == kLastOffset);
    return pattern;
}

// Whether the last part begins where the segment still is, which bounds what is computed for the others.
bool Fits(const CutSegment &segment) {
    const CutPattern &pattern = segment.pattern;
    const Cycle last = segment.parts - 1;
    const ByteCount data = CheckedAdd(CheckedAdd(CheckedMultiply(last / pattern.in_period, pattern.period), pattern.inside),
                                      last % pattern.in_period * pattern.step);
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
            segment.pattern = DecodePattern(words + at);
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
    const std::vector<CutSegment> &segments = state_->segments;
    const auto segment = std::upper_bound(segments.begin(), segments.end(), offset,
                                          [](FileOffset o, const CutSegment &one) { return o < one.end; });
    if (segment == segments.end()) {
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
    if (cuts.cycles() == 0) {
        return words;
    }
    const Cuts::State &state = cuts.state();
    ForEachReached(state, client_file, [&](const CutSegment &segment) {
        words.insert(words.end(), {segment.first, segment.parts, segment.begin, segment.end});
        if (segment.parts > 1) {
            const CutPattern &pattern = segment.pattern;
            words.insert(words.end(),
                         {pattern.in_period, pattern.period, pattern.step, pattern.length, pattern.stride, pattern.inside});
        }
    });
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
