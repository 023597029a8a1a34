// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "report.h"

#include "../common/median.h"
#include "device.h"
#include "machine.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cstdio>

namespace bench {
namespace {

Bytes BytesOfCheckpoint(const Pattern &pattern, int ranks) {
    Bytes all = 0;
    for (int access = 0; access < pattern.accesses(); ++access) {
        for (int rank = 0; rank < ranks; ++rank) {
            all += pattern.bytes(rank, ranks, access);
        }
    }
    return all;
}

nlohmann::ordered_json NonblockingJson(const Options &options) {
    if (!options.nonblocking) {
        return nullptr;
    }
    return {{"test_every", options.test_every}, {"compute", options.compute}, {"compute_by", Name(options.compute_by)}};
}

// The library by which the buffers are on a device.
nlohmann::ordered_json DeviceJson(const Options &options) {
    return options.device == nullptr ? nlohmann::ordered_json() : nlohmann::ordered_json(options.device->name());
}

nlohmann::ordered_json RepetitionJson(const Repetition &repetition) {
    nlohmann::ordered_json json = {{"open", repetition.open},
                                   {"calls", repetition.calls},
                                   {"sync", repetition.sync},
                                   {"close", repetition.close},
                                   {"seconds", repetition.seconds()}};
    if (repetition.nonblocking) {
        const Nonblocking &parts = *repetition.nonblocking;
        json["nonblocking"] = {{"blocking", parts.blocking},
                               {"compute", parts.compute},
                               {"start", parts.start},
                               {"start_share", parts.start / parts.blocking},
                               {"tests", parts.tests},
                               {"test_share", parts.tests / parts.blocking},
                               {"hidden", HiddenShare(parts, repetition.seconds())}};
    }
    return json;
}

std::string TableOfTimes(const nlohmann::ordered_json &json) {
    char line[256];
    std::snprintf(line, sizeof(line), "%12s %10s %10s %10s %10s %10s\n", "repetition", "open s",
                  json.value("read", false) ? "read s" : "write s", "sync s", "close s", "MB/s");
    std::string table = line;
    const double bytes = json["bytes"].get<double>();
    std::vector<double> all;
    for (const auto &repetition : json["repetitions"]) {
        const double seconds = repetition["seconds"].get<double>();
        const double sync = repetition["sync"].get<double>();
        all.push_back(seconds);
        std::snprintf(line, sizeof(line), "%12zu %10.4f %10.4f %10.4f %10.4f %10.1f\n", all.size(),
                      repetition["open"].get<double>(), seconds - sync, sync, repetition["close"].get<double>(),
                      bytes / seconds / 1e6);
        table += line;
    }
    if (!all.empty()) {
        std::snprintf(line, sizeof(line), "%12s %10s %10.4f %10s %10s %10.1f\n", "median", "", Median(all), "", "",
                      bytes / Median(all) / 1e6);
        table += line;
    }
    return table;
}

// Blocking calls, computation, both together, starts, the share of starts, that of tests, what was hidden.
using HiddenLine = std::array<double, 7>;

std::string ToText(const std::string &label, const HiddenLine &values) {
    char line[256];
    std::snprintf(line, sizeof(line), "%12s %10.4f %10.4f %10.4f %10.4f %10.3f %10.3f %10.3f\n", label.c_str(), values[0],
                  values[1], values[2], values[3], values[4], values[5], values[6]);
    return line;
}

std::string TableOfHidden(const nlohmann::ordered_json &json) {
    char line[256];
    std::snprintf(line, sizeof(line), "%12s %10s %10s %10s %10s %10s %10s %10s\n", "repetition", "blocking s", "compute s",
                  "both s", "start s", "start/bl.", "tests/bl.", "hidden");
    std::string table = line;
    std::array<std::vector<double>, std::tuple_size_v<HiddenLine>> columns;
    for (const auto &repetition : json["repetitions"]) {
        const auto &parts = repetition["nonblocking"];
        const HiddenLine values = {parts["blocking"],    parts["compute"],    repetition["seconds"], parts["start"],
                                   parts["start_share"], parts["test_share"], parts["hidden"]};
        for (std::size_t i = 0; i < values.size(); ++i) {
            columns[i].push_back(values[i]);
        }
        table += ToText(std::to_string(columns[0].size()), values);
    }
    if (!columns[0].empty()) {
        HiddenLine medians;
        std::transform(columns.begin(), columns.end(), medians.begin(), Median);
        table += ToText("median", medians);
    }
    return table + "hidden = (blocking + compute - both) / min(blocking, compute)\n";
}

} // namespace

nlohmann::ordered_json ToJson(const Run &run, const Measurement &measurement) {
    const Options &options = run.options;
    nlohmann::ordered_json repetitions = nlohmann::ordered_json::array();
    for (const Repetition &repetition : measurement.repetitions) {
        repetitions.push_back(RepetitionJson(repetition));
    }
    nlohmann::ordered_json json = {
        {"program", "overlap-bench"},
        {"kernel", run.kernel},
        {"parameters", run.pattern.Parameters(run.ranks)},
        {"method", Name(options.method)},
        {"ranks", run.ranks},
        {"groups", options.groups},
        {"nodes", run.nodes},
        {"bytes", BytesOfCheckpoint(run.pattern, run.ranks) * options.groups * options.checkpoints},
        {"checkpoints", options.checkpoints},
        {"calls", options.checkpoints * run.pattern.accesses()},
        {"fresh_file", !options.keep_file},
        {"synced", options.sync},
        {"read", options.read},
        {"common", options.common},
        {"device", DeviceJson(options)},
        {"nonblocking", NonblockingJson(options)},
        {"warm_ups", options.warm_ups},
        {"hints", options.hints},
        {"mca", McaParameters()},
        {"repetitions", repetitions},
        {"peak_memory", measurement.peak_memory},
        {"verified", nullptr},
        {"versions", Versions()},
        {"machine", Machine()},
        {"file", options.file},
        {"file_system", FileSystemOf(options.file)},
    };
    if (measurement.verified.has_value()) {
        json["verified"] = *measurement.verified;
    }
    if (!measurement.error.empty()) {
        json["error"] = measurement.error;
    }
    return json;
}

std::string ToTable(const nlohmann::ordered_json &json) {
    char line[256];
    std::string table = json["kernel"].get<std::string>() + " " + json["parameters"].dump() + "\n";
    std::string method = json["method"].get<std::string>();
    if (!json["device"].is_null()) {
        method += " from a device (" + json["device"].get<std::string>() + ")";
    }
    const double bytes = json["bytes"].get<double>();
    std::snprintf(line, sizeof(line), "%d ranks on %d nodes, %s, %d calls, %.1f MiB to %s (%s)\n", json["ranks"].get<int>(),
                  json["nodes"].get<int>(), method.c_str(), json["calls"].get<int>(), bytes / (1 << 20),
                  json["file"].get<std::string>().c_str(), json["file_system"].get<std::string>().c_str());
    table += line;
    table += json["nonblocking"].is_null() ? TableOfTimes(json) : TableOfHidden(json);
    const auto &verified = json["verified"];
    table += verified.is_null() ? "not verified\n" : verified.get<bool>() ? "every byte is right\n" : "";
    return table;
}

} // namespace bench
