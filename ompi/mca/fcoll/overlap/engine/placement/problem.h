// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// What a placement is asked: where the ranks are, how many bytes they have in the domains, and how many aggregators the user
// wants where; and what an answer costs the network.
#ifndef OVERLAP_ENGINE_PLACEMENT_PROBLEM_H
#define OVERLAP_ENGINE_PLACEMENT_PROBLEM_H

#include "../base/types.h"
#include "topology/topology.h"

#include <functional>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace overlap {

struct RankBytes {
    Rank rank = 0;
    ByteCount bytes = 0; // more than 0
};

/// The column of a domain: ascending ranks, only those that have bytes there.
using DomainBytes = std::vector<RankBytes>;

/// Sparse: a column for each domain.
using CommunicationMatrix = std::vector<DomainBytes>;

/// Some ranks, by node and ascending.
using RanksOfNodes = std::vector<std::vector<Rank>>;

/// `chosen`: of each rank, 0 or 1.
std::shared_ptr<const RanksOfNodes> ChosenRanks(const NodeMap &nodes, const std::vector<char> &chosen);

struct PlacementLimits {
    int aggregators_per_node = 0;             // 0: as many as the node has ranks
    std::vector<int> of_node;                 // aggregators of each node at most, 0: none; empty where nodes do not differ
    int domains_per_rank = 1;                 // at least 1
    std::shared_ptr<const RanksOfNodes> only; // who may; null: all
    int candidates_per_node = 4; // that a strategy with an assignment looks at, more where the domains need more; 0: all
};

/// Narrows `limits` down as the hint cb_config_list says: "HOST", "HOST:N", "HOST:*", "*:N", ... separated by commas, as
/// ROMIO reads it (N aggregators on each such host, without a number 1; of several that match a host the first counts); or
/// "rank:LIST" with a list like "0,8-15". A host is meant with or without its domain. Hosts that the list does not name have
/// no aggregators. Throws Failure, and the limits are as they were.
void ApplyConfigList(const std::string &list, const std::vector<std::string> &host_of_node, const NodeMap &nodes,
                     PlacementLimits &limits);

struct PlacementProblem {
    NodeMap nodes;
    int nics = 0;     // of the network, that each node has at least; 0: not known
    int targets = 0;  // storage targets that the stripes of the file go to in turn; 0: none, or not known
    int dealt_to = 0; // the same, where domains are made of stripes: domain d + dealt_to has the targets of domain d; else 0
    int requested = 0;       // aggregators that were asked for, 0 for "choose"
    std::vector<Rank> ompio; // what OMPIO's own selection gives
    PlacementLimits limits;
    // On rank 0, for strategies that need them; the nodes of the topology are the same.
    const Topology *topology = nullptr;
    const CommunicationMatrix *matrix = nullptr;

    int ranks() const { return nodes.ranks(); }

    /// The ranks of a node that may aggregate, ascending from 0.
    int AllowedOn(int node) const {
        return limits.only == nullptr ? nodes.CountOf(node) : static_cast<int>(OnlyOn(node).size());
    }
    Rank AllowedRank(int node, int i) const {
        return limits.only == nullptr ? nodes.RankOf(node, i) : OnlyOn(node)[static_cast<std::size_t>(i)];
    }
    /// Whether it is one of them. O(log ranks of a node).
    bool Allows(Rank rank) const;
    /// How many of them may at a time.
    int AggregatorsOn(int node) const;
    /// How many domains the limits leave room for; at least 1 where any rank is allowed. O(nodes).
    int Capacity() const;

  private:
    const std::vector<Rank> &OnlyOn(int node) const { return (*limits.only)[static_cast<std::size_t>(node)]; }
};

/// Keeps account of what aggregators have got.
class LimitAccount {
  public:
    /// `problem` has to outlive it. Throws std::bad_alloc, as Take does.
    explicit LimitAccount(const PlacementProblem &problem);

    /// Whether the rank may take another domain.
    bool HasRoom(Rank rank) const;
    void Take(Rank rank);

  private:
    const PlacementProblem &problem_;
    std::unordered_map<Rank, int> domains_; // of each aggregator, at least 1
    std::vector<int> aggregators_;          // of each node
};

struct NodeBytes {
    int node = 0;
    ByteCount bytes = 0;
    int ranks = 0; // of the node that have bytes there
};

/// The column of a domain summed up by nodes, ascending: to another node all ranks of a node are equally far.
std::vector<NodeBytes> SumByNode(const DomainBytes &column, const Topology &topology);

/// Hop-bytes of the shuffle with these aggregators, one for each domain.
double HopBytes(const CommunicationMatrix &matrix, const Topology &topology, const std::vector<Rank> &aggregators);

/// What the way from one node to another costs the bytes of a node: hop x hops + transfer / bandwidth.
struct WayCost {
    double hop = 0;
    double transfer = 0;
};

/// What the bytes of all other nodes cost an aggregator on each node: row-major, a row of nodes for each domain. Time:
/// domains x (nodes with bytes) x nodes.
std::vector<double> CostsOfNodes(const CommunicationMatrix &matrix, const Topology &topology,
                                 const std::function<WayCost(const NodeBytes &)> &cost);

} // namespace overlap

#endif
