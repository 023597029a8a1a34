// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// For each domain the rank that would have its bytes soonest: Tessier, Vishwanath and Jeannot, TAPIOCA, section IV.B.
//   C1 = sum over ranks i but the aggregator A of (l d(i, A) + w(i, A) / B(i -> A))
//   C2 = l d(A, IO) + w(A, IO) / B(A -> IO), 0 where the place of the storage is not known
// The domains choose one after the other, so that what one has taken is not there for the next.
#include "placement.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace overlap {
namespace {

// The least one is the cheapest, of equal costs the lowest rank, as MPI_MINLOC has it.
using Bid = std::pair<double, Rank>;

class Choice {
  public:
    explicit Choice(const PlacementProblem &problem)
        : problem_(problem), topology_(*problem.topology), account_(problem),
          nodes_(static_cast<std::size_t>(topology_.nodes())), costs_of_nodes_(CostsBetweenNodes()), of_node_(nodes_) {}

    // Takes the cheapest rank that has bytes in the domain; with `others` the cheapest of all, of each node only the lowest
    // that has room left. -1 where there is none.
    Rank Take(std::size_t domain, bool others) {
        for (DomainBytes &ranks : of_node_) {
            ranks.clear();
        }
        for (const RankBytes &entry : (*problem_.matrix)[domain]) {
            of_node_[static_cast<std::size_t>(topology_.NodeOf(entry.rank))].push_back(entry);
        }
        Bid best(std::numeric_limits<double>::infinity(), -1);
        for (int node = 0; node < problem_.nodes.nodes(); ++node) {
            const double from_others = costs_of_nodes_[domain * nodes_ + static_cast<std::size_t>(node)];
            if (from_others > best.first) {
                continue;
            }
            const DomainBytes &ranks = of_node_[static_cast<std::size_t>(node)];
            for (const RankBytes &candidate : others ? LowestOf(node) : CandidatesOf(ranks)) {
                best = std::min(best, Bid(from_others + CostInNode(ranks, candidate.rank), candidate.rank));
            }
        }
        if (best.second >= 0) {
            account_.Take(best.second);
        }
        return best.second;
    }

  private:
    // C1 of the ranks on other nodes, and C2: a row of all nodes for each domain.
    std::vector<double> CostsBetweenNodes() const {
        const Network &network = topology_.network();
        std::vector<double> costs = CostsOfNodes(*problem_.matrix, topology_, [&](const NodeBytes &sum) {
            return WayCost{sum.ranks * network.latency(), static_cast<double>(sum.bytes)};
        });
        std::vector<double> bytes; // of each domain
        for (const DomainBytes &column : *problem_.matrix) {
            const auto add = [](ByteCount sum, const RankBytes &entry) { return sum + entry.bytes; };
            bytes.push_back(static_cast<double>(std::accumulate(column.begin(), column.end(), ByteCount{0}, add)));
        }
        for (std::size_t node = 0; node < nodes_; ++node) {
            const std::optional<double> hops = network.HopsToStorage(static_cast<int>(node));
            for (std::size_t domain = 0; hops.has_value() && domain < bytes.size(); ++domain) {
                costs[domain * nodes_ + node] +=
                    network.latency() * *hops + bytes[domain] / network.Bandwidth(static_cast<int>(std::ceil(*hops)));
            }
        }
        return costs;
    }

    // C1 of the candidate's own node.
    double CostInNode(const DomainBytes &ranks, Rank candidate) const {
        double cost = 0;
        for (const RankBytes &entry : ranks) {
            if (entry.rank != candidate) {
                cost += topology_.network().latency() * topology_.DistanceInNode(entry.rank, candidate) +
                        static_cast<double>(entry.bytes) / kMemoryBandwidth;
            }
        }
        return cost;
    }

    // Those of a node with the most bytes that have room left, of equals the lowest.
    DomainBytes CandidatesOf(const DomainBytes &ranks) const {
        DomainBytes candidates;
        std::copy_if(ranks.begin(), ranks.end(), std::back_inserter(candidates),
                     [&](const RankBytes &entry) { return account_.HasRoom(entry.rank); });
        std::stable_sort(candidates.begin(), candidates.end(),
                         [](const RankBytes &a, const RankBytes &b) { return a.bytes > b.bytes; });
        const auto most = static_cast<std::size_t>(problem_.limits.candidates_per_node);
        candidates.resize(most == 0 ? candidates.size() : std::min(candidates.size(), most));
        return candidates;
    }

    DomainBytes LowestOf(int node) const {
        for (int i = 0; i < problem_.AllowedOn(node); ++i) {
            if (account_.HasRoom(problem_.AllowedRank(node, i))) {
                return {RankBytes{problem_.AllowedRank(node, i), 0}};
            }
        }
        return {};
    }

    const PlacementProblem &problem_;
    const Topology &topology_;
    LimitAccount account_;
    const std::size_t nodes_;
    const std::vector<double> costs_of_nodes_;
    std::vector<DomainBytes> of_node_; // the domain's bytes
};

} // namespace

std::vector<Rank> PlaceByTapioca(const PlacementProblem &problem, int domains) {
    Choice choice(problem);
    std::vector<Rank> aggregators(static_cast<std::size_t>(domains), -1);
    for (std::size_t domain = 0; domain < aggregators.size(); ++domain) {
        aggregators[domain] = choice.Take(domain, false);
    }
    for (std::size_t domain = 0; domain < aggregators.size(); ++domain) {
        if (aggregators[domain] < 0) {
            aggregators[domain] = choice.Take(domain, true);
        }
        if (aggregators[domain] < 0) {
            throw std::invalid_argument("the limits leave too few aggregators");
        }
    }
    return aggregators;
}

} // namespace overlap
