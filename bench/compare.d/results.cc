#include "results.h"

#include <algorithm>

namespace compare {
namespace {

std::optional<Summary> SummaryOf(const Entry &entry) {
    if (entry.failed) {
        return std::nullopt;
    }
    std::vector<double> seconds;
    for (const Measured &run : entry.runs) {
        seconds.push_back(run.seconds);
    }
    return Summarize(seconds);
}

template <typename Matches> std::optional<double> MedianOf(const std::vector<Entry> &entries, Matches matches) {
    const auto found = std::find_if(entries.begin(), entries.end(), matches);
    const std::optional<Summary> summary = found == entries.end() ? std::nullopt : SummaryOf(*found);
    return summary ? std::optional(summary->median) : std::nullopt;
}

std::optional<double> Plain(const std::vector<Entry> &entries, const std::string &component) {
    return MedianOf(entries,
                    [&](const Entry &entry) { return entry.role == Role::kContender && entry.contender.plain(component); });
}

Bounds BoundsOf(const std::vector<Entry> &entries) {
    Bounds bounds;
    bounds.none = MedianOf(entries, [](const Entry &entry) {
        return (entry.role == Role::kContender || entry.role == Role::kNone) && entry.contender.baseline();
    });
    bounds.comm = MedianOf(entries, [](const Entry &entry) { return entry.role == Role::kComm; });
    bounds.write = MedianOf(entries, [](const Entry &entry) { return entry.role == Role::kWrite; });
    if (bounds.comm && bounds.write) {
        bounds.longest = std::max(*bounds.comm, *bounds.write);
        bounds.sum = *bounds.comm + *bounds.write;
    }
    return bounds;
}

} // namespace

Results Evaluate(const std::vector<Entry> &entries) {
    Results results;
    results.bounds = BoundsOf(entries);
    const std::optional<double> vulcan = Plain(entries, "vulcan");
    const std::optional<double> romio = Plain(entries, "romio");
    for (const Entry &entry : entries) {
        if (entry.role != Role::kContender) {
            continue;
        }
        Row row;
        row.entry = &entry;
        row.summary = SummaryOf(entry);
        if (row.summary) {
            const double median = row.summary->median;
            row.rate = entry.runs.front().result["bytes"].get<double>() / median / 1e6;
            row.to_vulcan = vulcan ? std::optional(*vulcan / median) : std::nullopt;
            row.to_romio = romio ? std::optional(*romio / median) : std::nullopt;
            if (entry.contender.overlaps() && results.bounds.none && results.bounds.longest) {
                row.efficiency = OverlapEfficiency(*results.bounds.none, median, *results.bounds.longest);
            }
        }
        results.rows.push_back(row);
    }
    return results;
}

} // namespace compare
