#include "options.h"

#include "contenders.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <filesystem>
#include <random>
#include <regex>
#include <stdexcept>

namespace compare {
namespace {

// What each job gets from the comparison.
const char *const kOwnOptions[] = {"--file", "--warm-ups", "--verify", "--verify-only", "--only-write", "--leave-file"};

struct Raw {
    std::vector<std::string> contenders;
    std::string cluster;
    ClusterOptions network;
    StorageOptions storage;
    bool no_bounds = false;
};

void AddWiring(CLI::App &app, Options &options) {
    app.add_flag("--only-check", options.only_check);
    app.add_option("--tools", options.tools);
    app.add_option("--mpirun", options.mpirun);
    app.add_option("--ompi-info", options.ompi_info);
    app.add_option("--component-path", options.component_path);
    app.add_option("--overlap-bench", options.bench);
}

// The wrapper's head describes them.
void AddOptions(CLI::App &app, Options &options, Raw &raw) {
    app.add_option("KERNEL", options.kernel)->required();
    app.add_option("--contenders", raw.contenders);
    app.add_option("--openmpi", options.openmpi)->check(CLI::IsMember({4, 5}));
    app.add_option("--repetitions", options.repetitions)->check(CLI::Range(1, 10000));
    CLI::Option *const ranks = app.add_option("--ranks", options.ranks)->check(CLI::Range(1, 100000));
    CLI::Option *const cluster = app.add_option("--cluster", raw.cluster)->excludes(ranks);
    CLI::Option *const mbit = app.add_option("--mbit", raw.network.mbit)->check(CLI::Range(1, 1000000))->needs(cluster);
    cluster->needs(mbit);
    CLI::Option *const switches =
        app.add_option("--switches", raw.network.switches)->check(CLI::Range(1, 250))->needs(cluster);
    CLI::Option *const uplink = app.add_option("--uplink-mbit", raw.network.uplink_mbit)->check(CLI::Range(1, 1000000));
    switches->needs(uplink);
    uplink->needs(switches);
    CLI::Option *const mbps = app.add_option("--storage-mbps", raw.storage.mbps)->check(CLI::PositiveNumber);
    app.add_option("--storage-latency-ms", raw.storage.latency_ms)->check(CLI::NonNegativeNumber)->needs(mbps);
    app.add_option("--storage-stripes", raw.storage.stripes)->check(CLI::PositiveNumber)->needs(mbps);
    app.add_option("--storage-stripe-size", raw.storage.stripe_size)->needs(mbps);
    app.add_option("--dir", options.directory);
    app.add_flag("--no-bounds", raw.no_bounds);
    app.add_flag("--keep-wrong", options.keep_wrong);
    app.add_option("--with-gio", options.gio);
    app.add_option("--seed", options.seed);
    app.add_option("--time-limit", options.time_limit)->check(CLI::Range(1, 1000000));
    app.add_option("--json", options.json);
}

ClusterOptions Shape(const Raw &raw) {
    std::smatch shape;
    if (!std::regex_match(raw.cluster, shape, std::regex("([1-9][0-9]{0,3})x([1-9][0-9]{0,3})"))) {
        throw std::invalid_argument("--cluster takes hosts and ranks on each as 4x2, not \"" + raw.cluster + "\"");
    }
    ClusterOptions cluster = raw.network;
    cluster.hosts = std::stoi(shape[1]);
    cluster.ranks_per_host = std::stoi(shape[2]);
    return cluster;
}

void RefuseOwn(const Words &kernel_options) {
    for (const std::string &word : kernel_options) {
        const std::string name = word.substr(0, word.find('='));
        if (std::find(std::begin(kOwnOptions), std::end(kOwnOptions), name) != std::end(kOwnOptions)) {
            throw std::invalid_argument(name + " is set by compare for each job");
        }
    }
}

} // namespace

Options ParseOptions(int argc, char **argv) {
    CLI::App app;
    app.set_help_flag();
    app.allow_extras();
    Options options;
    Raw raw;
    options.seed = std::random_device()();
    AddWiring(app, options);
    AddOptions(app, options, raw);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError &error) {
        throw std::invalid_argument(error.what());
    }
    options.kernel_options = app.remaining();
    RefuseOwn(options.kernel_options);
    options.contenders = SplitList(raw.contenders);
    options.bounds = !raw.no_bounds;
    options.directory = std::filesystem::absolute(options.directory).string();
    if (!raw.cluster.empty()) {
        options.cluster = Shape(raw);
        options.ranks = options.cluster->hosts * options.cluster->ranks_per_host;
    }
    if (!raw.storage.mbps.empty()) {
        options.storage = raw.storage;
    }
    ParseContenders(options.contenders);
    return options;
}

} // namespace compare
