// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Options that several command lines have: a comparison's, a list of conditions and each condition in it.
#ifndef BENCH_COMPARE_OPTION_GROUPS_H
#define BENCH_COMPARE_OPTION_GROUPS_H

#include "options.h"

#include <CLI/CLI.hpp>

#include <string>

namespace compare {

/// What the wrapper adds.
void AddWiring(CLI::App &app, Options &options);

/// How often, with which Open MPI, and where results go.
void AddRun(CLI::App &app, Options &options);

/// Where a kernel's file goes. What is not given stays as it is.
void AddTarget(CLI::App &app, Options &options);

/// A kernel, the machine that it runs on and its target: what makes a condition.
class ConditionGroup {
  public:
    /// Both outlive this object.
    ConditionGroup(CLI::App &app, Options &options);
    /// After parsing: what belongs to the kernel, and what follows from several options. Throws std::invalid_argument.
    void Finish() const;

  private:
    CLI::App &app_;
    Options &options_;
    std::string cluster_;
    ClusterOptions network_;
    StorageOptions storage_;
};

/// Parses. Throws std::invalid_argument with CLI11's message. The program's name is not among the words.
void Parse(CLI::App &app, const Words &words);

} // namespace compare

#endif
