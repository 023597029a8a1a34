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
    // What bounds a write says nothing of a read or a computation.
    const Words &kernel = options.kernel_options;
    const bool reads = std::find(kernel.begin(), kernel.end(), "--read") != kernel.end();
    options.bounds = !no_bounds && !reads && !options.nonblocking;
    ParseContenders(options.contenders);
    return options;
}

} // namespace compare
