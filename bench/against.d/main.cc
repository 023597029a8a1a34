// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// against: two builds of the component, one of another commit, in alternation on standard cases. ../against builds them and
// calls this.
#include "../compare.d/failure.h"
#include "../compare.d/testbed.h"
#include "report.h"

#include <CLI/CLI.hpp>

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <memory>

namespace against {
namespace {

struct Options {
    std::string before, now; // component paths
    int alternations = 5;
    int cluster_mbit = 0; // 0: one node
    bool counts = true, only_check = false;
    Words cases;
    Programs programs;
};

Options ParseOptions(int argc, char **argv) {
    CLI::App app;
    app.set_help_flag();
    Options options;
    bool no_counts = false;
    app.add_option("--before", options.before);
    app.add_option("--now", options.now);
    app.add_option("--mpirun", options.programs.mpirun);
    app.add_option("--overlap-bench", options.programs.bench);
    app.add_option("--tools", options.programs.tools);
    app.add_option("--alternations", options.alternations)->check(CLI::Range(5, 1000));
    app.add_option("--cluster", options.cluster_mbit)->check(CLI::PositiveNumber);
    app.add_flag("--no-counts", no_counts);
    app.add_flag("--only-check", options.only_check);
    app.add_option("CASE", options.cases);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError &error) {
        throw std::invalid_argument(error.what());
    }
    options.counts = !no_counts;
    return options;
}

// Only the most suspicious cases are measured again, which is enough for the exit code and keeps the time short.
constexpr std::size_t kMostAgain = 6;

void Count(const std::vector<Side> &sides, Trial &trial, const Programs &programs) {
    for (std::size_t i = 0; i < trial.rows.size(); ++i) {
        for (std::size_t side = 0; side < sides.size(); ++side) {
            trial.rows[i].sides[side].counts = RunCounted(sides[side], trial.setting.cases[i], trial.setting, programs);
        }
    }
}

int Compare(Options &options) {
    const std::vector<Setting> settings = SettingsOf(options.cases, options.cluster_mbit > 0);
    if (options.only_check) {
        return 0;
    }
    compare::HoldSignals();
    // As root, in a container as well, Open MPI starts only where both are set; ranks may be more than cores.
    for (const char *name : {"OMPI_ALLOW_RUN_AS_ROOT", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "OMPI_MCA_mpi_yield_when_idle"}) {
        setenv(name, "1", 0);
    }
    const compare::Folder scratch(std::filesystem::temp_directory_path().string());
    options.programs.scratch = scratch.path();
    std::unique_ptr<compare::SetUp> cluster;
    if (options.cluster_mbit > 0) {
        const std::string &tools = options.programs.tools, name = "against" + std::to_string(getpid());
        options.programs.cluster = name;
        cluster = std::make_unique<compare::SetUp>(compare::ClusterUp(tools, name, {2, 2, options.cluster_mbit, 0, 0}),
                                                   compare::ClusterDown(tools, name), scratch.path() + "/set-up");
    }
    const std::vector<Side> sides = {OverlapFrom("before", options.before), OverlapFrom("now", options.now)};
    std::vector<Trial> trials;
    for (const Setting &setting : settings) {
        std::cerr << "against: " << setting.ranks << " ranks, " << setting.place << ", " << setting.cases.size()
                  << " cases\n";
        Trial &trial = trials.emplace_back(setting, sides.size(), kTolerated);
        if (options.counts) {
            Count(sides, trial, options.programs);
        }
        Alternate(sides, trial, options.programs, options.alternations);
    }
    MeasureAgain(sides, trials, options.programs, {kMostAgain, 4 * options.alternations});
    PrintTable(std::cout, trials);
    long found = 0;
    for (const Trial &trial : trials) {
        found += std::count_if(trial.rows.begin(), trial.rows.end(), [](const Row &row) {
            return row.failed() || (row.measured_again && row.verdict().slower());
        });
    }
    std::cout << (found == 0 ? "nothing is slower by more than 3 %"
                             : "failed, or slower by more than 3 %: " + std::to_string(found))
              << "\n";
    return found == 0 ? 0 : 1;
}

int Main(int argc, char **argv) {
    try {
        Options options = ParseOptions(argc, argv);
        return Compare(options);
    } catch (const std::invalid_argument &error) {
        std::cerr << "against: " << error.what() << "; bench/against --help tells more\n";
        return 2;
    } catch (const compare::Failure &failure) {
        std::cerr << "against: " << failure.what() << "\n";
        return failure.code();
    } catch (const compare::Interrupted &interrupted) {
        return 128 + interrupted.signal;
    } catch (const std::exception &error) {
        std::cerr << "against: " << error.what() << "\n";
        return 1;
    }
}

} // namespace
} // namespace against

int main(int argc, char **argv) { return against::Main(argc, argv); }
