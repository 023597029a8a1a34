// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "report_summary.h"

#include <algorithm>

namespace overlap {
namespace {

constexpr double kNanosecondsInASecond = 1e9;

// Below it shuffles and file access have taken turns.
constexpr double kTakesTurns = 0.1;

double RateOf(std::int64_t bytes, double seconds) { return seconds > 0 ? static_cast<double>(bytes) / seconds : 0; }

} // namespace

double Gain::Share() const { return std::clamp((shuffle + file - elapsed) / shorter, 0.0, 1.0); }

double DirectionSummary::ShuffleRate() const {
    const std::int64_t bytes =
        counts[OVERLAP_COUNT_BYTES_TO_SELF] + counts[OVERLAP_COUNT_BYTES_TO_NODE] + counts[OVERLAP_COUNT_BYTES_TO_NETWORK];
    return RateOf(bytes, seconds[OVERLAP_TIME_SHUFFLE_UNDER_WAY].most);
}

double DirectionSummary::FileRate() const {
    return RateOf(counts[OVERLAP_COUNT_BYTES_OF_FILE], seconds[OVERLAP_TIME_FILE_UNDER_WAY].most);
}

double DirectionSummary::NetRate() const { return RateOf(counts[OVERLAP_COUNT_BYTES], seconds[OVERLAP_TIME_ELAPSED].most); }

HeldUp DirectionSummary::Bound() const {
    if (gain.ranks == 0) {
        return HeldUp::kNothing;
    }
    if (gain.shorter > kTakesTurns * gain.elapsed && gain.Share() < kTakesTurns) {
        return HeldUp::kTurns;
    }
    return gain.shuffle > gain.file ? HeldUp::kShuffles : HeldUp::kFile;
}

bool IsOfEach(overlap_count count) {
    switch (count) {
    case OVERLAP_COUNT_CALLS:
    case OVERLAP_COUNT_NONBLOCKING:
    case OVERLAP_COUNT_INDEPENDENT:
    case OVERLAP_COUNT_MERGED:
    case OVERLAP_COUNT_FAILED:
    case OVERLAP_COUNT_PLANS:
    case OVERLAP_COUNT_CYCLES:
        return true;
    default:
        return false;
    }
}

Summing::Words Summing::WordsOf(const overlap_counters &writes, const overlap_counters &reads) {
    Words words{};
    std::size_t at = 0;
    for (const overlap_counters *const counters : {&writes, &reads}) {
        for (const std::int64_t count : counters->counts) {
            words[at++] = count;
        }
        for (const double seconds : counters->seconds) {
            words[at++] = static_cast<std::int64_t>(seconds * kNanosecondsInASecond);
        }
    }
    return words;
}

Summing::Summing(int nodes) {
    for (DirectionSummary &summary : summary_.of) {
        summary.nodes.resize(static_cast<std::size_t>(nodes));
    }
}

void Summing::Add(int node, const std::int64_t *words) {
    for (DirectionSummary &summary : summary_.of) {
        AddTo(summary, node, words, words + OVERLAP_COUNTS);
        words += std::size_t{OVERLAP_COUNTS} + OVERLAP_TIMES;
    }
    ++summary_.ranks;
}

void Summing::AddTo(DirectionSummary &summary, int node, const std::int64_t *counts, const std::int64_t *nanoseconds) const {
    for (std::size_t i = 0; i < OVERLAP_COUNTS; ++i) {
        std::int64_t &all = summary.counts[i];
        all = IsOfEach(static_cast<overlap_count>(i)) ? std::max(all, counts[i]) : all + counts[i];
    }
    std::array<double, OVERLAP_TIMES> seconds{};
    for (std::size_t i = 0; i < OVERLAP_TIMES; ++i) {
        seconds[i] = static_cast<double>(nanoseconds[i]) / kNanosecondsInASecond;
        Spread &spread = summary.seconds[i];
        spread.least = summary_.ranks == 0 ? seconds[i] : std::min(spread.least, seconds[i]);
        spread.mean += seconds[i];
        spread.most = std::max(spread.most, seconds[i]);
    }
    NodeTraffic &of_node = summary.nodes[static_cast<std::size_t>(node)];
    of_node.of_file += counts[OVERLAP_COUNT_BYTES_OF_FILE];
    of_node.to_network += counts[OVERLAP_COUNT_BYTES_TO_NETWORK];
    of_node.from_network += counts[OVERLAP_COUNT_BYTES_FROM_NETWORK];
    const double shuffle = seconds[OVERLAP_TIME_SHUFFLE_UNDER_WAY];
    const double alone = seconds[OVERLAP_TIME_ALONE];
    const double file = seconds[OVERLAP_TIME_FILE_UNDER_WAY] - alone;
    const double shorter = seconds[OVERLAP_TIME_SHORTER];
    if (counts[OVERLAP_COUNT_BYTES_OF_FILE] > 0 && shuffle > 0 && file > 0 && shorter > 0) {
        summary.gain.shuffle += shuffle;
        summary.gain.file += file;
        summary.gain.elapsed += seconds[OVERLAP_TIME_STEPS] - alone;
        summary.gain.shorter += shorter;
        ++summary.gain.ranks;
    }
}

Summary Summing::Total() const {
    Summary total = summary_;
    for (DirectionSummary &summary : total.of) {
        for (Spread &spread : summary.seconds) {
            spread.mean /= total.ranks;
        }
    }
    return total;
}

} // namespace overlap
