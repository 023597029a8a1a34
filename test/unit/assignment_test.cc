// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// The assignment of domains to candidates, against all possible ones, and large ones against their own exchanges.
#include "placement/assignment.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <random>
#include <set>
#include <tuple>
#include <utility>

namespace overlap {
namespace {

using CostMatrix = std::vector<std::vector<double>>; // [domain][candidate]

CostMatrix RandomCosts(int domains, int candidates, const std::function<double()> &cost) {
    CostMatrix costs(static_cast<std::size_t>(domains), std::vector<double>(static_cast<std::size_t>(candidates)));
    for (std::vector<double> &row : costs) {
        std::generate(row.begin(), row.end(), cost);
    }
    return costs;
}

std::vector<int> AssignRows(const CostMatrix &costs, const AssignmentLimits &limits) {
    std::vector<double> flat;
    for (const std::vector<double> &row : costs) {
        flat.insert(flat.end(), row.begin(), row.end());
    }
    return Assign(flat, costs.size(), limits);
}

// One domain for each candidate.
AssignmentLimits OneEach(int candidates) {
    AssignmentLimits limits;
    limits.groups.assign(static_cast<std::size_t>(candidates), 0);
    limits.group_capacities = {candidates};
    return limits;
}

double CostOf(const CostMatrix &costs, const std::vector<int> &candidates) {
    double cost = 0;
    for (std::size_t domain = 0; domain < candidates.size(); ++domain) {
        cost += costs[domain][static_cast<std::size_t>(candidates[domain])];
    }
    return cost;
}

// Tries every assignment within the limits.
class BruteForce {
  public:
    BruteForce(const CostMatrix &costs, const AssignmentLimits &limits)
        : costs_(costs), limits_(limits), taken_(limits.groups.size()), group_taken_(limits.group_capacities.size()) {
        Try(0, 0);
    }

    double best() const { return best_; } // kNone where there is none

    static constexpr double kNone = std::numeric_limits<double>::infinity();

  private:
    void Try(std::size_t domain, double cost) {
        if (domain == costs_.size()) {
            best_ = std::min(best_, cost);
            return;
        }
        for (std::size_t candidate = 0; candidate < taken_.size(); ++candidate) {
            const auto group = static_cast<std::size_t>(limits_.groups[candidate]);
            if (taken_[candidate] == limits_.capacity || group_taken_[group] == limits_.group_capacities[group]) {
                continue;
            }
            ++taken_[candidate];
            ++group_taken_[group];
            Try(domain + 1, cost + costs_[domain][candidate]);
            --taken_[candidate];
            --group_taken_[group];
        }
    }

    const CostMatrix &costs_;
    const AssignmentLimits &limits_;
    std::vector<int> taken_;
    std::vector<int> group_taken_;
    double best_ = kNone;
};

// The answer keeps the limits, and no other assignment is cheaper.
void ExpectOptimal(const CostMatrix &costs, const AssignmentLimits &limits) {
    const double best = BruteForce(costs, limits).best();
    const std::vector<int> answer = AssignRows(costs, limits);
    const std::string what = testing::PrintToString(costs);
    ASSERT_EQ(answer.empty(), best == BruteForce::kNone) << what;
    if (answer.empty()) {
        return;
    }
    ASSERT_NEAR(CostOf(costs, answer), best, 1e-9 * std::max(1.0, std::abs(best))) << what;
    std::vector<int> taken(limits.groups.size());
    std::vector<int> of_group(limits.group_capacities.size());
    for (const int candidate : answer) {
        const auto group = static_cast<std::size_t>(limits.groups[static_cast<std::size_t>(candidate)]);
        ASSERT_LE(++taken[static_cast<std::size_t>(candidate)], limits.capacity);
        ASSERT_LE(++of_group[group], limits.group_capacities[group]);
    }
}

class AssignmentOfAllSizes : public testing::Test {
  protected:
    // Candidates may be fewer than domains, which has no answer.
    void CheckAllSizes(const std::function<double()> &cost) {
        for (int domains = 1; domains <= 7; ++domains) {
            for (int candidates = 1; candidates <= 7; ++candidates) {
                for (int i = 0; i < 5; ++i) {
                    ExpectOptimal(RandomCosts(domains, candidates, cost), OneEach(candidates));
                }
            }
        }
    }

    int Draw(int first, int last) { return std::uniform_int_distribution<int>(first, last)(random_); }
    double DrawReal() { return std::uniform_real_distribution<double>(-1, 1)(random_); }

    std::mt19937 random_{6};
};

TEST_F(AssignmentOfAllSizes, IsOptimalForIntegersRealsAndManyTies) {
    CheckAllSizes([&] { return Draw(0, 1000); });
    CheckAllSizes([&] { return DrawReal(); });
    CheckAllSizes([&] { return Draw(0, 2); });
}

TEST_F(AssignmentOfAllSizes, IsOptimalForCandidatesThatTakeSeveralAndGroupsWithALimitOfTheirOwn) {
    for (int i = 0; i < 1000; ++i) {
        AssignmentLimits limits;
        limits.capacity = Draw(1, 3);
        const int groups = Draw(1, 3);
        for (int candidate = Draw(1, 6); candidate > 0; --candidate) {
            limits.groups.push_back(Draw(0, groups - 1));
        }
        for (int group = 0; group < groups; ++group) {
            limits.group_capacities.push_back(Draw(0, 4));
        }
        const int largest = Draw(1, 20);
        ExpectOptimal(RandomCosts(Draw(1, 6), static_cast<int>(limits.groups.size()), [&] { return Draw(0, largest); }),
                      limits);
    }
}

// What domain i saves where it takes the candidate of domain j, or for j behind the last one the best of those that are
// free: the answer is optimal where no way round domains and free candidates saves anything (Bellman and Ford).
bool CanBeCheaper(const CostMatrix &costs, const std::vector<int> &answer) {
    const std::size_t domains = costs.size();
    std::vector<double> least(domains + 1, 0);
    bool changes = true;
    for (std::size_t round = 0; round <= domains + 1 && changes; ++round) {
        changes = false;
        for (std::size_t i = 0; i < domains; ++i) {
            std::vector<double> row = costs[i];
            const double own = row[static_cast<std::size_t>(answer[i])];
            std::vector<double> to(domains + 1);
            for (std::size_t j = 0; j < domains; ++j) {
                double &cost = row[static_cast<std::size_t>(answer[j])];
                to[j] = std::exchange(cost, std::numeric_limits<double>::infinity()) - own;
            }
            to[domains] = *std::min_element(row.begin(), row.end()) - own;
            for (std::size_t j = 0; j <= domains; ++j) {
                changes = changes || least[i] + to[j] < least[j];
                least[j] = std::min(least[j], least[i] + to[j]);
            }
            changes = changes || least[domains] < least[i];
            least[i] = std::min(least[i], least[domains]);
        }
    }
    return changes;
}

TEST_F(AssignmentOfAllSizes, OfLargeSquaresAndRectanglesCannotBeCheaper) {
    for (const auto &[domains, candidates, largest] :
         {std::tuple(60, 60, 5), std::tuple(60, 300, 1000000), std::tuple(200, 200, 1000000), std::tuple(100, 2000, 10)}) {
        CostMatrix costs = RandomCosts(domains, candidates, [&, most = largest] { return Draw(0, most); });
        std::vector<int> answer = AssignRows(costs, OneEach(candidates));
        ASSERT_EQ(answer.size(), costs.size());
        EXPECT_EQ(std::set<int>(answer.begin(), answer.end()).size(), costs.size());
        EXPECT_FALSE(CanBeCheaper(costs, answer)) << domains << " x " << candidates;
        costs[1][static_cast<std::size_t>(answer[0])] -= 3 * largest;
        costs[0][static_cast<std::size_t>(answer[1])] -= 3 * largest;
        EXPECT_TRUE(CanBeCheaper(costs, answer)) << "it would be found";
    }
}

TEST(Assignment, TakesTheLowestOfEqualCandidates) {
    EXPECT_EQ(AssignRows(CostMatrix(3, std::vector<double>(5, 7.0)), OneEach(5)), (std::vector<int>{0, 1, 2}));
}

} // namespace
} // namespace overlap
