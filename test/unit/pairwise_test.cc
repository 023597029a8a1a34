// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// The choice of combinations that the tests under mpirun make.
#include "functional/pairwise.h"

#include <gtest/gtest.h>

#include <set>
#include <utility>

namespace {

// The sizes that the tests have, and corners.
const std::vector<std::vector<int>> kSizes = {
    {4, 6, 3, 3, 4, 15, 3, 3}, {4, 6, 3, 2}, {72, 4, 3}, {2, 2}, {1, 5, 1}, {7, 7, 7}};

TEST(Pairwise, EveryTwoValuesMeet) {
    for (const std::vector<int> &sizes : kSizes) {
        const std::vector<Combination> rows = PairwiseCover(sizes);
        for (std::size_t a = 0; a < sizes.size(); ++a) {
            for (std::size_t b = a + 1; b < sizes.size(); ++b) {
                std::set<std::pair<int, int>> met;
                for (const Combination &row : rows) {
                    ASSERT_EQ(row.size(), sizes.size());
                    ASSERT_TRUE(row[a] >= 0 && row[a] < sizes[a] && row[b] >= 0 && row[b] < sizes[b]);
                    met.emplace(row[a], row[b]);
                }
                EXPECT_EQ(met.size(), static_cast<std::size_t>(sizes[a] * sizes[b])) << "factors " << a << " and " << b;
            }
        }
    }
}

TEST(Pairwise, ItTakesLittleMoreThanTheTwoLargestFactors) {
    EXPECT_LE(PairwiseCover({4, 6, 3, 3, 4, 15, 3, 3}).size(), 100U);
    EXPECT_LE(PairwiseCover({4, 6, 3, 2}).size(), 28U);
    EXPECT_EQ(PairwiseCover({1, 5, 1}).size(), 5U);
}

} // namespace
