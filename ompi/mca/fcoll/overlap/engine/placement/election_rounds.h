// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// The rounds of TAPIOCA's election without its messages: which domains are open, and what a node bids for them.
//
// A round is one reduction of a bid for each open domain. In the first one a node bids for each domain with its cheapest
// rank, whatever that rank has been bid with already; in domain order, each domain gets its winner while the limits leave
// that rank room. In the later ones a node bids with different ranks for different domains while it has such with room, so
// that a round places all that a node wins, or fills the node. What is still open after kMostRounds, wanted by one full node
// after the other, goes without a message to the next rank with room behind its last winner.
#ifndef OVERLAP_ENGINE_PLACEMENT_ELECTION_ROUNDS_H
#define OVERLAP_ENGINE_PLACEMENT_ELECTION_ROUNDS_H

#include "placement.h"
#include "tapioca_cost.h"

#include <map>

namespace overlap {

/// What all ranks know, and work out alike. Nothing but the constructor allocates.
class ElectionRounds {
  public:
    static constexpr int kMostRounds = 8;

    /// Throws std::bad_alloc.
    ElectionRounds(const PlacementProblem &problem, int domains);

    /// Domains without an aggregator, ascending; the bids of a round are for these, in their order.
    const std::vector<int> &open() const { return open_; }
    /// Whether no rank with bytes in a domain has room left, so that any other may be its aggregator.
    bool OpenToAll(int domain) const { return open_to_all_[static_cast<std::size_t>(domain)] != 0; }
    bool first() const { return rounds_ == 0; }
    int rounds() const { return rounds_; }

    bool HasRoom(Rank rank) const { return account_.HasRoom(rank); }

    /// The same while bids of a node are made: as if all that were made before won.
    bool HasRoomForBid(Rank rank) const { return bids_account_.HasRoom(rank); }
    void TakeForBid(Rank rank);
    void ForgetBids();

    /// Ends a round; `elected`: the best bid for each open domain.
    void Settle(const overlap_bid *elected) noexcept;

    /// Of each domain once none is open; empty where the limits leave too few ranks.
    std::vector<Rank> TakeAggregators() { return std::move(aggregators_); }

  private:
    bool IsRank(Rank rank) const { return rank < problem_.ranks(); }
    Rank NextWithRoom(Rank rank) const;
    void Place(int domain, Rank rank);
    void PlaceTheRest();
    void GiveUp();

    const PlacementProblem &problem_;
    LimitAccount account_;
    LimitAccount bids_account_;
    std::vector<Rank> taken_for_bids_;
    std::vector<int> open_;
    std::vector<char> open_to_all_; // of each domain
    std::vector<Rank> aggregators_; // of each domain; of an open one its last winner
    int rounds_ = 0;
};

/// What the leader of a node knows: what its ranks have in each domain, and the columns, summed up by nodes, of the domains
/// whose home the node is.
class NodeBids {
  public:
    NodeBids(const PlacementProblem &problem, const Topology &topology, int node)
        : problem_(problem), topology_(topology), node_(node) {}

    static int HomeNode(int domain, int nodes) { return domain % nodes; }

    /// In any order of ranks. Throws std::bad_alloc.
    void AddShare(int domain, Rank rank, ByteCount bytes);
    /// After the last of them. Throws std::bad_alloc.
    void SortShares();
    /// Calls visit(domain, bytes, ranks) for each domain in which the node has bytes.
    template <typename Visit> void ForEachDomain(Visit visit) const {
        for (const auto &[number, domain] : domains_) {
            ByteCount bytes = 0;
            for (const RankBytes &entry : domain.by_rank) {
                bytes += entry.bytes;
            }
            visit(number, bytes, static_cast<int>(domain.by_rank.size()));
        }
    }

    /// As the home of a domain: what one of the nodes has there, in any order. Throws std::bad_alloc.
    void AddColumn(int domain, const NodeBytes &bytes) { columns_[domain].push_back(bytes); }
    void SortColumns();
    /// What the bytes of the others cost an aggregator on `node`, and its way to the storage.
    double CostFromOthers(int domain, int node) const;
    /// The same for this node, which has bytes in the domain, as the domain's home works it out.
    void SetCostFromOthers(int domain, double cost) { domains_.find(domain)->second.from_others = cost; }

    /// Calls visit(index in open(), bid) for each open domain that this node bids for. Allocates nothing.
    template <typename Visit> void ForEachBid(ElectionRounds &rounds, Visit visit) {
        const std::vector<int> &open = rounds.open();
        auto own = domains_.begin();
        for (std::size_t i = 0; i < open.size(); ++i) {
            while (own != domains_.end() && own->first < open[i]) {
                ++own;
            }
            const bool has_bytes = own != domains_.end() && own->first == open[i];
            const Bid bid = BidFor(rounds, open[i], has_bytes ? &own->second : nullptr);
            if (bid.rank < problem_.ranks()) {
                visit(i, bid);
            }
        }
        rounds.ForgetBids();
    }

  private:
    struct Domain {
        DomainBytes by_rank;        // of the node, ascending
        std::vector<Rank> by_bytes; // the same ranks, most bytes first
        std::size_t next = 0;       // those before it in by_bytes have no room left
        double from_others = 0;
    };

    Bid BidFor(ElectionRounds &rounds, int domain, Domain *own);
    Bid BestOf(const ElectionRounds &rounds, Domain &domain, bool of_those_without_bid) const;
    Bid BestOfAll(const ElectionRounds &rounds, int domain) const;
    const std::vector<NodeBytes> &ColumnOf(int domain) const;

    const PlacementProblem &problem_;
    const Topology &topology_;
    int node_;
    std::map<int, Domain> domains_;
    std::map<int, std::vector<NodeBytes>> columns_;
};

} // namespace overlap

#endif
