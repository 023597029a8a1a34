#include "whole_matrix.h"

#include "placement/election_rounds.h"
#include "placement/usual_number.h"

#include <stdexcept>

namespace placement {
namespace {

using overlap::NodeBids;

std::vector<NodeBids> BiddersOf(const overlap::PlacementProblem &problem, int domains) {
    const overlap::Topology &topology = *problem.topology;
    std::vector<NodeBids> nodes;
    for (int node = 0; node < topology.nodes(); ++node) {
        nodes.emplace_back(problem, topology, node);
    }
    for (int domain = 0; domain < domains; ++domain) {
        const overlap::DomainBytes &column = (*problem.matrix)[static_cast<std::size_t>(domain)];
        for (const overlap::RankBytes &entry : column) {
            nodes[static_cast<std::size_t>(topology.NodeOf(entry.rank))].AddShare(domain, entry.rank, entry.bytes);
        }
        NodeBids &home = nodes[static_cast<std::size_t>(NodeBids::HomeNode(domain, topology.nodes()))];
        for (const overlap::NodeBytes &sum : SumByNode(column, topology)) {
            home.AddColumn(domain, sum);
        }
        for (const overlap::NodeBytes &sum : SumByNode(column, topology)) {
            nodes[static_cast<std::size_t>(sum.node)].SetCostFromOthers(domain, home.CostFromOthers(domain, sum.node));
        }
    }
    for (NodeBids &node : nodes) {
        node.SortShares();
    }
    return nodes;
}

class TapiocaPlacement final : public overlap::Placement {
  public:
    const char *name() const override { return "tapioca"; }

    int DomainLimit(const overlap::PlacementProblem &problem) const override { return UsualDomainLimit(problem); }

    std::vector<overlap::Rank> Place(const overlap::PlacementProblem &problem, int domains) const override {
        return ElectWithWholeMatrix(problem, domains);
    }
};

} // namespace

std::vector<overlap::Rank> ElectWithWholeMatrix(const overlap::PlacementProblem &problem, int domains, int *rounds) {
    std::vector<NodeBids> nodes = BiddersOf(problem, domains);
    overlap::ElectionRounds election(problem, domains);
    std::vector<overlap_bid> best;
    while (!election.open().empty()) {
        const overlap::Bid nobody;
        best.assign(election.open().size(), overlap_bid{nobody.cost, nobody.rank});
        for (NodeBids &node : nodes) {
            node.ForEachBid(election, [&](std::size_t i, const overlap::Bid &bid) {
                if (bid.Beats(overlap::Bid{best[i].cost, best[i].rank})) {
                    best[i] = overlap_bid{bid.cost, bid.rank};
                }
            });
        }
        election.Settle(best.data());
    }
    if (rounds != nullptr) {
        *rounds = election.rounds();
    }
    std::vector<overlap::Rank> aggregators = election.TakeAggregators();
    if (aggregators.empty() && domains > 0) {
        throw std::invalid_argument("the limits leave too few aggregators");
    }
    return aggregators;
}

std::unique_ptr<overlap::Placement> MakeTapiocaPlacement() { return std::make_unique<TapiocaPlacement>(); }

} // namespace placement
