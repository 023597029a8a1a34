// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "run.h"

#include "../comparison.h"
#include "../failure.h"
#include "../json_file.h"
#include "../participants.h"
#include "../testbed.h"
#include "record.h"
#include "report.h"
#include "settle.h"

#include <algorithm>
#include <filesystem>
#include <iostream>

namespace compare {
namespace {

Timed TimedOf(const Entry &entry, Part part) {
    Timed timed;
    timed.label = entry.contender.label;
    timed.part = part;
    for (const Measured &run : entry.runs) {
        timed.seconds.push_back(run.seconds);
    }
    // Of the others one may write into gaps; overlap must not.
    const std::optional<Failed> &failed = entry.failed || part == Part::kOther ? entry.failed : entry.wrong_file;
    if (failed) {
        timed.failure = failed->reason;
        timed.command = failed->command;
    }
    timed.wrong_file = entry.wrong_file.has_value();
    timed.dropped = entry.dropped;
    return timed;
}

std::vector<Timed> TimedOf(const std::vector<Entry> &entries, const Field &field) {
    std::vector<Timed> timed;
    for (const Entry &entry : entries) {
        timed.push_back(TimedOf(entry, field.parts.at(entry.contender.label)));
    }
    return timed;
}

std::vector<Timed> Measure(const Condition &condition, std::vector<Entry> entries, const Field &field,
                           const std::string &scratch) {
    Testbed testbed;
    testbed.place.scratch = scratch;
    Build(testbed, condition.options);
    for (Entry &entry : entries) {
        entry.job.directory = testbed.target;
        entry.may_drop = field.parts.at(entry.contender.label) == Part::kSetting;
    }
    RunRounds(entries, condition.options, testbed.place);
    const std::vector<std::size_t> chosen = Unsettled(TimedOf(entries, field));
    for (int more = 1; more <= condition.options.settle && !chosen.empty(); ++more) {
        RunAgain(entries, chosen, more, condition.options, testbed.place);
    }
    return TimedOf(entries, field);
}

ConditionResult ResultOf(const Condition &condition, const std::vector<Entry> &entries, const Field &field,
                         const std::string &scratch) {
    ConditionResult result;
    result.line = condition.line;
    result.text = condition.text;
    if (!condition.unknown.empty()) {
        result.state = State::kLeftOut;
        result.reason = "--let " + condition.unknown + "=VALUE says what {" + condition.unknown + "} is";
        return result;
    }
    try {
        result.timed = Measure(condition, entries, field, scratch);
    } catch (const std::exception &error) {
        result.state = State::kFailed;
        result.reason = error.what();
        std::cerr << "compare: FAILED: " << error.what() << "\n";
    }
    Judge(result);
    return result;
}

// The contenders' jobs without a folder, which is another one in each condition.
std::vector<Entry> EntriesOf(RegretRecord &record, const Installation &installation) {
    Comparison comparison;
    comparison.options = record.run;
    comparison.options.contenders = record.field.contenders;
    AddContenders(comparison, installation, "");
    record.left_out = comparison.left_out;
    const auto has = [&](Part part) {
        return std::any_of(comparison.entries.begin(), comparison.entries.end(),
                           [&](const Entry &entry) { return record.field.parts.at(entry.contender.label) == part; });
    };
    if (!has(Part::kDefault) || !has(Part::kSetting)) {
        throw Failure(1, "without a default and a fixed setting there is no regret");
    }
    return comparison.entries;
}

RegretRecord Begin(const RegretOptions &options, const Installation &installation, const Words &command_line) {
    RegretRecord record;
    record.date = Now();
    record.machine = bench::ThisMachine();
    record.openmpi = installation.version();
    record.command_line = command_line;
    record.run = options.run;
    record.field = FieldOf(options, installation);
    return record;
}

} // namespace

int RunRegret(const RegretOptions &options, const Words &command_line) {
    HoldSignals();
    PresetEnvironment();
    const Folder scratch(std::filesystem::temp_directory_path().string());
    const Installation installation =
        AskInstallation(options.run.ompi_info, options.run.component_path, scratch.path() + "/ompi_info");
    RegretRecord record = Begin(options, installation, command_line);
    const std::vector<Entry> entries = EntriesOf(record, installation);
    if (options.resume) {
        record.known = ReadRecord(options.run.json, record);
    }
    CheckJsonFile(options.run.json);
    for (const Condition &condition : options.conditions) {
        std::cerr << "compare: condition " << record.conditions.size() + 1 << "/" << options.conditions.size() << ", line "
                  << condition.line << ": " << condition.text << "\n";
        const ConditionResult *const found = Find(record.known, condition.text);
        record.conditions.push_back(found != nullptr ? *found : ResultOf(condition, entries, record.field, scratch.path()));
        record.conditions.back().line = condition.line;
        if (!options.run.json.empty()) {
            WriteJson(options.run.json, ToJson(record));
        }
    }
    PrintRegret(std::cout, record);
    const RegretSummary summary = SummaryOf(record.conditions);
    return summary.failed > 0 || summary.failed_contenders > 0 ? 1 : 0;
}

} // namespace compare
