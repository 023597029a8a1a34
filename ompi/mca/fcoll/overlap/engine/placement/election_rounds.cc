// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "election_rounds.h"

#include <algorithm>

namespace overlap {
namespace {

// The lowest rank of a node, that of nobody's bid where none has room.
Rank FirstWithRoomForBid(const ElectionRounds &rounds, const NodeMap &nodes, int node) {
    for (int i = 0; i < nodes.CountOf(node); ++i) {
        const Rank rank = nodes.RankOf(node, i);
        if (rounds.HasRoomForBid(rank)) {
            return rank;
        }
    }
    return Bid().rank;
}

} // namespace

ElectionRounds::ElectionRounds(const PlacementProblem &problem, int domains)
    : problem_(problem), account_(problem, static_cast<std::size_t>(domains)),
      bids_account_(problem, static_cast<std::size_t>(domains)), open_(static_cast<std::size_t>(domains)),
      open_to_all_(open_.size(), 0), aggregators_(open_.size(), 0) {
    taken_for_bids_.reserve(open_.size());
    for (int domain = 0; domain < domains; ++domain) {
        open_[static_cast<std::size_t>(domain)] = domain;
    }
}

void ElectionRounds::TakeForBid(Rank rank) {
    bids_account_.Take(rank);
    taken_for_bids_.push_back(rank);
}

void ElectionRounds::ForgetBids() {
    for (const Rank rank : taken_for_bids_) {
        bids_account_.GiveBack(rank);
    }
    taken_for_bids_.clear();
}

void ElectionRounds::Place(int domain, Rank rank) {
    account_.Take(rank);
    bids_account_.Take(rank);
    aggregators_[static_cast<std::size_t>(domain)] = rank;
}

void ElectionRounds::Settle(const overlap_bid *elected) noexcept {
    std::size_t left = 0;
    for (std::size_t i = 0; i < open_.size(); ++i) {
        const int domain = open_[i];
        const Rank winner = elected[i].rank;
        if (IsRank(winner) && HasRoom(winner)) {
            Place(domain, winner);
            continue;
        }
        if (IsRank(winner)) {
            aggregators_[static_cast<std::size_t>(domain)] = winner;
        } else {
            open_to_all_[static_cast<std::size_t>(domain)] = 1;
        }
        open_[left++] = domain;
    }
    open_.resize(left);
    ++rounds_;
    if (left > 0 && rounds_ >= kMostRounds) {
        PlaceTheRest();
    } else if (left > 0 && !IsRank(NextWithRoom(0))) {
        GiveUp();
    }
}

// `rank` itself included, round the end.
Rank ElectionRounds::NextWithRoom(Rank rank) const {
    for (int i = 0; i < problem_.ranks(); ++i) {
        const Rank next = (rank + i) % problem_.ranks();
        if (HasRoom(next)) {
            return next;
        }
    }
    return problem_.ranks();
}

// Neighbouring ranks are mostly on near nodes.
void ElectionRounds::PlaceTheRest() {
    for (const int domain : open_) {
        const Rank rank = NextWithRoom(aggregators_[static_cast<std::size_t>(domain)]);
        if (!IsRank(rank)) {
            GiveUp();
            return;
        }
        Place(domain, rank);
    }
    open_.clear();
}

void ElectionRounds::GiveUp() {
    open_.clear();
    aggregators_.clear();
}

void NodeBids::AddShare(int domain, Rank rank, ByteCount bytes) {
    domains_[domain].by_rank.push_back(RankBytes{rank, bytes});
}

void NodeBids::SortShares() {
    for (auto &[number, domain] : domains_) {
        std::sort(domain.by_rank.begin(), domain.by_rank.end(),
                  [](const RankBytes &a, const RankBytes &b) { return a.rank < b.rank; });
        DomainBytes sorted = domain.by_rank;
        std::sort(sorted.begin(), sorted.end(), [](const RankBytes &a, const RankBytes &b) {
            return a.bytes != b.bytes ? a.bytes > b.bytes : a.rank < b.rank;
        });
        for (const RankBytes &entry : sorted) {
            domain.by_bytes.push_back(entry.rank);
        }
    }
}

void NodeBids::SortColumns() {
    for (auto &[domain, column] : columns_) {
        std::sort(column.begin(), column.end(), [](const NodeBytes &a, const NodeBytes &b) { return a.node < b.node; });
    }
}

const std::vector<NodeBytes> &NodeBids::ColumnOf(int domain) const {
    static const std::vector<NodeBytes> kNobody;
    const auto found = columns_.find(domain);
    return found == columns_.end() ? kNobody : found->second;
}

double NodeBids::CostFromOthers(int domain, int node) const { return TapiocaCostOfNode(ColumnOf(domain), topology_, node); }

// `own`: what this node has in the domain, null where that is nothing.
Bid NodeBids::BidFor(ElectionRounds &rounds, int domain, Domain *own) {
    Bid best;
    if (own != nullptr) {
        best = BestOf(rounds, *own, !rounds.first());
        if (best.rank >= problem_.ranks() && !rounds.first()) {
            best = BestOf(rounds, *own, false);
        }
    }
    if (rounds.OpenToAll(domain) && HomeNode(domain, topology_.nodes()) == node_) {
        best = BestOfAll(rounds, domain);
    }
    if (best.rank < problem_.ranks() && rounds.HasRoomForBid(best.rank)) {
        rounds.TakeForBid(best.rank);
    }
    return best;
}

// The cheapest of the candidates that this node puts up for a domain.
Bid NodeBids::BestOf(const ElectionRounds &rounds, Domain &domain, bool of_those_without_bid) const {
    while (domain.next < domain.by_bytes.size() && !rounds.HasRoom(domain.by_bytes[domain.next])) {
        ++domain.next;
    }
    const int most = problem_.limits.candidates_per_node;
    Bid best;
    int candidates = 0;
    for (std::size_t i = domain.next; i < domain.by_bytes.size() && (most == 0 || candidates < most); ++i) {
        const Rank rank = domain.by_bytes[i];
        if (of_those_without_bid ? rounds.HasRoomForBid(rank) : rounds.HasRoom(rank)) {
            ++candidates;
            const Bid bid{TapiocaCostInNode(domain.by_rank, topology_, rank) + domain.from_others, rank};
            best = bid.Beats(best) ? bid : best;
        }
    }
    return best;
}

// Where no rank with bytes in a domain has room left, its home bids for the others: for the lowest rank with room of each
// node, to which the bytes of its own node are taken to be as far as a node is wide. Of equally good nodes it takes the
// first from its own on, since the homes of other domains bid at the same time.
Bid NodeBids::BestOfAll(const ElectionRounds &rounds, int domain) const {
    const std::vector<NodeBytes> &column = ColumnOf(domain);
    Bid best;
    const NodeMap &nodes = problem_.nodes;
    for (int i = 0; i < nodes.nodes(); ++i) {
        const int node = (node_ + i) % nodes.nodes();
        const Rank free = FirstWithRoomForBid(rounds, nodes, node);
        if (free == Bid().rank) {
            continue;
        }
        double cost = TapiocaCostOfNode(column, topology_, node);
        for (const NodeBytes &sum : column) {
            if (sum.node == node) {
                cost += sum.ranks * topology_.network().latency() + static_cast<double>(sum.bytes) / kMemoryBandwidth;
            }
        }
        if (cost < best.cost) {
            best = Bid{cost, free};
        }
    }
    return best;
}

} // namespace overlap
