// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Which combinations of settings a test tries where all of them are too many.
#ifndef TEST_FUNCTIONAL_PAIRWISE_H
#define TEST_FUNCTIONAL_PAIRWISE_H

#include <cstddef>
#include <vector>

/// One value of each factor, counted from 0.
using Combination = std::vector<int>;

/// Combinations in which every two values of different factors meet at least once; `sizes` says how many values each factor
/// has. Greedy, so not always the fewest; the same sizes give the same list everywhere.
std::vector<Combination> PairwiseCover(const std::vector<int> &sizes);

/// As few combinations as have every value of each factor.
std::vector<Combination> EachValue(const std::vector<int> &sizes);

/// Every combination.
std::vector<Combination> FullProduct(const std::vector<int> &sizes);

#endif
