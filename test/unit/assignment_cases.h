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

inline Assignment AssignDense(const CostMatrix &costs, const AssignmentLimits &limits) {
    std::vector<CostRow> rows;
    for (const std::vector<double> &row : costs) {
        rows.push_back(CostRow{row.data(), nullptr, row.size()});
    }
    return Assign(rows, limits);
}

/// As AssignDense, with the forbidden pairs left out of the rows.
inline Assignment AssignSparse(const CostMatrix &costs, const AssignmentLimits &limits) {
    std::vector<std::vector<double>> values(costs.size());
    std::vector<std::vector<int>> candidates(costs.size());
    std::vector<CostRow> rows;
    for (std::size_t domain = 0; domain < costs.size(); ++domain) {
        for (std::size_t candidate = 0; candidate < costs[domain].size(); ++candidate) {
            if (costs[domain][candidate] != kForbidden) {
                values[domain].push_back(costs[domain][candidate]);
                candidates[domain].push_back(static_cast<int>(candidate));
            }
        }
        rows.push_back(CostRow{values[domain].data(), candidates[domain].data(), values[domain].size()});
    }
    return Assign(rows, limits);
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
