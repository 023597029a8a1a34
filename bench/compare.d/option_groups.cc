// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "option_groups.h"

#include <algorithm>
#include <filesystem>
#include <regex>
#include <stdexcept>

namespace compare {
namespace {

// What each job gets from the comparison.
const char *const kOwnOptions[] = {"--file", "--warm-ups", "--verify", "--verify-only", "--only-write", "--leave-file"};

void RefuseOwn(const Words &kernel_options) {
    for (const std::string &word : kernel_options) {
        const std::string name = word.substr(0, word.find('='));
        if (std::find(std::begin(kOwnOptions), std::end(kOwnOptions), name) != std::end(kOwnOptions)) {
            throw std::invalid_argument(name + " is set by compare for each job");
        }
    }
}

ClusterOptions Shape(const std::string &text, ClusterOptions cluster) {
    std::smatch shape;
    if (!std::regex_match(text, shape, std::regex("([1-9][0-9]{0,3})x([1-9][0-9]{0,3})"))) {
        throw std::invalid_argument("--cluster takes hosts and ranks on each as 4x2, not \"" + text + "\"");
    }
    cluster.hosts = std::stoi(shape[1]);
    cluster.ranks_per_host = std::stoi(shape[2]);
    return cluster;
}

} // namespace

void AddWiring(CLI::App &app, Options &options) {
    app.add_flag("--only-check", options.only_check);
    app.add_option("--tools", options.tools);
    app.add_option("--mpirun", options.mpirun);
    app.add_option("--ompi-info", options.ompi_info);
    app.add_option("--component-path", options.component_path);
    app.add_option("--overlap-bench", options.bench);
}

void AddRun(CLI::App &app, Options &options) {
    app.add_option("--openmpi", options.openmpi)->check(CLI::IsMember({4, 5}));
    app.add_option("--repetitions", options.repetitions)->check(CLI::Range(1, 10000));
    app.add_option("--with-gio", options.gio);
    app.add_option("--seed", options.seed);
    app.add_option("--time-limit", options.time_limit)->check(CLI::Range(1, 1000000));
    app.add_option("--json", options.json);
}

void AddTarget(CLI::App &app, Options &options) {
    app.add_option("--dir", options.directory);
    app.add_flag("--keep-wrong", options.keep_wrong);
}

ConditionGroup::ConditionGroup(CLI::App &app, Options &options) : app_(app), options_(options) {
    app.allow_extras();
    app.add_option("KERNEL", options.kernel)->required();
    CLI::Option *const ranks = app.add_option("--ranks", options.ranks)->check(CLI::Range(1, 100000));
    CLI::Option *const cluster = app.add_option("--cluster", cluster_)->excludes(ranks);
    CLI::Option *const mbit = app.add_option("--mbit", network_.mbit)->check(CLI::Range(1, 1000000))->needs(cluster);
    cluster->needs(mbit);
    CLI::Option *const switches = app.add_option("--switches", network_.switches)->check(CLI::Range(1, 250))->needs(cluster);
    CLI::Option *const uplink = app.add_option("--uplink-mbit", network_.uplink_mbit)->check(CLI::Range(1, 1000000));
    switches->needs(uplink);
    uplink->needs(switches);
    CLI::Option *const mbps = app.add_option("--storage-mbps", storage_.mbps)->check(CLI::PositiveNumber);
    app.add_option("--storage-latency-ms", storage_.latency_ms)->check(CLI::NonNegativeNumber)->needs(mbps);
    app.add_option("--storage-stripes", storage_.stripes)->check(CLI::PositiveNumber)->needs(mbps);
    app.add_option("--storage-stripe-size", storage_.stripe_size)->needs(mbps);
    AddTarget(app, options);
}

void ConditionGroup::Finish() const {
    options_.kernel_options = app_.remaining();
    RefuseOwn(options_.kernel_options);
    const Words &kernel = options_.kernel_options;
    options_.nonblocking = std::find(kernel.begin(), kernel.end(), "--nonblocking") != kernel.end();
    options_.directory = std::filesystem::absolute(options_.directory).string();
    if (!cluster_.empty()) {
        options_.cluster = Shape(cluster_, network_);
        options_.ranks = options_.cluster->hosts * options_.cluster->ranks_per_host;
    }
    if (!storage_.mbps.empty()) {
        options_.storage = storage_;
    }
}

void Parse(CLI::App &app, const Words &words) {
    // CLI11 takes them from the back.
    Words reversed(words.rbegin(), words.rend());
    try {
        app.parse(reversed);
    } catch (const CLI::ParseError &error) {
        throw std::invalid_argument(error.what());
    }
}

} // namespace compare
