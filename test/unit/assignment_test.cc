// The assignment of domains to candidates, against all possible ones.
#include "assignment_cases.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace overlap {
namespace {

// Tries every assignment within the limits.
class BruteForce {
  public:
    BruteForce(const CostMatrix &costs, const AssignmentLimits &limits)
        : costs_(costs), limits_(limits), taken_(static_cast<std::size_t>(limits.candidates)),
          group_taken_(limits.group_capacities.size()) {
        Try(0, 0);
    }

    double best() const { return best_; } // kForbidden where there is none

  private:
    void Try(std::size_t domain, double cost) {
        if (domain == costs_.size()) {
            best_ = std::min(best_, cost);
            return;
        }
        for (std::size_t candidate = 0; candidate < taken_.size(); ++candidate) {
            if (costs_[domain][candidate] == kForbidden || taken_[candidate] == Capacity(candidate) ||
                GroupFull(candidate)) {
                continue;
            }
            Count(candidate, 1);
            Try(domain + 1, cost + costs_[domain][candidate]);
            Count(candidate, -1);
        }
    }

    int Capacity(std::size_t candidate) const { return limits_.capacities.empty() ? 1 : limits_.capacities[candidate]; }
    std::size_t Group(std::size_t candidate) const { return static_cast<std::size_t>(limits_.groups[candidate]); }
    bool GroupFull(std::size_t candidate) const {
        return !limits_.groups.empty() && group_taken_[Group(candidate)] == limits_.group_capacities[Group(candidate)];
    }
    void Count(std::size_t candidate, int change) {
        taken_[candidate] += change;
        if (!limits_.groups.empty()) {
            group_taken_[Group(candidate)] += change;
        }
    }

    const CostMatrix &costs_;
    const AssignmentLimits &limits_;
    std::vector<int> taken_;
    std::vector<int> group_taken_;
    double best_ = kForbidden;
};

// The answer keeps the limits, its cost is the sum of its pairs, and no other assignment is cheaper.
void ExpectOptimal(const CostMatrix &costs, const AssignmentLimits &limits) {
    const double best = BruteForce(costs, limits).best();
    for (const Assignment &answer : {AssignDense(costs, limits), AssignSparse(costs, limits)}) {
        ASSERT_EQ(answer.feasible(), best != kForbidden) << Print(costs);
        if (!answer.feasible()) {
            ASSERT_TRUE(answer.candidates.empty());
            continue;
        }
        ASSERT_NEAR(answer.cost, best, 1e-9 * std::max(1.0, std::abs(best))) << Print(costs);
        double sum = 0;
        std::vector<int> taken(static_cast<std::size_t>(limits.candidates));
        std::vector<int> of_group(limits.group_capacities.size());
        for (std::size_t domain = 0; domain < costs.size(); ++domain) {
            const auto candidate = static_cast<std::size_t>(answer.candidates[domain]);
            sum += costs[domain][candidate];
            ASSERT_LE(++taken[candidate], limits.capacities.empty() ? 1 : limits.capacities[candidate]);
            if (!limits.groups.empty()) {
                const auto group = static_cast<std::size_t>(limits.groups[candidate]);
                ASSERT_LE(++of_group[group], limits.group_capacities[group]);
            }
        }
        ASSERT_NEAR(answer.cost, sum, 1e-9 * std::max(1.0, std::abs(sum)));
    }
}

class AssignmentOfAllSizes : public testing::Test {
  protected:
    // Candidates may be fewer than domains, which has no answer.
    void CheckAllSizes(const std::function<double()> &cost, int repetitions) {
        for (int domains = 1; domains <= 7; ++domains) {
            for (int candidates = 1; candidates <= 7; ++candidates) {
                for (int i = 0; i < repetitions; ++i) {
                    AssignmentLimits limits;
                    limits.candidates = candidates;
                    ExpectOptimal(RandomCosts(domains, candidates, cost), limits);
                }
            }
        }
    }

    int Draw(int first, int last) { return std::uniform_int_distribution<int>(first, last)(random_); }
    double DrawReal() { return std::uniform_real_distribution<double>(-1, 1)(random_); }

    std::mt19937 random_{6};
};

TEST_F(AssignmentOfAllSizes, IsOptimalForIntegerCosts) {
    CheckAllSizes([&] { return Draw(0, 1000); }, 5);
}

TEST_F(AssignmentOfAllSizes, IsOptimalForRealCosts) {
    CheckAllSizes([&] { return DrawReal(); }, 5);
}

TEST_F(AssignmentOfAllSizes, IsOptimalForManyTies) {
    CheckAllSizes([&] { return Draw(0, 2); }, 5);
}

TEST_F(AssignmentOfAllSizes, IsOptimalAroundForbiddenPairs) {
    CheckAllSizes([&] { return Draw(0, 2) == 0 ? Draw(0, 9) : kForbidden; }, 5);
    CheckAllSizes([&] { return Draw(0, 3) == 0 ? kForbidden : DrawReal(); }, 3);
}

TEST_F(AssignmentOfAllSizes, IsOptimalForCandidatesThatTakeSeveral) {
    for (int i = 0; i < 300; ++i) {
        AssignmentLimits limits;
        limits.candidates = Draw(1, 5);
        for (int candidate = 0; candidate < limits.candidates; ++candidate) {
            limits.capacities.push_back(Draw(0, 3));
        }
        const CostMatrix costs =
            RandomCosts(Draw(1, 6), limits.candidates, [&] { return Draw(0, 4) == 0 ? kForbidden : Draw(0, 20); });
        ExpectOptimal(costs, limits);
    }
}

TEST_F(AssignmentOfAllSizes, IsOptimalForGroupsWithALimitOfTheirOwn) {
    for (int i = 0; i < 500; ++i) {
        AssignmentLimits limits;
        limits.candidates = Draw(1, 6);
        const int groups = Draw(1, 3);
        for (int candidate = 0; candidate < limits.candidates; ++candidate) {
            limits.capacities.push_back(Draw(0, 2));
            limits.groups.push_back(Draw(0, groups - 1));
        }
        for (int group = 0; group < groups; ++group) {
            limits.group_capacities.push_back(Draw(0, 4));
        }
        const CostMatrix costs =
            RandomCosts(Draw(1, 6), limits.candidates, [&] { return Draw(0, 9) == 0 ? kForbidden : Draw(0, 20); });
        ExpectOptimal(costs, limits);
    }
}

TEST(Assignment, TakesTheLowestOfEqualCandidates) {
    AssignmentLimits limits;
    limits.candidates = 5;

    EXPECT_EQ(AssignDense(CostMatrix(3, std::vector<double>(5, 7.0)), limits).candidates, (std::vector<int>{0, 1, 2}));
}

TEST(Assignment, GivesEqualInputEqualOutput) {
    std::mt19937 random(1);
    const CostMatrix costs = RandomCosts(20, 30, [&] { return static_cast<double>(random() % 3); });
    AssignmentLimits limits;
    limits.candidates = 30;

    EXPECT_EQ(AssignDense(costs, limits).candidates, AssignDense(costs, limits).candidates);
}

TEST(Assignment, OfNothingIsEmptyAndFree) {
    const Assignment answer = Assign({}, AssignmentLimits{});

    EXPECT_TRUE(answer.feasible());
    EXPECT_EQ(answer.cost, 0);
}

TEST(Assignment, NamesADomainThatNoCandidateIsLeftFor) {
    AssignmentLimits limits;
    limits.candidates = 3;

    EXPECT_EQ(AssignDense({{1, kForbidden, 2}, {3, kForbidden, 4}, {5, kForbidden, 6}}, limits).stuck, 2);
    EXPECT_EQ(AssignDense({{kForbidden, kForbidden, kForbidden}}, limits).stuck, 0);
}

} // namespace
} // namespace overlap
