// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "report.h"

#include "../ports.h"

#include <algorithm>
#include <cstring>

namespace overlap {
namespace {

// Below it shuffles and file access have taken turns.
constexpr double kTakesTurns = 0.1;

constexpr std::size_t kWords = sizeof(Counters) / sizeof(std::int64_t);
static_assert(sizeof(Counters) % sizeof(std::int64_t) == 0);

double RateOf(std::int64_t bytes, double seconds) { return seconds > 0 ? static_cast<double>(bytes) / seconds : 0; }

// The counts of calls, which come first, and of cycles are the same on all ranks, or on all of a node, and not summed up.
bool IsOfEach(std::size_t count) { return count <= OVERLAP_COUNT_PLANS || count == OVERLAP_COUNT_CYCLES; }

void AddGain(const overlap_counters &rank, Gain &gain) {
    const double shuffle = rank.seconds[OVERLAP_TIME_SHUFFLE_UNDER_WAY];
    const double alone = rank.seconds[OVERLAP_TIME_ALONE];
    const double file = rank.seconds[OVERLAP_TIME_FILE_UNDER_WAY] - alone;
    const double shorter = rank.seconds[OVERLAP_TIME_SHORTER];
    if (rank.counts[OVERLAP_COUNT_BYTES_OF_FILE] > 0 && shuffle > 0 && file > 0 && shorter > 0) {
        gain.shuffle += shuffle;
        gain.file += file;
        gain.elapsed += rank.seconds[OVERLAP_TIME_STEPS] - alone;
        gain.shorter += shorter;
        ++gain.ranks;
    }
}

// `ranks`: with this one.
void AddRank(const overlap_counters &rank, int node, int ranks, DirectionReport &report) {
    for (std::size_t i = 0; i < OVERLAP_COUNTS; ++i) {
        std::int64_t &all = report.counts[i];
        all = IsOfEach(i) ? std::max(all, rank.counts[i]) : all + rank.counts[i];
    }
    for (std::size_t i = 0; i < OVERLAP_TIMES; ++i) {
        Spread &spread = report.seconds[i];
        spread.least = ranks == 1 ? rank.seconds[i] : std::min(spread.least, rank.seconds[i]);
        spread.mean += (rank.seconds[i] - spread.mean) / ranks;
        spread.most = std::max(spread.most, rank.seconds[i]);
    }
    NodeTraffic &traffic = report.nodes[static_cast<std::size_t>(node)];
    traffic.of_file += rank.counts[OVERLAP_COUNT_BYTES_OF_FILE];
    traffic.to_network += rank.counts[OVERLAP_COUNT_BYTES_TO_NETWORK];
    traffic.from_network += rank.counts[OVERLAP_COUNT_BYTES_FROM_NETWORK];
    AddGain(rank, report.gain);
}

} // namespace

double Gain::Share() const { return std::clamp((shuffle + file - elapsed) / shorter, 0.0, 1.0); }

double DirectionReport::ShuffleRate() const {
    const std::int64_t bytes =
        counts[OVERLAP_COUNT_BYTES_TO_SELF] + counts[OVERLAP_COUNT_BYTES_TO_NODE] + counts[OVERLAP_COUNT_BYTES_TO_NETWORK];
    return RateOf(bytes, seconds[OVERLAP_TIME_SHUFFLE_UNDER_WAY].most);
}

double DirectionReport::FileRate() const {
    return RateOf(counts[OVERLAP_COUNT_BYTES_OF_FILE], seconds[OVERLAP_TIME_FILE_UNDER_WAY].most);
}

double DirectionReport::NetRate() const { return RateOf(counts[OVERLAP_COUNT_BYTES], seconds[OVERLAP_TIME_ELAPSED].most); }

const char *DirectionReport::Bound() const {
    if (gain.ranks == 0) {
        return "nothing";
    }
    if (gain.shorter > kTakesTurns * gain.elapsed && gain.Share() < kTakesTurns) {
        return "turns";
    }
    return gain.shuffle > gain.file ? "shuffles" : "file";
}

Report::Report(int nodes) {
    own_.Reserve(kWords);
    for (DirectionReport &report : of) {
        report.nodes.resize(static_cast<std::size_t>(nodes));
    }
}

void Report::Add(int node, const Counters &counters) {
    ++ranks;
    for (const overlap_direction direction : {OVERLAP_WRITE, OVERLAP_READ}) {
        AddRank(counters[direction], node, ranks, of[direction]);
    }
}

Status Report::Gather(const Team &team, const Counters &own) {
    const Status status = Guarded([&] { std::memcpy(own_.Extend(kWords), own.data(), sizeof own); });
    return GatherOnRankZero(team, own_, status, [&](Rank rank, const std::int64_t *words, std::size_t /*count*/) {
        Counters counters;
        std::memcpy(counters.data(), words, sizeof counters);
        Add(team.node_map().NodeOf(rank), counters);
    });
}

} // namespace overlap
