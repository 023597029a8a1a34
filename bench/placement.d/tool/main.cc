// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// overlap-placement: which ranks each strategy would make aggregators, and what that would cost the network.
#include "report.h"

#include <fstream>
#include <iostream>
#include <stdexcept>

namespace placement {
namespace {

void DrawInto(const std::string &path, const Job &job, const Result &result) {
    std::ofstream file(path);
    DrawSvg(file, job, result);
    if (!file.flush()) {
        throw std::invalid_argument("cannot write " + path);
    }
}

void Run(const Options &options) {
    const std::unique_ptr<Job> job = MakeJob(options);
    std::vector<Result> results;
    for (const std::string &strategy : options.strategies) {
        results.push_back(Evaluate(*job, strategy));
    }
    (options.csv ? PrintCsv : PrintTable)(std::cout, *job, results);
    if (options.show_placement) {
        for (const Result &result : results) {
            PrintPlacement(std::cout, *job, result);
        }
    }
    if (!options.svg.empty()) {
        DrawInto(options.svg, *job, Evaluate(*job, options.svg_strategy));
    }
}

} // namespace
} // namespace placement

int main(int argc, char **argv) {
    placement::Options options;
    const int code = placement::ReadOptions(argc, argv, options);
    if (code >= 0) {
        return code;
    }
    try {
        placement::Run(options);
    } catch (const std::exception &error) {
        std::cerr << "placement: " << error.what() << "\n";
        return 2;
    }
    return 0;
}
