// How far apart the ranks of a job are.
#ifndef OVERLAP_ENGINE_TOPOLOGY_TOPOLOGY_H
#define OVERLAP_ENGINE_TOPOLOGY_TOPOLOGY_H

#include "../types.h"
#include "intra_node.h"
#include "network.h"

#include <memory>
#include <vector>

namespace overlap {

/// Bytes per second between ranks of a node; as kDefaultBandwidth.
constexpr double kMemoryBandwidth = 2e10;

class Topology {
  public:
    /// `node_of_rank`: nodes of `network`, numbered from 0. Without `intra_node` all ranks of a node are 1 apart.
    Topology(std::vector<int> node_of_rank, std::shared_ptr<const Network> network,
             std::shared_ptr<const IntraNode> intra_node = nullptr);

    int ranks() const { return static_cast<int>(node_of_rank_.size()); }
    int nodes() const { return network_->nodes(); }
    int NodeOf(Rank rank) const { return node_of_rank_[static_cast<std::size_t>(rank)]; }
    /// Ascending.
    const std::vector<Rank> &RanksOf(int node) const { return ranks_of_node_[static_cast<std::size_t>(node)]; }
    const Network &network() const { return *network_; }

    /// 0 for one rank; within a node at most 1, by the deepest object that both share; between nodes the hops, at least 2
    /// (Liu, Zhou and Guo, Topology-aware strategy for MPI-IO operations in clusters, section 4.2).
    double Distance(Rank a, Rank b) const;
    /// As Distance for two ranks of one node.
    double DistanceInNode(Rank a, Rank b) const;

  private:
    std::vector<int> node_of_rank_;
    std::vector<std::vector<Rank>> ranks_of_node_;
    std::shared_ptr<const Network> network_;
    std::shared_ptr<const IntraNode> intra_node_;
};

} // namespace overlap

#endif
