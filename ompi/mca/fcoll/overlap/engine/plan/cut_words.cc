// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "cut_words.h"

#include <algorithm>
#include <iterator>
#include <memory>
#include <stdexcept>
#include <utility>

namespace overlap {
namespace {

// Cycles, first part, data of the fullest cycle; then the segments: first part, parts, begin, end, and of more parts than
// one their pattern.
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
bool Fits(const CutSegment &segment, const CutPattern &pattern) {
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
        const CutSegment segment{words[at], words[at + 1], words[at + 2], words[at + 3], state.patterns.size()};
        at += kSegmentWords;
        RequireForm(segment.first >= next && segment.parts > 0 && segment.parts <= state.cycles &&
                    segment.first <= state.cycles - segment.parts);
        RequireForm(segment.begin >= reached && segment.end > segment.begin);
        if (segment.parts > 1) {
            RequireForm(count - at >= kPatternWords);
            state.patterns.push_back(DecodePattern(words + at));
            RequireForm(Fits(segment, state.patterns.back()));
            at += kPatternWords;
        }
        state.segments.push_back(segment);
        next = segment.first + segment.parts;
        reached = segment.end;
    }
}

} // namespace

std::vector<std::int64_t> EncodeCuts(const Cuts &cuts, const StridedList &client_file) {
    std::vector<std::int64_t> words = {cuts.cycles(), cuts.first_part(), cuts.FullestCycle()};
    if (cuts.cycles() == 0) {
        return words;
    }
    const Cuts::State &state = cuts.state();
    ForEachReached(state, client_file, [&](const CutSegment &segment) {
        words.insert(words.end(), {segment.first, segment.parts, segment.begin, segment.end});
        if (segment.parts > 1) {
            const CutPattern &pattern = state.patterns[segment.pattern];
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
