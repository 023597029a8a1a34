// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "json_text.h"
#include "report.h"

namespace overlap {
namespace {

// The version of the schema.
constexpr int kVersion = 1;

void AddSeconds(const DirectionReport &report, JsonText &json) {
    json.Open("seconds", '{');
    for (std::size_t i = 0; i < OVERLAP_TIMES; ++i) {
        const Spread &spread = report.seconds[i];
        json.Open(overlap_time_rows[i].name, '{');
        json.AddReal("least", spread.least);
        json.AddReal("mean", spread.mean);
        json.AddReal("most", spread.most);
        json.Close('}');
    }
    json.Close('}');
}

void AddOverlap(const DirectionReport &report, JsonText &json) {
    const Gain &gain = report.gain;
    json.Open("overlap", '{');
    if (gain.ranks > 0) {
        json.AddReal("gained", gain.Share());
    } else {
        json.AddRaw("gained", "null");
    }
    json.AddReal("shuffle", gain.shuffle);
    json.AddReal("file", gain.file);
    json.AddReal("elapsed", gain.elapsed);
    json.Add("ranks", gain.ranks);
    json.AddText("bound", report.Bound());
    json.Close('}');
}

void AddDirection(const char *name, const DirectionReport &report, JsonText &json) {
    json.Open(name, '{');
    for (std::size_t i = 0; i < OVERLAP_COUNTS; ++i) {
        json.Add(overlap_count_rows[i].name, report.counts[i]);
    }
    json.AddText("chosen", report.chosen);
    AddSeconds(report, json);
    json.Open("bytes_a_second", '{');
    json.AddReal("shuffle", report.ShuffleRate());
    json.AddReal("file", report.FileRate());
    json.AddReal("net", report.NetRate());
    json.Close('}');
    AddOverlap(report, json);
    json.Open("nodes", '[');
    for (const NodeTraffic &node : report.nodes) {
        json.Open('{');
        json.Add("bytes_of_file", node.of_file);
        json.Add("bytes_to_network", node.to_network);
        json.Add("bytes_from_network", node.from_network);
        json.Close('}');
    }
    json.Close(']');
    json.Close('}');
}

} // namespace

std::string JsonOf(const Report &report) {
    JsonText json;
    json.Open('{');
    json.Add("overlap_report", kVersion);
    json.AddText("file", report.file);
    json.Add("ranks", report.ranks);
    json.AddText("ignored_hints", report.ignored_hints);
    AddDirection("writes", report.of[OVERLAP_WRITE], json);
    AddDirection("reads", report.of[OVERLAP_READ], json);
    json.Close('}');
    return json.text() + "\n";
}

} // namespace overlap
