// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "bounds.h"

#include "statistics.h"

#include <algorithm>

namespace compare {
namespace {

// What bench/cluster's own check lets a link deviate by.
constexpr double kRateTolerance = 0.05;

std::optional<double> MedianOf(const Entry &entry) {
    const std::optional<Summary> summary = SummaryOf(entry);
    return summary ? std::optional(summary->median) : std::nullopt;
}

std::optional<double> Longer(const std::optional<double> &one, const std::optional<double> &other) {
    return one && other ? std::optional(std::max(*one, *other)) : std::nullopt;
}

bool TakesTheNetwork(const Entry &entry) { return entry.role != Role::kWrite; }

void AddMeasured(Bounds &bounds, const std::vector<Entry> &entries) {
    for (const Entry &entry : entries) {
        const std::optional<double> median = MedianOf(entry);
        if (!median) {
            continue;
        }
        if (entry.role == Role::kWrite) {
            bounds.write = median;
        } else if (entry.role == Role::kComm) {
            const std::string &schedule = entry.contender.parameters.front().second;
            bounds.shuffles.emplace_back(schedule, *median);
            if (!bounds.comm || *median < *bounds.comm) {
                bounds.comm = median;
                bounds.comm_schedule = schedule;
            }
        } else if (!bounds.none && entry.contender.baseline()) {
            bounds.none = median;
        }
    }
}

void AddNetwork(Bounds &bounds, const Comparison &comparison) {
    const nlohmann::ordered_json &described = Described(comparison);
    if (!comparison.options.cluster || !described.is_object()) {
        return;
    }
    bounds.network = BoundOf(described["bytes"].get<double>(), *comparison.options.cluster);
    const double least = bounds.network->seconds * (1 - kRateTolerance);
    bounds.network_holds = std::all_of(comparison.entries.begin(), comparison.entries.end(), [least](const Entry &entry) {
        return !TakesTheNetwork(entry) || MedianOf(entry).value_or(least) >= least;
    });
}

} // namespace

Bounds BoundsOf(const Comparison &comparison) {
    Bounds bounds;
    AddMeasured(bounds, comparison.entries);
    AddNetwork(bounds, comparison);
    const std::optional<double> network = bounds.network_holds ? std::optional(bounds.network->seconds) : std::nullopt;
    bounds.longest = Longer(bounds.comm ? bounds.comm : network, bounds.write);
    bounds.least = Longer(network ? network : bounds.comm, bounds.write);
    if (bounds.comm && bounds.write) {
        bounds.sum = *bounds.comm + *bounds.write;
    }
    return bounds;
}

} // namespace compare
