// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "options.h"

#include "../contenders.h"
#include "../option_groups.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <random>
#include <regex>
#include <stdexcept>

namespace compare {
namespace {

struct Raw {
    std::string file;
    std::string only;
    Words settings, others, names;
};

void AddRegret(CLI::App &app, RegretOptions &options, Raw &raw) {
    app.add_option("--regret", raw.file)->required();
    app.add_option("--only", raw.only);
    app.add_option("--let", raw.names);
    app.add_option("--default", options.by_default);
    app.add_option("--settings", raw.settings);
    app.add_option("--drop-above", options.run.drop_above)->check(CLI::Range(1.0, 1e6));
    app.add_option("--settle", options.run.settle)->check(CLI::Range(0, 10000));
    CLI::Option *const others = app.add_option("--contenders", raw.others);
    app.add_flag_callback("--no-contenders", [&options] { options.with_others = false; })->excludes(others);
    app.add_flag("--resume", options.resume);
}

Names NamesOf(const Words &words) {
    Names names;
    for (const std::string &word : words) {
        const std::size_t equals = word.find('=');
        if (equals == std::string::npos || equals == 0) {
            throw std::invalid_argument("--let takes NAME=VALUE, not \"" + word + "\"");
        }
        names[word.substr(0, equals)] = word.substr(equals + 1);
    }
    return names;
}

void KeepOnly(std::vector<Condition> &conditions, const std::string &pattern) {
    try {
        const std::regex wanted(pattern);
        const auto other = [&](const Condition &condition) { return !std::regex_search(condition.text, wanted); };
        conditions.erase(std::remove_if(conditions.begin(), conditions.end(), other), conditions.end());
    } catch (const std::regex_error &error) {
        throw std::invalid_argument("--only " + pattern + ": " + error.what());
    }
    if (conditions.empty()) {
        throw std::invalid_argument("--only " + pattern + ": no condition has it");
    }
}

} // namespace

bool AsksForRegret(const Words &words) {
    return std::any_of(words.begin(), words.end(),
                       [](const std::string &word) { return word == "--regret" || word.rfind("--regret=", 0) == 0; });
}

RegretOptions ParseRegretOptions(const Words &words) {
    CLI::App app;
    app.set_help_flag();
    RegretOptions options;
    Raw raw;
    options.run.seed = std::random_device()();
    options.run.bounds = false;
    AddWiring(app, options.run);
    AddRun(app, options.run);
    AddTarget(app, options.run);
    AddRegret(app, options, raw);
    Parse(app, words);
    if (options.resume && options.run.json.empty()) {
        throw std::invalid_argument("--resume goes on with the results in the file of --json");
    }
    options.settings = SplitList(raw.settings);
    options.others = SplitList(raw.others);
    options.run.directory = std::filesystem::absolute(options.run.directory).string();
    std::ifstream in(raw.file);
    if (!in) {
        throw std::invalid_argument("--regret: " + raw.file + " cannot be read");
    }
    options.conditions = ReadConditions(in, raw.file, NamesOf(raw.names), options.run);
    if (!raw.only.empty()) {
        KeepOnly(options.conditions, raw.only);
    }
    return options;
}

} // namespace compare
