// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "options.h"

#include "parameters.h"

#include "../common/version.h"

#include <CLI/CLI.hpp>

#include <iostream>

namespace simulate {
namespace {

void AddJob(CLI::App &app, Options &options, std::vector<std::string> &assignments) {
    app.add_option("--ranks", options.ranks, "sizes of the job, one simulation each")
        ->delimiter(',')
        ->check(CLI::Range(1, 1 << 20))
        ->capture_default_str();
    app.add_option("--ranks-per-node", options.ranks_per_node, "on each node but the last")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    app.add_option("--calls", options.calls,
                   "collective writes, each behind the one before in the file; the first has to plan")
        ->check(CLI::Range(2, 1000))
        ->capture_default_str();
    app.add_option("--hosts", options.hosts, "nodes as in Slurm, n[01-16], for a topology that names them");
    app.add_option("--set", assignments,
                   "NAME=VALUE: a parameter of the engine as fcoll_overlap_NAME has it (slots=8); topology is that of the "
                   "simulated network as well");
    app.add_option("--json", options.json, "file for all figures");
}

void AddFile(CLI::App &app, Options &options) {
    app.add_option("--cb-buffer-size", options.facts.collective_buffer,
                   "bytes of an aggregator's collective buffer, as chosen")
        ->transform(CLI::AsSizeValue(false))
        ->check(CLI::PositiveNumber)
        ->each([&options](const std::string &) { options.facts.collective_buffer_chosen = true; });
    app.add_option("--cb-nodes", options.facts.aggregators, "aggregators (default: the engine's choice)")
        ->check(CLI::PositiveNumber);
    app.add_option("--file-system", options.facts.file_system, "what the engine is told it is")->capture_default_str();
    app.add_flag("--stripes-known{1}", options.facts.stripe_count,
                 "the file system tells stripes and targets to the engine, as Lustre does");
}

void AddMachine(CLI::App &app, Options &options, std::vector<double> &values) {
    app.add_option("--machine", options.machine_name,
                   "fabric (a NIC of 100 Gbit/s a node, 64 storage targets) or emulated (bench/cluster and bench/storage on "
                   "two processors), where nothing else is said:")
        ->check(CLI::IsMember({"fabric", "emulated"}))
        ->capture_default_str();
    for (std::size_t i = 0; i < values.size(); ++i) {
        app.add_option(std::string("--") + MachineNumbers()[i].name, values[i], MachineNumbers()[i].help)
            ->check(CLI::NonNegativeNumber)
            ->group("The machine");
    }
}

void Finish(const CLI::App &app, const std::vector<std::string> &assignments, const std::vector<double> &values,
            Options &options) {
    options.settings = DefaultSettings();
    for (const std::string &assignment : assignments) {
        Set(options.settings, assignment);
    }
    options.machine = MachineNamed(options.machine_name);
    for (std::size_t i = 0; i < values.size(); ++i) {
        const MachineNumber &number = MachineNumbers()[i];
        if (app.count(std::string("--") + number.name) > 0) {
            options.machine.*number.number = values[i];
        }
    }
    const Machine &machine = options.machine;
    for (const double rate : {machine.nic_rate, machine.node_rate, machine.copy_rate, machine.storage_rate,
                              machine.storage_targets, machine.storage_stripe, machine.storage_client}) {
        if (rate < 1) {
            throw std::invalid_argument("rates, targets and stripes are at least 1");
        }
    }
    if (options.facts.stripe_count > 0) {
        options.facts.stripe_count = static_cast<int>(machine.storage_targets);
        options.facts.stripe_size = static_cast<std::int64_t>(machine.storage_stripe);
    }
}

} // namespace

int ReadOptions(int argc, char **argv, Options &options) {
    CLI::App app("Simulates collective writes of many ranks: the engine of each runs on one virtual clock, over a model of "
                 "network and storage. No data is moved. What the engine takes of memory and processors is real.",
                 "overlap simulate");
    app.set_version_flag("--version", bench::Version());
    app.failure_message([](const CLI::App *, const CLI::Error &error) {
        return std::string("simulate: ") + error.what() + "; overlap simulate --help tells more\n";
    });
    std::vector<std::string> assignments;
    std::vector<double> values(MachineNumbers().size());
    AddJob(app, options, assignments);
    AddFile(app, options);
    AddMachine(app, options, values);
    AddPatterns(app, &options.pattern, &options.pattern_name);
    try {
        app.parse(argc, argv);
        Finish(app, assignments, values, options);
    } catch (const CLI::ParseError &error) {
        return app.exit(error) == 0 ? 0 : 2;
    } catch (const std::invalid_argument &error) {
        std::cerr << "simulate: " << error.what() << "\n";
        return 2;
    }
    return -1;
}

} // namespace simulate
