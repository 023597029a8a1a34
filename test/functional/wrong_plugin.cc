// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Placement plugins that are wrong in one way each, chosen by -DWRONG=...
#include "overlap_placement.h"

#include <algorithm>
#include <cstdio>
#include <stdexcept>

#define VERSION 1
#define INIT_FAILS 2
#define INIT_THROWS 3
#define PLACE_FAILS 4
#define PLACE_THROWS 5
#define NO_SUCH_RANK 6
#define LEFT_OUT 7
#define OVER_THE_LIMIT 8
#define NO_SYMBOL 9

namespace {

int Init(void **, char *error, std::size_t size) {
    if (WRONG == INIT_THROWS) {
        throw std::runtime_error("nothing to begin with");
    }
    std::snprintf(error, size, "no licence");
    return WRONG == INIT_FAILS ? 1 : 0;
}

int Place(void *, const overlap_placement_problem *problem, int *aggregators, char *error, std::size_t size) {
    if (WRONG == PLACE_THROWS) {
        throw std::runtime_error("nowhere to go");
    }
    if (WRONG != LEFT_OUT) {
        std::fill_n(aggregators, problem->domains, WRONG == NO_SUCH_RANK ? problem->ranks : 0);
    }
    std::snprintf(error, size, "no idea");
    return WRONG == PLACE_FAILS ? 1 : 0;
}

} // namespace

#if WRONG != NO_SYMBOL
extern "C" const overlap_plugin overlap_placement_plugin = {OVERLAP_PLACEMENT_ABI_VERSION + (WRONG == VERSION ? 1 : 0),
                                                            "wrong", Init, Place, nullptr};
#endif
