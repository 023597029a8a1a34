// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "stages.h"

namespace overlap {
namespace {

// The bytes that one rank sends are copied together, or described; an aggregator's likewise are copied apart.
Cost Pieces(const CycleLoad &load, const Rates &rates, double share) noexcept {
    return load.scattered ? InTurn({EachByte(rates.piece, load.pieces * share), EachByte(rates.copy, share)}) : Cost{};
}

Cost Prepare(const CycleLoad &load, const Rates &rates, overlap_shuffle shuffle) noexcept {
    const Cost puts = InTurn({Each(rates.put, load.targets), EachByte(rates.put, load.pieces * load.sent)});
    switch (shuffle) {
    case OVERLAP_SHUFFLE_TWO_SIDED:
        return InTurn({Each(rates.message, load.sources + load.targets), Pieces(load, rates, load.sent)});
    case OVERLAP_SHUFFLE_PUT_FENCE:
        return InTurn({Each(rates.fence, 1), puts});
    case OVERLAP_SHUFFLE_PUT_LOCK: // behind the aggregator's word that the sub-buffer is free
        return InTurn({Each(rates.between.latency, 1), Each(rates.lock, load.targets), puts});
    case OVERLAP_SHUFFLE_AUTO: // is never a candidate
        break;
    }
    return Cost{};
}

Cost Take(const CycleLoad &load, const Rates &rates, overlap_shuffle shuffle) noexcept {
    const Cost words = InTurn({Each(rates.between.latency, 1), Each(rates.message, load.sources)});
    switch (shuffle) {
    case OVERLAP_SHUFFLE_TWO_SIDED:
        return Pieces(load, rates, 1);
    case OVERLAP_SHUFFLE_PUT_FENCE:
        return InTurn({Each(rates.fence, 1), words});
    case OVERLAP_SHUFFLE_PUT_LOCK: // the ends of the targets' locks, and a lock of one's own
        return InTurn({Each(rates.lock, load.targets + 2), words});
    case OVERLAP_SHUFFLE_AUTO: // is never a candidate
        break;
    }
    return Cost{};
}

Cost Travel(const CycleLoad &load, const Rates &rates, double between, double within) noexcept {
    const Cost network = InTurn({Each(rates.between.latency, between > 0 ? 1 : 0), EachByte(rates.between.byte, between)});
    const Cost node = InTurn({Each(rates.within.latency, 1), EachByte(rates.within.byte, within)});
    return SideBySide({network, node}, load.bytes);
}

} // namespace

Stages StagesOf(const CycleLoad &load, const Rates &rates, const Candidate &candidate) noexcept {
    const WriterRates &writer = rates.Of(candidate.writer);
    const Cost stream = InTurn({EachByte(writer.extent, load.extents), EachByte(writer.byte, 1)});
    const Cost latency = Each(writer.latency, 1);
    Stages stages;
    stages.prepare = Prepare(load, rates, candidate.shuffle);
    stages.travel_first = Travel(load, rates, load.between_first, load.within_most);
    stages.travel = Travel(load, rates, load.between_most, load.within_mean);
    stages.travel_mean = Longest(
        {EachByte(rates.between.byte, load.between_mean), EachByte(rates.within.byte, load.within_mean)}, load.bytes);
    stages.take = Take(load, rates, candidate.shuffle);
    stages.start = Each(writer.start, 1);
    stages.write_stream = stream;
    stages.write_together = EachByte(rates.byte_together, load.aggregators);
    stages.write = InTurn({latency, Longest({stream, stages.write_together}, load.bytes)});
    stages.write_alone = InTurn({latency, Longest({stream, EachByte(rates.byte_together, 1)}, load.bytes)});
    stages.side_by_side = candidate.writer == OVERLAP_WRITER_LIBAIO;
    stages.in_order = candidate.shuffle == OVERLAP_SHUFFLE_PUT_FENCE;
    stages.in_step = candidate.shuffle != OVERLAP_SHUFFLE_TWO_SIDED;
    return stages;
}

} // namespace overlap
