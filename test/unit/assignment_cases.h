// Cost matrices for the tests of the assignment.
#ifndef OVERLAP_TEST_UNIT_ASSIGNMENT_CASES_H
#define OVERLAP_TEST_UNIT_ASSIGNMENT_CASES_H

#include "placement/assignment.h"

#include <functional>
#include <random>
#include <string>

namespace overlap {

/// costs[domain][candidate]
using CostMatrix = std::vector<std::vector<double>>;

inline CostMatrix RandomCosts(int domains, int candidates, const std::function<double()> &cost) {
    CostMatrix costs(static_cast<std::size_t>(domains), std::vector<double>(static_cast<std::size_t>(candidates)));
    for (std::vector<double> &row : costs) {
        for (double &value : row) {
            value = cost();
        }
    }
    return costs;
}

inline std::vector<int> AssignRows(const CostMatrix &costs, const AssignmentLimits &limits) {
    std::vector<double> flat;
    for (const std::vector<double> &row : costs) {
        flat.insert(flat.end(), row.begin(), row.end());
    }
    return Assign(flat, costs.size(), limits);
}

/// One domain for each candidate.
inline AssignmentLimits OneEach(int candidates) {
    AssignmentLimits limits;
    limits.groups.assign(static_cast<std::size_t>(candidates), 0);
    limits.group_capacities = {candidates};
    return limits;
}

inline double CostOf(const CostMatrix &costs, const std::vector<int> &candidates) {
    double cost = 0;
    for (std::size_t domain = 0; domain < candidates.size(); ++domain) {
        cost += costs[domain][static_cast<std::size_t>(candidates[domain])];
    }
    return cost;
}

/// For messages of failed tests.
inline std::string Print(const CostMatrix &costs) {
    std::string text;
    for (const std::vector<double> &row : costs) {
        for (const double cost : row) {
            text += std::to_string(cost) + " ";
        }
        text += "\n";
    }
    return text;
}

} // namespace overlap

#endif
