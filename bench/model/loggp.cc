// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "loggp.h"

#include <algorithm>

namespace overlap {

double MessagesTime(const LogGP &rates, double messages, double bytes) noexcept {
    if (messages < 1) {
        return 0;
    }
    return rates.latency + 2 * rates.overhead + (messages - 1) * rates.gap +
           messages * std::max(0.0, bytes - 1) * rates.gap_per_byte;
}

ShuffleMessages MessagesOf(const Decomposed &write) {
    const bool tiles = write.decomposition == Decomposition::kTwoDimensions;
    const bool even = write.partition == OVERLAP_PARTITION_EVEN;
    const ByteCount rank = write.bytes_per_rank;
    const ByteCount buffer = write.collective_buffer;
    // A message is `whole` / `parts` bytes; kept apart, as a third of a buffer has no exact length.
    const std::int64_t parts = tiles ? write.rows : 1;
    const ByteCount whole = !tiles && even ? std::min(buffer, rank) : buffer;
    const std::int64_t messages = DivideUp(CheckedMultiply(rank, parts), buffer); // that a rank's bytes fill

    ShuffleMessages result;
    result.targets = !even ? std::min(write.aggregators, messages) : tiles ? DivideUp(write.aggregators, write.columns) : 1;
    result.sources = tiles ? write.rows : even && rank <= buffer ? DivideUp(buffer, rank) : 1;
    result.bytes = static_cast<double>(whole) / static_cast<double>(parts);
    result.send_cycles = DivideUp(CheckedMultiply(rank, parts), CheckedMultiply(result.targets, whole));
    result.receive_cycles = DivideUp(CheckedMultiply(write.ranks, rank), CheckedMultiply(write.aggregators, buffer));
    return result;
}

double SendTime(const ShuffleMessages &messages, const LogGP &rates) noexcept {
    return static_cast<double>(messages.send_cycles) *
           MessagesTime(rates, static_cast<double>(messages.targets), messages.bytes);
}

double ReceiveTime(const ShuffleMessages &messages, const LogGP &rates) noexcept {
    return static_cast<double>(messages.receive_cycles) *
           MessagesTime(rates, static_cast<double>(messages.sources), messages.bytes);
}

} // namespace overlap
