// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// The command line of storage-server, which is called by ../storage only.
#include "options.h"

#include <CLI/CLI.hpp>

#include <cstdio>
#include <cstdlib>

namespace storage {
namespace {

// 1 TB/s: more than any machine can pretend to be.
constexpr double kLargestRate = 1e6;
constexpr double kMegabyte = 1e6;
constexpr std::uint64_t kLargestSize = std::uint64_t{1} << 60;

struct RateArguments {
    double total = 0;
    std::vector<double> each;
    int stripes = 1;
};

[[noreturn]] void Wrong(const std::string &what) {
    std::fprintf(stderr, "storage: %s; storage --help tells more\n", what.c_str());
    std::exit(2);
}

template <typename Value> CLI::Option *AddSize(CLI::App *app, const std::string &name, Value &value) {
    // k, m and g are powers of 1024.
    return app->add_option(name, value)
        ->transform(CLI::AsSizeValue(false))
        ->check(CLI::Range(std::uint64_t{0}, kLargestSize));
}

void AddFaults(CLI::App *app, FaultSetting &faults) {
    AddSize(app, "--enospc-after", faults.enospc_after);
    AddSize(app, "--eio-at", faults.eio_at);
    AddSize(app, "--stall-after", faults.stall_after);
    AddSize(app, "--short-above", faults.short_above);
}

void AddServe(CLI::App *app, ServeOptions &options, RateArguments &rates, double &latency_ms) {
    app->add_option("DIR", options.mountpoint)->required();
    app->add_option("--state", options.state)->required();
    app->add_option("--own-backing", options.backing)->required();
    app->add_option("--mbps", rates.total)->check(CLI::Range(0.001, kLargestRate));
    app->add_option("--latency-ms", latency_ms)->check(CLI::Range(0.0, 60000.0));
    app->add_option("--stripes", rates.stripes)->check(CLI::Range(1, 1024));
    AddSize(app, "--stripe-size", options.stripe_size)->check(CLI::Range(std::uint64_t{4096}, kLargestSize));
    app->add_option("--stripe-mbps", rates.each)->delimiter(',')->check(CLI::Range(0.001, kLargestRate));
    AddFaults(app, options.faults);
}

std::vector<double> RatesOf(const RateArguments &rates, bool total_given, bool stripes_given) {
    std::vector<double> each = rates.each;
    if (each.empty()) {
        if (!total_given) {
            Wrong("mount needs --mbps, or a rate for each target with --stripe-mbps");
        }
        each.assign(static_cast<std::size_t>(rates.stripes), rates.total / rates.stripes);
    } else if (stripes_given && each.size() != static_cast<std::size_t>(rates.stripes)) {
        Wrong("--stripe-mbps has to list as many rates as there are --stripes");
    }
    double sum = 0;
    for (double &rate : each) {
        sum += rate;
        rate *= kMegabyte;
    }
    // Two totals that contradict each other are a slip of the caller's.
    if (total_given && (sum < rates.total * 0.999 || sum > rates.total * 1.001)) {
        Wrong("the rates of --stripe-mbps do not add up to --mbps");
    }
    return each;
}

void AddMeasure(CLI::App *app, MeasureOptions &options) {
    app->add_option("FILE", options.file)->required();
    app->add_option("--clients", options.clients)->check(CLI::Range(1, 256));
    app->add_option("--readers", options.readers)->check(CLI::Range(0, 256));
    app->add_option("--requests", options.requests)->check(CLI::Range(1, 1000000));
    AddSize(app, "--request-size", options.request_size)->check(CLI::PositiveNumber);
    app->add_option("--stripes", options.stripes)->check(CLI::Range(1, 1024));
    AddSize(app, "--stripe-size", options.stripe_size)->check(CLI::PositiveNumber);
}

} // namespace

Command ParseArguments(int argc, char **argv) {
    CLI::App app;
    app.set_help_flag();
    app.require_subcommand(1);
    ServeOptions serve;
    FaultOptions fault;
    MeasureOptions measure;
    RateArguments rates;
    double latency_ms = 0;
    bool none = false, no_direct = false;
    std::string status, backing;

    CLI::App *serve_app = app.add_subcommand("mount");
    AddServe(serve_app, serve, rates, latency_ms);
    serve_app->add_option("--backing", backing);
    serve_app->add_flag("--no-direct", no_direct);
    CLI::App *fault_app = app.add_subcommand("fault");
    fault_app->add_option("DIR", fault.mountpoint)->required();
    AddFaults(fault_app, fault.faults);
    fault_app->add_flag("--none", none);
    CLI::App *measure_app = app.add_subcommand("measure");
    AddMeasure(measure_app, measure);
    CLI::App *status_app = app.add_subcommand("status");
    status_app->add_option("DIR", status)->required();
    for (CLI::App *each : {serve_app, fault_app, measure_app, status_app}) {
        each->set_help_flag();
    }
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError &error) {
        Wrong(error.what());
    }

    Command command;
    if (serve_app->parsed()) {
        serve.rates = RatesOf(rates, serve_app->count("--mbps") > 0, serve_app->count("--stripes") > 0);
        serve.latency = latency_ms / 1000;
        serve.direct = !no_direct;
        serve.own_backing = backing.empty();
        serve.backing = serve.own_backing ? serve.backing : backing;
        command.serve = serve;
    } else if (fault_app->parsed()) {
        if (none == fault.faults.any()) {
            Wrong("fault takes either faults or --none");
        }
        command.fault = fault;
    } else if (measure_app->parsed()) {
        command.measure = measure;
    } else {
        command.status = status;
    }
    return command;
}

} // namespace storage
