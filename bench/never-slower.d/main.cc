// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
// never-slower: overlap with nothing set beside its other settings, vulcan, ROMIO and GIO on the watched cases.
// ../never-slower builds what it needs and calls this.
#include "../common/machine.h"
#include "../common/version.h"
#include "../compare.d/failure.h"
#include "../compare.d/testbed.h"
#include "report.h"
#include "sides.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <optional>

namespace never_slower {
namespace {

using against::Setting;
using against::Trial;

constexpr double kTolerated = 1.05;
// Of fifteen alternations two at either end are left out of the range (verdict.cc), so that an outlier hides nothing.
constexpr std::size_t kMostAgain = 16;

const compare::ClusterOptions kCluster = {4, 2, 400, 0, 0};
const compare::StorageOptions kStorage = {"400", "", "", ""};

using Clock = std::chrono::steady_clock;

double Since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

struct Options {
    std::string only, component_path, ompi_info, gio, json;
    int alternations = 5;
    bool only_check = false, list = false;
    against::Programs programs;
};

Options ParseOptions(int argc, char **argv) {
    CLI::App app;
    app.set_help_flag();
    Options options;
    app.add_option("--only", options.only);
    app.add_option("--alternations", options.alternations)->check(CLI::Range(1, 1000));
    app.add_option("--json", options.json);
    app.add_option("--with-gio", options.gio);
    app.add_flag("--list", options.list);
    app.add_flag("--only-check", options.only_check);
    app.add_option("--component-path", options.component_path);
    app.add_option("--mpirun", options.programs.mpirun);
    app.add_option("--ompi-info", options.ompi_info);
    app.add_option("--overlap-bench", options.programs.bench);
    app.add_option("--tools", options.programs.tools);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError &error) {
        throw std::invalid_argument(error.what());
    }
    return options;
}

/// The emulated cluster and its storage, while it is there.
class Cluster {
  public:
    Cluster(const against::Programs &programs) {
        compare::Options options;
        options.tools = programs.tools;
        options.cluster = kCluster;
        options.storage = kStorage;
        testbed_.place.scratch = programs.scratch;
        compare::Build(testbed_, options);
    }
    const std::string &name() const { return testbed_.place.cluster; }
    const std::string &directory() const { return testbed_.target; }

  private:
    compare::Testbed testbed_;
};

std::vector<Trial> MeasureAll(const Options &options, const std::vector<compare::Contender> &contenders,
                              const std::vector<against::Side> &sides) {
    against::Programs programs = options.programs;
    std::optional<Cluster> cluster;
    std::vector<Trial> trials;
    for (Setting setting : against::WatchedSettings(options.only)) {
        const Clock::time_point start = Clock::now();
        std::cerr << "never-slower: " << setting.ranks << " ranks, " << setting.place << ", " << setting.cases.size()
                  << " cases\n";
        if (setting.hosts > 1) {
            try {
                cluster.emplace(programs);
            } catch (const compare::Failure &failure) {
                std::cerr << "never-slower: not measured, no cluster here: " << failure.what() << "\n";
                continue;
            }
            programs.cluster = cluster->name();
            setting.directory = cluster->directory();
        }
        Trial &trial = trials.emplace_back(setting, sides.size(), kTolerated);
        for (against::Row &row : trial.rows) {
            row.judged = 0;
        }
        TryAll(contenders, sides, trial, programs);
        Alternate(sides, trial, programs, options.alternations);
        ChooseBest(sides, trial, programs);
        std::cerr << "never-slower: that took " << std::lround(Since(start)) << " s\n";
    }
    if (static_cast<std::size_t>(options.alternations) >= kEnough) {
        MeasureAgain(sides, trials, programs, {kMostAgain, 3 * options.alternations});
    }
    return trials;
}

void WriteJson(const Options &options, const compare::Installation &installation, const std::vector<against::Side> &sides,
               const std::vector<Trial> &trials) {
    const bench::MachineFacts machine = bench::ThisMachine();
    const nlohmann::ordered_json json = {
        {"program", "never-slower"},
        {"version", bench::Version()},
        {"openmpi", installation.version()},
        {"machine",
         {{"cpu", machine.cpu},
          {"cores", machine.cores},
          {"memory", machine.memory_bytes},
          {"system", machine.system},
          {"release", machine.release}}},
        {"alternations", options.alternations},
        {"cluster", {{"hosts", kCluster.hosts}, {"mbit", kCluster.mbit}, {"storage_mbps", kStorage.mbps}}},
        {"rows", ToJson(sides, trials)}};
    std::ofstream out(options.json);
    out << json.dump(1) << "\n";
    out.close();
    if (!out) {
        throw std::runtime_error("cannot write " + options.json);
    }
}

int Watch(Options &options) {
    const std::vector<Setting> settings = against::WatchedSettings(options.only);
    if (options.list) {
        for (const Setting &setting : settings) {
            for (const against::Case &one : setting.cases) {
                std::cout << FullName(one, setting) << "  " << compare::Quoted(one.kernel) << "\n";
            }
        }
    }
    if (options.only_check || options.list) {
        return 0;
    }
    compare::HoldSignals();
    compare::PresetEnvironment();
    const compare::Folder scratch(std::filesystem::temp_directory_path().string());
    options.programs.scratch = scratch.path();
    const compare::Installation installation =
        compare::AskInstallation(options.ompi_info, options.component_path, scratch.path() + "/ompi_info");
    const std::vector<compare::Contender> contenders = Contenders(installation, options.gio);
    std::vector<against::Side> sides;
    for (const compare::Contender &contender : contenders) {
        sides.push_back(MakeSide(contender, installation, options.component_path));
    }
    const std::vector<Trial> trials = MeasureAll(options, contenders, sides);
    PrintTable(std::cout, sides, trials);
    if (!options.json.empty()) {
        WriteJson(options, installation, sides, trials);
    }
    long bad = 0, all = 0;
    for (const Trial &trial : trials) {
        bad += std::count_if(trial.rows.begin(), trial.rows.end(), Bad);
        all += static_cast<long>(trial.rows.size());
    }
    std::cout << "failed, or above " << kTolerated << " beyond the range seen: " << bad << " of " << all << "\n";
    return bad == 0 ? 0 : 1;
}

int Main(int argc, char **argv) {
    try {
        Options options = ParseOptions(argc, argv);
        return Watch(options);
    } catch (const std::invalid_argument &error) {
        std::cerr << "never-slower: " << error.what() << "; bench/never-slower --help tells more\n";
        return 2;
    } catch (const compare::Failure &failure) {
        std::cerr << "never-slower: " << failure.what() << "\n";
        return failure.code();
    } catch (const compare::Interrupted &interrupted) {
        return 128 + interrupted.signal;
    } catch (const std::exception &error) {
        std::cerr << "never-slower: " << error.what() << "\n";
        return 1;
    }
}

} // namespace
} // namespace never_slower

int main(int argc, char **argv) { return never_slower::Main(argc, argv); }
