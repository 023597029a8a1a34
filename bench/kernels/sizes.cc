// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "kernels.h"

namespace bench {

CLI::Option *AddSize(CLI::App &app, const std::string &name, Bytes &value, const std::string &help) {
    return app.add_option(name, value, help)->transform(CLI::AsSizeValue(false))->capture_default_str();
}

} // namespace bench
