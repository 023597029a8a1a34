// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// A run as a table and as JSON.
#ifndef BENCH_KERNELS_REPORT_H
#define BENCH_KERNELS_REPORT_H

#include "measure.h"

namespace bench {

struct Run {
    std::string kernel;
    const Options &options;
    const Pattern &pattern;
    int ranks; // of a group
    int nodes;
};

nlohmann::ordered_json ToJson(const Run &run, const Measurement &measurement);
std::string ToTable(const nlohmann::ordered_json &json);

} // namespace bench

#endif
