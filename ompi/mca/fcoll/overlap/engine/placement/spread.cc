// Aggregators spread over the nodes, so that every NIC and every node's memory takes its share.
#include "placement.h"

#include <algorithm>

namespace overlap {
namespace {

// Where one node holds all ranks no NIC limits an aggregator, only the core that copies for it: a second one still adds
// speed where another core is free (bench/RESULTS.md).
constexpr int kAggregatorsOfASingleNode = 2;

int NodeCount(const PlacementProblem &problem) {
    return 1 + *std::max_element(problem.node_of_rank, problem.node_of_rank + problem.ranks);
}

class SpreadPlacement final : public Placement {
  public:
    const char *name() const override { return "spread"; }

    int DomainLimit(const PlacementProblem &problem) const override {
        const int nodes = NodeCount(problem);
        const int chosen = nodes > 1 ? nodes : kAggregatorsOfASingleNode;
        return std::clamp(problem.requested > 0 ? problem.requested : chosen, 1, problem.ranks);
    }

    // Neighbouring domains go to one node, and the aggregators of a node stand as far from each other as its ranks allow,
    // which with the usual mappings means different sockets.
    std::vector<Rank> Place(const PlacementProblem &problem, int domains) const override {
        const int nodes = NodeCount(problem);
        std::vector<std::vector<Rank>> ranks(static_cast<std::size_t>(nodes));
        for (Rank rank = 0; rank < problem.ranks; ++rank) {
            ranks[static_cast<std::size_t>(problem.node_of_rank[rank])].push_back(rank);
        }
        const std::vector<std::size_t> quotas = Quotas(ranks, domains);
        std::vector<Rank> aggregators;
        for (std::size_t node = 0; node < ranks.size(); ++node) {
            for (std::size_t i = 0; i < quotas[node]; ++i) {
                aggregators.push_back(ranks[node][i * ranks[node].size() / quotas[node]]);
            }
        }
        return aggregators;
    }

  private:
    // How many aggregators each node gives: equal numbers, as far as the nodes have the ranks. Where there are fewer domains
    // than nodes, the nodes taken are spread as well.
    static std::vector<std::size_t> Quotas(const std::vector<std::vector<Rank>> &ranks, int domains) {
        const std::size_t nodes = ranks.size();
        std::size_t left = static_cast<std::size_t>(domains);
        std::vector<std::size_t> quotas(nodes, 0);
        if (left < nodes) {
            for (std::size_t i = 0; i < left; ++i) {
                quotas[i * nodes / left] = 1;
            }
            return quotas;
        }
        while (left > 0) {
            for (std::size_t node = 0; node < nodes && left > 0; ++node) {
                if (quotas[node] < ranks[node].size()) {
                    ++quotas[node];
                    --left;
                }
            }
        }
        return quotas;
    }
};

} // namespace

std::unique_ptr<Placement> MakeSpreadPlacement() { return std::make_unique<SpreadPlacement>(); }

} // namespace overlap
