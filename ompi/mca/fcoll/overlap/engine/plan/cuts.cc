// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "cuts.h"

#include <algorithm>
#include <iterator>

namespace overlap {
namespace {

// Capacities: a block of so many loses little where its parts end at multiples of the alignment.
constexpr ByteCount kLongBlock = 4;

class Cutter {
  public:
    Cutter(const StridedList &data, ByteCount capacity, ByteCount alignment)
        : data_(data), capacity_(capacity), alignment_(std::min(alignment, capacity)) {}

    Cuts Cut() {
        if (data_.empty()) {
            return Cuts();
        }
        begin_ = data_.begin();
        while (data_.bytes() - position_ > capacity_) {
            const StridedList::Holder holder = data_.HolderAt(position_);
            const ByteCount length = holder.run.length - (position_ - holder.position) % holder.run.length;
            if (length > capacity_ && begin_ % alignment_ == 0 && begin_ == data_.StartOf(position_)) {
                CutContiguous(length);
            } else {
                Add(1, EndOfPart());
            }
        }
        Add(1, data_.end());
        return Cuts(cycles_, fullest_cycle_, std::move(segments_));
    }

  private:
    // Adds parts with as many bytes of the file and of data each, the last of which ends at `end` of the file.
    void Add(Cycle parts, FileOffset end) {
        const ByteCount length = (end - begin_) / parts;
        if (segments_.empty() || segments_.back().length != length) {
            segments_.push_back(CutSegment{cycles_, 0, begin_, length});
        }
        segments_.back().parts += parts;
        cycles_ += parts;
        const ByteCount position = data_.BytesBefore(end);
        fullest_cycle_ = std::max(fullest_cycle_, (position - position_) / parts);
        position_ = position;
        begin_ = end;
    }

    // Cuts the next `length` bytes, as long as more than one part of them is left. Needs: they begin at begin_, a multiple.
    void CutContiguous(ByteCount length) {
        const ByteCount whole = RoundDown(capacity_, alignment_);
        const Cycle parts = DivideUp(length - capacity_, whole);
        Add(parts, begin_ + parts * whole);
    }

    // Where in the file a part ends that is not the last one, by the rules of the data there.
    FileOffset EndOfPart() const {
        const ByteCount most = position_ + capacity_;
        const FileOffset offset = data_.StartOf(most);
        const StridedList::Holder holder = data_.HolderAt(most);
        const Run &run = holder.run;
        const ByteCount inside = (most - holder.position) % run.length;
        if (run.count > 1 && most - inside - position_ >= capacity_ - capacity_ / 4) {
            return offset - inside;
        }
        const bool all = run.start % alignment_ == 0 && run.length % alignment_ == 0 && run.stride % alignment_ == 0;
        const bool aligns = run.count == 1 || run.length / kLongBlock >= capacity_ || all;
        const FileOffset aligned = RoundDown(offset, alignment_);
        return aligns && data_.BytesBefore(aligned) > position_ ? aligned : offset;
    }

    const StridedList &data_;
    const ByteCount capacity_;
    const ByteCount alignment_;
    ByteCount position_ = 0; // of the data: what lies before it is cut
    FileOffset begin_ = 0;   // of the next part
    Cycle cycles_ = 0;
    ByteCount fullest_cycle_ = 0;
    std::vector<CutSegment> segments_;
};

// The first segment that ends behind `offset`.
auto SegmentAt(const std::vector<CutSegment> &segments, FileOffset offset) {
    return std::upper_bound(segments.begin(), segments.end(), offset,
                            [](FileOffset o, const CutSegment &segment) { return o < segment.end(); });
}

// Words: cycles, first part, data of the fullest cycle; then the segments.
constexpr std::size_t kHeaderWords = 3;
constexpr std::size_t kSegmentWords = 4;

} // namespace

Cycle Cuts::PartAt(FileOffset offset) const noexcept {
    const auto segment = SegmentAt(segments_, offset);
    if (segment == segments_.end()) {
        return cycles_;
    }
    return segment->first + std::max<Cycle>(offset - segment->begin, 0) / segment->length;
}

// Of a part that is not known the end of the known one before it, so that it is empty.
FileOffset Cuts::BeginOf(Cycle part) const noexcept {
    const auto after = std::upper_bound(segments_.begin(), segments_.end(), part,
                                        [](Cycle p, const CutSegment &segment) { return p < segment.first; });
    if (after == segments_.begin()) {
        return segments_.empty() ? 0 : segments_.front().begin;
    }
    const CutSegment &segment = *std::prev(after);
    return segment.begin + std::min(part - segment.first, segment.parts) * segment.length;
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
        const CutSegment &segment = *SegmentAt(cuts.segments(), client_file.StartOf(position));
        words.insert(words.end(), {segment.first, segment.parts, segment.begin, segment.length});
        position = client_file.BytesBefore(segment.end());
    }
    return words;
}

Cuts DecodeCuts(const std::int64_t *words, std::size_t count) {
    std::vector<CutSegment> segments;
    for (std::size_t at = kHeaderWords; at < count; at += kSegmentWords) {
        segments.push_back(CutSegment{words[at], words[at + 1], words[at + 2], words[at + 3]});
    }
    Cuts cuts(words[0], words[2], std::move(segments));
    cuts.StartWith(words[1]);
    return cuts;
}

} // namespace overlap
