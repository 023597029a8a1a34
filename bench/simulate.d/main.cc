// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// simulate: collective writes of many ranks on one virtual clock.
#include "report.h"

#include <iostream>

int main(int argc, char **argv) {
    simulate::Options options;
    const int code = simulate::ReadOptions(argc, argv, options);
    if (code >= 0) {
        return code;
    }
    try {
        std::vector<simulate::Figures> jobs;
        for (const int ranks : options.ranks) {
            jobs.push_back(simulate::FiguresOf(simulate::Simulate(options, ranks)));
            std::cerr << ranks << " ranks: " << jobs.back().wall << " s\n";
        }
        simulate::PrintTable(std::cout, options, jobs);
        if (!options.json.empty()) {
            simulate::WriteJson(options, jobs);
        }
    } catch (const std::invalid_argument &error) {
        std::cerr << "simulate: " << error.what() << "\n";
        return 2;
    } catch (const std::exception &error) {
        std::cerr << "simulate: " << error.what() << "\n";
        return 1;
    }
    return 0;
}
