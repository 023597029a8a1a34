// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// A list of conditions: a text file with one on each line, as compare would take it on its command line.
#ifndef BENCH_COMPARE_REGRET_CONDITIONS_H
#define BENCH_COMPARE_REGRET_CONDITIONS_H

#include "../options.h"

#include <cstddef>
#include <iosfwd>
#include <map>
#include <string>
#include <vector>

namespace compare {

/// What {NAME} in a condition stands for.
using Names = std::map<std::string, std::string>;

struct Condition {
    std::size_t line = 0; // in the file, from 1
    std::string text;     // words with one blank between them, names replaced
    std::string unknown;  // a name that it has and nobody gave; empty: none
    Options options;
};

/// `run`: what all conditions share. A line is KERNEL, its options, and those of ConditionGroup; what follows a word that
/// begins with # is a comment. Throws std::invalid_argument with one line for each wrong line, "file:line: what is wrong",
/// and for a list without a condition.
std::vector<Condition> ReadConditions(std::istream &in, const std::string &file, const Names &names, const Options &run);

} // namespace compare

#endif
