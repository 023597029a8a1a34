// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "options.h"

#include "contenders.h"
#include "option_groups.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <random>

namespace compare {

// The wrapper's head describes the options.
Options ParseOptions(const Words &words) {
    CLI::App app;
    app.set_help_flag();
    Options options;
    options.seed = std::random_device()();
    Words contenders;
    bool no_bounds = false;
    AddWiring(app, options);
    AddRun(app, options);
    const ConditionGroup condition(app, options);
    app.add_option("--contenders", contenders);
    app.add_flag("--no-bounds", no_bounds);
    Parse(app, words);
    condition.Finish();
    options.contenders = SplitList(contenders);
    // What bounds a write from the host says nothing of a read, a computation, or copies of a device.
    const Words &kernel = options.kernel_options;
    const bool bounded = std::none_of(kernel.begin(), kernel.end(),
                                      [](const std::string &option) { return option == "--read" || option == "--device"; });
    options.bounds = !no_bounds && bounded && !options.nonblocking;
    ParseContenders(options.contenders);
    return options;
}

} // namespace compare
