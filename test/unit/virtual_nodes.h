// The cluster of a simulated write, coarsened: nodes and ranks that do the same are simulated once.
#ifndef OVERLAP_TEST_VIRTUAL_NODES_H
#define OVERLAP_TEST_VIRTUAL_NODES_H

#include "bench/model/load.h"

#include <vector>

namespace overlap::test {

/// One aggregator, or all ranks of a node that only send.
struct VirtualProcess {
    std::size_t node = 0;
    bool aggregates = false;
    double part = 1; // of what its node's ranks send
};

/// Where every node has its part of each cycle a few nodes stand for those that aggregate, and one with as many NICs as
/// needed for those that do not; what passes a NIC in a cycle stays the same. Else every node is there, and the nodes have
/// the bytes of a domain one after the other, first the aggregator's own. Needs: ranks are a multiple of nodes, and of
/// aggregators and nodes the larger one of the other.
class VirtualNodes {
  public:
    VirtualNodes(const Load &load, const CycleLoad &cycle);

    const std::vector<VirtualProcess> &processes() const noexcept { return processes_; }
    std::size_t size() const noexcept { return nics_.size(); }
    double Nics(std::size_t node) const noexcept { return nics_[node]; }

    /// Aggregators of the cluster for each that is simulated.
    double AggregatorsForEach() const noexcept { return aggregators_for_each_; }

    /// The share of the bytes of a cycle that `from` has for the aggregator `to`.
    double Share(const VirtualProcess &from, const VirtualProcess &to, Cycle cycle) const noexcept;

  private:
    bool EveryNodeInEachCycle() const noexcept { return cycle_ >= period_; }
    void AddNode(double nics, int aggregators, int ranks);

    /// Of the first `bytes` of a domain those of the node that comes `behind` its own.
    double BytesOf(std::size_t behind, double bytes) const noexcept;

    std::size_t all_nodes_;
    std::size_t aggregating_;   // of those
    std::size_t simulated_ = 0; // of those
    double cycle_;              // bytes
    double domain_;             // bytes
    double period_;             // bytes, in which each node has its part
    double aggregators_for_each_ = 1;
    std::vector<double> nics_; // of each node that is simulated
    std::vector<VirtualProcess> processes_;
};

} // namespace overlap::test

#endif
