// Aggregators spread over the nodes, so that every NIC and every node's memory takes its share.
#include "placement.h"

#include <algorithm>
#include <stdexcept>

namespace overlap {
namespace {

class SpreadPlacement final : public Placement {
  public:
    const char *name() const override { return "spread"; }

    int DomainLimit(const PlacementProblem &problem) const override { return UsualDomainLimit(problem); }

    // Neighbouring domains go to one node, and the aggregators of a node stand as far from each other as its ranks allow,
    // which with the usual mappings means different sockets.
    std::vector<Rank> Place(const PlacementProblem &problem, int domains) const override {
        if (domains > Capacity(problem)) {
            throw std::invalid_argument("the limits leave too few aggregators");
        }
        const std::vector<std::vector<Rank>> ranks = AllowedRanks(problem);
        const std::vector<std::size_t> quotas = Quotas(problem.limits, ranks, domains);
        std::vector<Rank> aggregators;
        for (std::size_t node = 0; node < ranks.size(); ++node) {
            const auto most = static_cast<std::size_t>(AggregatorsOfNode(problem.limits, node, ranks[node].size()));
            const std::size_t used = std::min(quotas[node], most);
            for (std::size_t i = 0; i < quotas[node]; ++i) {
                aggregators.push_back(ranks[node][(i * used / quotas[node]) * ranks[node].size() / used]);
            }
        }
        return aggregators;
    }

  private:
    // How many domains each node takes: equal numbers, as far as the nodes have the room. Where there are fewer domains
    // than nodes, the nodes taken are spread as well.
    static std::vector<std::size_t> Quotas(const PlacementLimits &limits, const std::vector<std::vector<Rank>> &ranks,
                                           int domains) {
        std::vector<std::size_t> quotas(ranks.size(), 0);
        const auto able = static_cast<std::size_t>(
            std::count_if(ranks.begin(), ranks.end(), [](const std::vector<Rank> &of_node) { return !of_node.empty(); }));
        auto left = static_cast<std::size_t>(domains);
        if (left < able) {
            std::size_t seen = 0;
            std::size_t taken = 0;
            for (std::size_t node = 0; node < ranks.size(); ++node) {
                if (!ranks[node].empty() && seen++ == taken * able / left && taken < left) {
                    quotas[node] = 1;
                    ++taken;
                }
            }
            return quotas;
        }
        while (left > 0) {
            for (std::size_t node = 0; node < ranks.size() && left > 0; ++node) {
                const int aggregators = AggregatorsOfNode(limits, node, ranks[node].size());
                if (quotas[node] <
                    static_cast<std::size_t>(aggregators) * static_cast<std::size_t>(limits.domains_per_rank)) {
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
