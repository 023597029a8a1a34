#include "placement.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace overlap {
namespace {

// Where one node holds all ranks no NIC limits an aggregator, only the core that copies for it: a second one still adds
// speed where another core is free (bench/RESULTS.md).
constexpr int kAggregatorsOfASingleNode = 2;

std::size_t NodeOf(const PlacementProblem &problem, Rank rank) {
    return static_cast<std::size_t>(problem.nodes.NodeOf(rank));
}

} // namespace

// Counts, then puts each rank in its place, where the nodes' begins count up to those of the next ones.
AllowedRanks::AllowedRanks(const PlacementProblem &problem) : begin(static_cast<std::size_t>(problem.nodes.nodes()) + 1, 0) {
    int allowed = 0;
    for (Rank rank = 0; rank < problem.ranks(); ++rank) {
        const int counts = problem.limits.Allows(rank) ? 1 : 0;
        begin[NodeOf(problem, rank)] += counts;
        allowed += counts;
    }
    ranks.resize(static_cast<std::size_t>(allowed));
    std::exclusive_scan(begin.begin(), begin.end(), begin.begin(), 0);
    for (Rank rank = 0; rank < problem.ranks(); ++rank) {
        if (problem.limits.Allows(rank)) {
            ranks[static_cast<std::size_t>(begin[NodeOf(problem, rank)]++)] = rank;
        }
    }
    std::copy_backward(begin.begin(), begin.end() - 1, begin.end());
    begin.front() = 0;
}

int AggregatorsOfNode(const PlacementLimits &limits, std::size_t node, std::size_t allowed_ranks) {
    int most = static_cast<int>(allowed_ranks);
    if (limits.aggregators_per_node > 0) {
        most = std::min(most, limits.aggregators_per_node);
    }
    return limits.of_node.empty() ? most : std::min(most, limits.of_node[node]);
}

// Where nothing tells the ranks apart it does not look at them.
int Capacity(const PlacementProblem &problem) {
    const PlacementLimits &limits = problem.limits;
    if (limits.allowed.empty() && limits.of_node.empty() && limits.aggregators_per_node == 0) {
        const ByteCount all = ByteCount{problem.ranks()} * limits.domains_per_rank;
        return static_cast<int>(std::min<ByteCount>(all, std::numeric_limits<int>::max()));
    }
    std::vector<int> allowed(static_cast<std::size_t>(problem.nodes.nodes()), 0);
    for (Rank rank = 0; rank < problem.ranks(); ++rank) {
        allowed[NodeOf(problem, rank)] += limits.Allows(rank) ? 1 : 0;
    }
    ByteCount capacity = 0;
    for (std::size_t node = 0; node < allowed.size(); ++node) {
        const int aggregators = AggregatorsOfNode(limits, node, static_cast<std::size_t>(allowed[node]));
        capacity += ByteCount{aggregators} * limits.domains_per_rank;
    }
    return static_cast<int>(std::min<ByteCount>(capacity, std::numeric_limits<int>::max()));
}

int UsualDomainLimit(const PlacementProblem &problem) {
    const int nodes = problem.nodes.nodes();
    const int chosen = nodes > 1 ? nodes : kAggregatorsOfASingleNode;
    return std::clamp(problem.requested > 0 ? problem.requested : chosen, 1, std::max(1, Capacity(problem)));
}

LimitAccount::LimitAccount(const PlacementProblem &problem)
    : problem_(problem), domains_(static_cast<std::size_t>(problem.ranks())),
      aggregators_(static_cast<std::size_t>(problem.nodes.nodes())) {}

bool LimitAccount::HasRoom(Rank rank) const {
    const PlacementLimits &limits = problem_.limits;
    const int taken = domains_[static_cast<std::size_t>(rank)];
    if (!limits.Allows(rank) || taken == limits.domains_per_rank) {
        return false;
    }
    const std::size_t node = NodeOf(problem_, rank);
    return taken > 0 || aggregators_[node] < AggregatorsOfNode(limits, node, domains_.size());
}

void LimitAccount::Take(Rank rank) {
    if (domains_[static_cast<std::size_t>(rank)]++ == 0) {
        ++aggregators_[NodeOf(problem_, rank)];
    }
}

void LimitAccount::GiveBack(Rank rank) {
    if (--domains_[static_cast<std::size_t>(rank)] == 0) {
        --aggregators_[NodeOf(problem_, rank)];
    }
}

} // namespace overlap
