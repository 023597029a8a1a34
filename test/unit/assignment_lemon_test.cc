// The assignment against LEMON's network simplex, on sizes that brute force cannot do.

// gcc reports what it inlines of LEMON (copies of nodes without a value yet), although that is a system header.
#if defined(__GNUC__) && !defined(__clang__)
#    pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif

#include "assignment_cases.h"

#include <gtest/gtest.h>
#include <lemon/network_simplex.h>
#include <lemon/smart_graph.h>

namespace overlap {
namespace {

// The smallest sum as a flow of one unit from each domain to a candidate; -1 where there is none.
long long LemonCost(const CostMatrix &costs) {
    lemon::SmartDigraph graph;
    std::vector<lemon::SmartDigraph::Node> domains;
    std::vector<lemon::SmartDigraph::Node> candidates;
    for (std::size_t i = 0; i < costs.size(); ++i) {
        domains.push_back(graph.addNode());
    }
    for (std::size_t i = 0; i < costs[0].size(); ++i) {
        candidates.push_back(graph.addNode());
    }
    lemon::SmartDigraph::ArcMap<long long> cost(graph);
    for (std::size_t i = 0; i < domains.size(); ++i) {
        for (std::size_t j = 0; j < candidates.size(); ++j) {
            cost[graph.addArc(domains[i], candidates[j])] = static_cast<long long>(costs[i][j]);
        }
    }
    // A candidate may take one unit at most: its supply is between -1 and 0, which GEQ with a negative bound says.
    lemon::SmartDigraph::NodeMap<long long> supply(graph, 0);
    for (const auto node : domains) {
        supply[node] = 1;
    }
    for (const auto node : candidates) {
        supply[node] = -1;
    }
    lemon::NetworkSimplex<lemon::SmartDigraph, long long, long long> simplex(graph);
    simplex.supplyType(decltype(simplex)::GEQ).costMap(cost).supplyMap(supply);
    return simplex.run() == decltype(simplex)::OPTIMAL ? simplex.totalCost() : -1;
}

class AssignmentAgainstLemon : public testing::Test {
  protected:
    void Check(int domains, int candidates, int largest) {
        const CostMatrix costs = RandomCosts(
            domains, candidates, [&] { return static_cast<double>(random_() % static_cast<unsigned>(largest)); });

        const std::vector<int> answer = AssignRows(costs, OneEach(candidates));

        ASSERT_EQ(answer.size(), costs.size());
        ASSERT_EQ(static_cast<long long>(CostOf(costs, answer)), LemonCost(costs)) << domains << " x " << candidates;
    }

    std::mt19937 random_{7};
};

TEST_F(AssignmentAgainstLemon, AgreesOnTheCostOfRandomRectangles) {
    for (int i = 0; i < 40; ++i) {
        const int domains = 1 + static_cast<int>(random_() % 60);
        Check(domains, domains + static_cast<int>(random_() % 300), i % 2 == 0 ? 1000000 : 5);
    }
}

TEST_F(AssignmentAgainstLemon, AgreesOnLargeSquaresAndRectangles) {
    for (const int candidates : {300, 3000}) {
        Check(300, candidates, 1000000);
        Check(300, candidates, 10);
    }
}

} // namespace
} // namespace overlap
