// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "record.h"

#include <filesystem>
#include <fstream>
#include <stdexcept>

namespace compare {
namespace {

using Json = nlohmann::ordered_json;

// What results have to agree in that are to stand in one table.
Json BasisOf(const RegretRecord &record) {
    return {{"openmpi", record.openmpi},
            {"contenders", record.field.contenders},
            {"repetitions", record.run.repetitions},
            {"drop_above", record.run.drop_above},
            {"settle", record.run.settle},
            {"directory", record.run.directory}};
}

Json TimedJson(const Timed &timed) {
    return {{"label", timed.label},     {"part", Name(timed.part)}, {"seconds", timed.seconds},
            {"failure", timed.failure}, {"command", timed.command}, {"wrong_file", timed.wrong_file},
            {"dropped", timed.dropped}};
}

Part PartOf(const std::string &name) {
    for (const Part part : {Part::kDefault, Part::kSetting, Part::kOther}) {
        if (name == Name(part)) {
            return part;
        }
    }
    throw std::invalid_argument("no part of the field is called " + name);
}

Timed TimedOf(const Json &json) {
    Timed timed;
    timed.label = json.at("label");
    timed.part = PartOf(json.at("part"));
    timed.seconds = json.at("seconds").get<std::vector<double>>();
    timed.failure = json.at("failure");
    timed.command = json.at("command");
    timed.wrong_file = json.at("wrong_file");
    timed.dropped = json.at("dropped");
    return timed;
}

Json BestJson(const std::optional<Best> &best) {
    if (!best) {
        return nullptr;
    }
    return {{"label", best->timed->label},
            {"median", best->summary.median},
            {"least", best->summary.least},
            {"most", best->summary.most}};
}

Json OrNull(const std::optional<double> &value) { return value ? Json(*value) : Json(); }

Json ConditionJson(const ConditionResult &result) {
    const RegretRow row = RowOf(result);
    Json json = {{"line", result.line}, {"condition", result.text}, {"state", Name(result.state)}};
    json["reason"] = result.reason;
    json["default"] = BestJson(row.by_default);
    json["best"] = BestJson(row.setting);
    json["regret"] = OrNull(row.regret);
    json["within_spread"] = row.within_spread;
    json["best_other"] = BestJson(row.other);
    json["ratio_to_other"] = OrNull(row.to_other);
    json["jobs"] = Json::array();
    for (const Timed &timed : result.timed) {
        json["jobs"].push_back(TimedJson(timed));
    }
    return json;
}

ConditionResult ConditionOf(const Json &json) {
    ConditionResult result;
    result.line = json.at("line");
    result.text = json.at("condition");
    for (const Json &timed : json.at("jobs")) {
        result.timed.push_back(TimedOf(timed));
    }
    Judge(result); // the file may be anybody's
    return result;
}

Json SummaryJson(const RegretSummary &summary) {
    return {{"mean_regret", OrNull(summary.mean)},
            {"worst_regret", OrNull(summary.worst)},
            {"worst_line", summary.worst_line},
            {"measured", summary.measured},
            {"failed", summary.failed},
            {"left_out", summary.left_out},
            {"failed_contenders", summary.failed_contenders},
            {"behind_others", summary.behind_others}};
}

} // namespace

Json ToJson(const RegretRecord &record) {
    Json json = {{"program", "compare --regret"}, {"date", record.date}, {"command_line", record.command_line}};
    json["machine"] = {{"cpu", record.machine.cpu},
                       {"cores", record.machine.cores},
                       {"memory_mib", record.machine.memory_bytes >> 20},
                       {"kernel", record.machine.system + " " + record.machine.release}};
    json["basis"] = BasisOf(record);
    json["seed"] = record.run.seed;
    json["time_limit"] = record.run.time_limit;
    json["left_out"] = Json::array();
    for (const LeftOut &left_out : record.left_out) {
        json["left_out"].push_back({{"label", left_out.label}, {"reason", left_out.reason}});
    }
    json["summary"] = SummaryJson(SummaryOf(record.conditions));
    json["conditions"] = Json::array();
    for (const ConditionResult &result : record.conditions) {
        json["conditions"].push_back(ConditionJson(result));
    }
    json["known"] = Json::array();
    for (const ConditionResult &result : record.known) {
        if (Find(record.conditions, result.text) == nullptr) {
            json["known"].push_back(ConditionJson(result));
        }
    }
    return json;
}

std::vector<ConditionResult> ReadRecord(const std::string &path, const RegretRecord &record) {
    std::vector<ConditionResult> results;
    std::error_code none;
    if (!std::filesystem::exists(path, none) || std::filesystem::is_empty(path, none)) {
        return results;
    }
    std::ifstream in(path);
    try {
        const Json json = Json::parse(in);
        const Json basis = BasisOf(record);
        Json measured = json.at("basis");
        measured.emplace("settle", 0); // a file that does not say so has no further rounds
        for (const auto &[name, value] : basis.items()) {
            if (measured.at(name) != value) {
                throw std::invalid_argument("--resume: " + path + " has another \"" + name + "\" than this run");
            }
        }
        for (const char *const list : {"conditions", "known"}) {
            for (const Json &condition : json.at(list)) {
                ConditionResult result = ConditionOf(condition);
                if (condition.at("state") == Name(State::kMeasured) && result.state == State::kMeasured) {
                    results.push_back(std::move(result));
                }
            }
        }
    } catch (const Json::exception &error) {
        throw std::invalid_argument("--resume: " + path + " is no result of --regret: " + error.what());
    }
    return results;
}

} // namespace compare
