#include "hop_bytes.h"

#include <algorithm>

namespace overlap {
namespace {

// Of the nodes that take part, by their position in `nodes`.
class HopTable {
  public:
    HopTable(const Network &network, std::vector<int> nodes)
        : nodes_(std::move(nodes)), hops_(nodes_.size() * nodes_.size()) {
        for (std::size_t from = 0; from < nodes_.size(); ++from) {
            for (std::size_t to = 0; to < nodes_.size(); ++to) {
                hops_[from * nodes_.size() + to] = static_cast<float>(network.Hops(nodes_[from], nodes_[to]));
            }
        }
    }

    std::size_t size() const { return nodes_.size(); }
    std::size_t Position(int node) const {
        return static_cast<std::size_t>(std::lower_bound(nodes_.begin(), nodes_.end(), node) - nodes_.begin());
    }
    const float *From(int node) const { return hops_.data() + Position(node) * nodes_.size(); }

  private:
    std::vector<int> nodes_; // ascending
    std::vector<float> hops_;
};

std::vector<int> NodesOf(const std::vector<Rank> &ranks, const CommunicationMatrix &matrix, const Topology &topology) {
    std::vector<char> used(static_cast<std::size_t>(topology.nodes()), 0);
    for (const Rank rank : ranks) {
        used[static_cast<std::size_t>(topology.NodeOf(rank))] = 1;
    }
    for (const DomainBytes &column : matrix) {
        for (const RankBytes &entry : column) {
            used[static_cast<std::size_t>(topology.NodeOf(entry.rank))] = 1;
        }
    }
    std::vector<int> nodes;
    for (int node = 0; node < topology.nodes(); ++node) {
        if (used[static_cast<std::size_t>(node)] != 0) {
            nodes.push_back(node);
        }
    }
    return nodes;
}

} // namespace

double HopBytes(const CommunicationMatrix &matrix, const Topology &topology, const std::vector<Rank> &aggregators) {
    double sum = 0;
    for (std::size_t domain = 0; domain < matrix.size(); ++domain) {
        for (const RankBytes &entry : matrix[domain]) {
            sum += topology.Distance(entry.rank, aggregators[domain]) * static_cast<double>(entry.bytes);
        }
    }
    return sum;
}

std::vector<double> HopBytesOfCandidates(const CommunicationMatrix &matrix, const Topology &topology,
                                         const std::vector<Rank> &candidates) {
    const HopTable hops(topology.network(), NodesOf(candidates, matrix, topology));
    std::vector<std::size_t> position_of_candidate;
    std::vector<std::vector<std::size_t>> candidates_of_node(static_cast<std::size_t>(topology.nodes()));
    for (std::size_t i = 0; i < candidates.size(); ++i) {
        const int node = topology.NodeOf(candidates[i]);
        position_of_candidate.push_back(hops.Position(node));
        candidates_of_node[static_cast<std::size_t>(node)].push_back(i);
    }
    std::vector<double> work(matrix.size() * candidates.size());
    std::vector<double> from_other_nodes(hops.size());
    for (std::size_t domain = 0; domain < matrix.size(); ++domain) {
        std::fill(from_other_nodes.begin(), from_other_nodes.end(), 0);
        for (const NodeBytes &sum : SumByNode(matrix[domain], topology)) {
            const float *const row = hops.From(sum.node);
            const auto bytes = static_cast<double>(sum.bytes);
            for (std::size_t i = 0; i < from_other_nodes.size(); ++i) {
                from_other_nodes[i] += bytes * static_cast<double>(row[i]);
            }
        }
        double *const costs = work.data() + domain * candidates.size();
        for (std::size_t i = 0; i < candidates.size(); ++i) {
            costs[i] = from_other_nodes[position_of_candidate[i]];
        }
        for (const RankBytes &entry : matrix[domain]) {
            for (const std::size_t i : candidates_of_node[static_cast<std::size_t>(topology.NodeOf(entry.rank))]) {
                costs[i] += topology.DistanceInNode(entry.rank, candidates[i]) * static_cast<double>(entry.bytes);
            }
        }
    }
    return work;
}

std::vector<double> ForeignBytesOfCandidates(const CommunicationMatrix &matrix, const std::vector<Rank> &candidates) {
    std::vector<double> work;
    work.reserve(matrix.size() * candidates.size());
    for (const DomainBytes &column : matrix) {
        double all = 0;
        for (const RankBytes &entry : column) {
            all += static_cast<double>(entry.bytes);
        }
        for (const Rank candidate : candidates) {
            const auto own = std::lower_bound(column.begin(), column.end(), candidate,
                                              [](const RankBytes &entry, Rank rank) { return entry.rank < rank; });
            work.push_back(own != column.end() && own->rank == candidate ? all - static_cast<double>(own->bytes) : all);
        }
    }
    return work;
}

} // namespace overlap
