// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "results.h"

#include <algorithm>

namespace compare {
namespace {

std::optional<double> Plain(const std::vector<Entry> &entries, const std::string &component) {
    const auto found = std::find_if(entries.begin(), entries.end(), [&](const Entry &entry) {
        return entry.role == Role::kContender && entry.contender.plain(component);
    });
    const std::optional<Summary> summary = found == entries.end() ? std::nullopt : SummaryOf(*found);
    return summary ? std::optional(summary->median) : std::nullopt;
}

} // namespace

Results Evaluate(const Comparison &comparison) {
    const std::vector<Entry> &entries = comparison.entries;
    Results results;
    results.bounds = BoundsOf(comparison);
    const std::optional<double> vulcan = Plain(entries, "vulcan");
    const std::optional<double> romio = Plain(entries, "romio");
    const bool comparable = !comparison.options.nonblocking || SameComputation(comparison);
    for (const Entry &entry : entries) {
        if (entry.role != Role::kContender) {
            continue;
        }
        Row row;
        row.entry = &entry;
        row.summary = SummaryOf(entry);
        row.hiding = comparison.options.nonblocking ? HidingOf(entry) : std::nullopt;
        if (row.summary) {
            const double median = row.summary->median;
            if (!row.hiding) {
                row.rate = entry.runs.front().result["bytes"].get<double>() / median / 1e6;
            }
            if (comparable) {
                row.to_vulcan = vulcan ? std::optional(*vulcan / median) : std::nullopt;
                row.to_romio = romio ? std::optional(*romio / median) : std::nullopt;
            }
            row.to_bound = results.bounds.least ? std::optional(median / *results.bounds.least) : std::nullopt;
            if (entry.contender.overlaps() && results.bounds.none && results.bounds.longest) {
                row.efficiency = OverlapEfficiency(*results.bounds.none, median, *results.bounds.longest);
            }
        }
        results.rows.push_back(row);
    }
    return results;
}

} // namespace compare
