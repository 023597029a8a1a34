// The aggregator of each domain by election (tapioca_cost.h). All domains are up for election at once, in one reduction of a
// bid for each. Where that elects a rank that the limits no longer leave, having won an earlier domain, the domain waits for
// the next reduction, in which the ranks without room bid no more.
#include "placement.h"
#include "tapioca_cost.h"

#include <algorithm>
#include <stdexcept>

namespace overlap {
namespace {

// The bids for one domain, best first. Ranks without bytes there bid only when none of the others is left.
class Election {
  public:
    Election(const PlacementProblem &problem, const DomainBytes &column)
        : topology_(*problem.topology), domain_(column, topology_) {
        for (const RankBytes &entry : column) {
            AddBid(entry.rank);
        }
        std::sort(bids_.begin(), bids_.end(), [](const Bid &a, const Bid &b) { return a.Beats(b); });
    }

    // What the reduction answers while these ranks have room.
    Bid Winner(const LimitAccount &account, int ranks) {
        for (;;) {
            while (next_ < bids_.size() && !account.HasRoom(bids_[next_].rank)) {
                ++next_;
            }
            if (next_ < bids_.size() || open_to_all_) {
                return next_ < bids_.size() ? bids_[next_] : Bid();
            }
            open_to_all_ = true;
            for (Rank rank = 0; rank < ranks; ++rank) {
                if (account.HasRoom(rank)) {
                    AddBid(rank);
                }
            }
            std::sort(bids_.begin() + static_cast<std::ptrdiff_t>(next_), bids_.end(),
                      [](const Bid &a, const Bid &b) { return a.Beats(b); });
        }
    }

  private:
    void AddBid(Rank rank) { bids_.push_back(Bid{TapiocaCost(domain_, topology_, rank), rank}); }

    const Topology &topology_;
    DomainView domain_;
    std::vector<Bid> bids_;
    std::size_t next_ = 0; // those before it have no room, and never get it back
    bool open_to_all_ = false;
};

class TapiocaPlacement final : public Placement {
  public:
    const char *name() const override { return "tapioca"; }

    int DomainLimit(const PlacementProblem &problem) const override { return UsualDomainLimit(problem); }

    std::vector<Rank> Place(const PlacementProblem &problem, int domains) const override {
        std::vector<Election> elections;
        std::vector<std::size_t> open;
        open.reserve(static_cast<std::size_t>(domains));
        for (std::size_t domain = 0; domain < static_cast<std::size_t>(domains); ++domain) {
            elections.emplace_back(problem, (*problem.matrix)[domain]);
            open.push_back(domain);
        }
        LimitAccount account(problem);
        std::vector<Rank> aggregators(elections.size());
        while (!open.empty()) {
            std::vector<Bid> winners; // one reduction
            winners.reserve(open.size());
            for (const std::size_t domain : open) {
                winners.push_back(elections[domain].Winner(account, problem.ranks));
            }
            std::vector<std::size_t> left;
            for (std::size_t i = 0; i < open.size(); ++i) {
                const Bid &winner = winners[i];
                if (winner.rank >= problem.ranks) {
                    throw std::invalid_argument("the limits leave too few aggregators");
                }
                if (account.HasRoom(winner.rank)) {
                    account.Take(winner.rank);
                    aggregators[open[i]] = winner.rank;
                } else {
                    left.push_back(open[i]);
                }
            }
            open = std::move(left);
        }
        return aggregators;
    }
};

} // namespace

std::unique_ptr<Placement> MakeTapiocaPlacement() { return std::make_unique<TapiocaPlacement>(); }

} // namespace overlap
