// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// The patterns that overlap-bench knows, one file each.
#ifndef BENCH_KERNELS_KERNELS_H
#define BENCH_KERNELS_KERNELS_H

#include "pattern.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <memory>

namespace bench {

/// A sub-command: its options have been added to the command line, and fill the pattern when it is parsed.
struct Kernel {
    CLI::App *command = nullptr;
    std::shared_ptr<const Pattern> pattern;
    bool hdf5 = false; // each access can be written as a data set
};

Kernel AddIor(CLI::App &app);
Kernel AddTile(CLI::App &app);
Kernel AddFlash(CLI::App &app);
Kernel AddHpio(CLI::App &app);
Kernel AddHacc(CLI::App &app);
Kernel AddBtio(CLI::App &app);
Kernel AddCube(CLI::App &app);
Kernel AddLattice(CLI::App &app);
Kernel AddLists(CLI::App &app);

/// Sizes as 256, 4k, 1m, 2g (powers of 1024).
CLI::Option *AddSize(CLI::App &app, const std::string &name, Bytes &value, const std::string &help);

} // namespace bench

#endif
