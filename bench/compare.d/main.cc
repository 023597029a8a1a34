// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// compare: contenders of collective writes beside each other, on one kernel. ../compare builds what is needed and calls
// this.
#include "bound_jobs.h"
#include "comparison.h"
#include "failure.h"
#include "installation.h"
#include "json.h"
#include "json_file.h"
#include "participants.h"
#include "regret/run.h"
#include "report.h"
#include "results.h"
#include "testbed.h"

#include <algorithm>
#include <filesystem>
#include <iostream>

namespace compare {
namespace {

int Compare(const Options &options, const Words &command_line) {
    HoldSignals();
    CheckJsonFile(options.json);
    PresetEnvironment();
    const Folder scratch(std::filesystem::temp_directory_path().string());
    Testbed testbed;
    testbed.place.scratch = scratch.path();
    const Installation installation =
        AskInstallation(options.ompi_info, options.component_path, scratch.path() + "/ompi_info");
    Comparison comparison;
    comparison.options = options;
    comparison.command_line = command_line;
    comparison.date = Now();
    comparison.machine = bench::ThisMachine();
    comparison.openmpi = installation.version();
    Build(testbed, options);
    AddContenders(comparison, installation, testbed.target);
    if (options.bounds) {
        AddBounds(comparison, installation, testbed);
    }
    comparison.order = RunRounds(comparison.entries, options, testbed.place);
    const Results results = Evaluate(comparison);
    PrintReport(std::cout, comparison, results);
    if (!options.json.empty()) {
        WriteJson(options.json, ToJson(comparison, results));
    }
    const auto failed = [](const Entry &entry) { return entry.failed.has_value(); };
    return std::any_of(comparison.entries.begin(), comparison.entries.end(), failed) ? 1 : 0;
}

int Checked(const Options &options) {
    std::cout << options.openmpi << "\n";
    return 0;
}

int Main(int argc, char **argv) {
    try {
        const Words words(argv + 1, argv + argc);
        if (AsksForRegret(words)) {
            const RegretOptions options = ParseRegretOptions(words);
            return options.run.only_check ? Checked(options.run) : RunRegret(options, words);
        }
        const Options options = ParseOptions(words);
        return options.only_check ? Checked(options) : Compare(options, words);
    } catch (const std::invalid_argument &error) {
        std::cerr << "compare: " << error.what() << "; overlap compare --help tells more\n";
        return 2;
    } catch (const Failure &failure) {
        std::cerr << "compare: " << failure.what() << "\n";
        return failure.code();
    } catch (const Interrupted &interrupted) {
        return 128 + interrupted.signal;
    } catch (const std::exception &error) {
        std::cerr << "compare: " << error.what() << "\n";
        return 1;
    }
}

} // namespace
} // namespace compare

int main(int argc, char **argv) { return compare::Main(argc, argv); }
