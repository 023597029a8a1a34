// The assignment of domains to candidates, against all possible ones.
#include "assignment_cases.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace overlap {
namespace {

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
    ASSERT_EQ(answer.empty(), best == BruteForce::kNone) << Print(costs);
    if (answer.empty()) {
        return;
    }
    ASSERT_NEAR(CostOf(costs, answer), best, 1e-9 * std::max(1.0, std::abs(best))) << Print(costs);
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

TEST(Assignment, TakesTheLowestOfEqualCandidates) {
    EXPECT_EQ(AssignRows(CostMatrix(3, std::vector<double>(5, 7.0)), OneEach(5)), (std::vector<int>{0, 1, 2}));
}

} // namespace
} // namespace overlap
