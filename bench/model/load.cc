// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "load.h"

#include <algorithm>
#include <cmath>

namespace overlap {
namespace {

// As FindPieces (plan/plan.cc), of the mean piece.
constexpr double kScatteredPiece = 2048;

// Of `parts` that go round in `period` bytes, those that a cycle takes from.
double PartsOf(int parts, double bytes, ByteCount period) noexcept {
    return std::clamp(std::ceil(parts * bytes / static_cast<double>(period)), 1.0, static_cast<double>(parts));
}

// Where a node's ranks have their bytes of a period next to each other some cycles come from other nodes alone, and the
// first one from the aggregator's own as far as that goes (plan/rotation.h).
void SetWays(const Load &load, int slots, CycleLoad &cycle) noexcept {
    const double period = static_cast<double>(load.period);
    const double part = period / load.nodes; // of one node
    double remote_first = load.remote;
    double remote_most = load.remote;
    if (cycle.bytes < period && load.remote > 0) {
        remote_first = std::min(load.remote, 1 - std::min(1.0, part / cycle.bytes));
        remote_most = std::max(load.remote, std::min(1.0, (period - part) / cycle.bytes));
    }
    const double others = cycle.domain - cycle.bytes;
    const double remote_others =
        others > 0 ? std::min(1.0, (load.remote * cycle.domain - remote_first * cycle.bytes) / others) : load.remote;
    // Shuffles that are under way together make up for one another only as far as they reach.
    const double apart = std::max(0.0, 1 - slots * cycle.bytes / period);
    const double remote_mean = remote_others + apart * std::max(0.0, remote_most - remote_others);
    cycle.between_first = cycle.aggregators_per_node * remote_first;
    cycle.between_most = cycle.aggregators_per_node * remote_most;
    cycle.between_mean = cycle.aggregators_per_node * remote_mean;
    cycle.within_most = 1 - remote_first;
    cycle.within_mean = 1 - load.remote;
}

} // namespace

bool Load::IsScattered() const noexcept {
    return static_cast<double>(bytes) < kScatteredPiece * static_cast<double>(pieces);
}

CycleLoad CycleOf(const Load &load, const Candidate &candidate) noexcept {
    const int aggregators = std::min(candidate.aggregators, load.ranks);
    CycleLoad cycle;
    cycle.ranks = load.ranks;
    cycle.aggregators = aggregators;
    cycle.aggregators_per_node = static_cast<int>(DivideUp(aggregators, load.nodes));
    cycle.scattered = load.IsScattered();
    if (load.bytes <= 0) {
        return cycle;
    }
    const ByteCount domain = DivideUp(load.bytes, aggregators);
    cycle.domain = static_cast<double>(domain);
    cycle.cycles = DivideUp(domain, candidate.sub_buffer);
    cycle.bytes = static_cast<double>(std::min(domain, candidate.sub_buffer));
    cycle.sources = PartsOf(load.ranks, cycle.bytes, load.period);
    cycle.targets = std::max(1.0, aggregators * cycle.sources / load.ranks);

    cycle.sent = static_cast<double>(aggregators) / load.ranks;
    SetWays(load, candidate.slots, cycle);
    cycle.pieces = static_cast<double>(load.pieces) / static_cast<double>(load.bytes);
    cycle.extents = static_cast<double>(load.extents) / static_cast<double>(load.bytes);
    return cycle;
}

} // namespace overlap
