// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "options.h"

#include "../../common/version.h"

#include <CLI/CLI.hpp>

namespace placement {
namespace {

CLI::Option *AddSize(CLI::App &app, const std::string &name, ByteCount &value, const std::string &help) {
    return app.add_option(name, value, help)
        ->transform(CLI::AsSizeValue(false))
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
}

void AddMachine(CLI::App &app, Options &options) {
    app.add_option("--topology", options.topology,
                   "flat, torus:AxBxC, matrix:FILE, slurm:FILE, ibnetdiscover:FILE, or the path of such a file")
        ->capture_default_str();
    app.add_option("--hosts", options.hosts, "nodes of the job as in Slurm, n[01-16] (default node0, node1, ...)");
    app.add_option("--scatter", options.scatter, "seed: the job gets some of --hosts at random, not the first")
        ->check(CLI::NonNegativeNumber);
    app.add_option("--storage-nodes,--storage", options.storage,
                   "hosts or switches of the storage servers, as the topology names them; tapioca weighs the way to them");
    app.add_option("--bandwidth", options.bandwidths,
                   "GB/s of a link from a node to its switch, from there to the next, ...; the last for all above (default "
                   "what the topology says, else 10)")
        ->delimiter(',')
        ->check(CLI::PositiveNumber);
    app.add_option("--latency", options.latency_us, "microseconds a hop")
        ->check(CLI::NonNegativeNumber)
        ->capture_default_str();
}

void AddJob(CLI::App &app, Options &options) {
    app.add_option("--ranks", options.ranks, "ranks of the job")->required()->check(CLI::Range(1, 1 << 20));
    app.add_option("--ranks-per-node", options.ranks_per_node, "on each node but the last")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    app.add_flag("--cyclic", options.cyclic, "deal ranks round-robin to the nodes instead of filling one after the other");
    app.add_option("--domains", options.domains, "file domains (default: nodes x --aggregators-per-node)")
        ->check(CLI::Range(1, 1 << 20));
    app.add_option("--aggregators-per-node", options.aggregators_per_node, "at most, 0 for no limit")
        ->check(CLI::NonNegativeNumber)
        ->capture_default_str();
    app.add_option("--domains-per-rank", options.domains_per_rank, "at most")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    app.add_option("--candidates", options.candidates_per_node, "of each node for lap and locality, 0 for all of its ranks")
        ->check(CLI::NonNegativeNumber)
        ->capture_default_str();
    app.add_option("--allowed", options.allowed, "ranks that may aggregate (default all)")->delimiter(',');
    AddSize(app, "--alignment", options.alignment, "bytes to whose multiples domains are cut, and of a stripe");
    app.add_flag("--static", options.static_partition, "deal stripes round-robin to the domains instead of cutting evenly");
    app.add_option("--targets", options.targets, "storage targets that the stripes go round, for --static")
        ->check(CLI::NonNegativeNumber);
}

void AddOutput(CLI::App &app, Options &options) {
    const CLI::IsMember known({"ompio", "spread", "locality", "lap", "tapioca"});
    app.add_option("--strategies", options.strategies, "ompio, spread, locality, lap, tapioca (default all)")
        ->delimiter(',')
        ->check(known);
    app.add_flag("--csv", options.csv, "values with commas in the place of a table");
    app.add_flag("--placement", options.show_placement, "list the aggregator of each domain as well");
    app.add_option("--svg", options.svg, "draw network and aggregators into this file");
    app.add_option("--svg-strategy", options.svg_strategy, "whose aggregators")->check(known)->capture_default_str();
}

void AddPatterns(CLI::App &app, Options &options) {
    auto ior = std::make_shared<Ior>();
    CLI::App *command = app.add_subcommand("ior", "segments, each with one block of every rank");
    AddSize(*command, "--block", ior->block, "bytes of a rank in a segment");
    AddSize(*command, "--segments", ior->segments, "segments");
    command->callback([&options, ior] { options.pattern = ior; });

    auto cube = std::make_shared<Cube>();
    command = app.add_subcommand("cube", "a three-dimensional array, a block on each rank");
    AddSize(*command, "--points", cube->points, "of the array in each dimension");
    AddSize(*command, "--element", cube->element, "bytes of a point");
    command->callback([&options, cube] { options.pattern = cube; });

    auto btio = std::make_shared<Btio>();
    command = app.add_subcommand("btio", "block-tridiagonal multi-partition, a square number of ranks");
    AddSize(*command, "--points", btio->points, "of the array in each dimension");
    AddSize(*command, "--element", btio->element, "bytes of a point");
    command->callback([&options, btio] { options.pattern = btio; });

    auto hacc = std::make_shared<Hacc>();
    command = app.add_subcommand("hacc", "particles of 38 bytes");
    AddSize(*command, "--particles", hacc->particles, "of a rank");
    command->add_flag("!--soa", hacc->structures,
                      "a structure of arrays, all nine in one file range; default an array of structures");
    command->callback([&options, hacc] { options.pattern = hacc; });

    command = app.add_subcommand("matrix", "the communication matrix from a file");
    command->add_option("FILE", options.matrix, "lines RANK DOMAIN BYTES")->required();
}

} // namespace

int ReadOptions(int argc, char **argv, Options &options) {
    CLI::App app(
        "Compares the strategies that choose aggregators, without MPI: hop-bytes, the largest load on a link, and the "
        "time of the shuffle that follows from it. ompio stands for the lowest ranks of each node in rank order.",
        "overlap placement");
    app.set_version_flag("--version", bench::Version());
    app.failure_message([](const CLI::App *, const CLI::Error &error) {
        return std::string("placement: ") + error.what() + "; overlap placement --help tells more\n";
    });
    AddMachine(app, options);
    AddJob(app, options);
    AddOutput(app, options);
    AddPatterns(app, options);
    app.require_subcommand(1);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError &error) {
        return app.exit(error) == 0 ? 0 : 2;
    }
    if (options.strategies.empty()) {
        options.strategies = {"ompio", "spread", "locality", "lap", "tapioca"};
    }
    return -1;
}

} // namespace placement
