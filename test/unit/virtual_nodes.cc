#include "virtual_nodes.h"

#include <algorithm>
#include <cmath>

namespace overlap::test {
namespace {

constexpr std::size_t kAggregators = 6; // that are simulated, about

} // namespace

VirtualNodes::VirtualNodes(const Load &load, const CycleLoad &cycle)
    : all_nodes_(static_cast<std::size_t>(load.nodes)),
      aggregating_(static_cast<std::size_t>(std::min(load.nodes, cycle.aggregators))), cycle_(cycle.bytes),
      domain_(cycle.domain), period_(static_cast<double>(load.period)) {
    const int ranks = load.RanksPerNode();
    const std::size_t others = all_nodes_ - aggregating_;
    const int of_node = cycle.aggregators / static_cast<int>(aggregating_);
    const bool alike = EveryNodeInEachCycle();
    simulated_ = alike ? std::min(aggregating_, std::max<std::size_t>(2, kAggregators / static_cast<std::size_t>(of_node)))
                       : aggregating_;
    aggregators_for_each_ = static_cast<double>(aggregating_) / static_cast<double>(simulated_);
    for (std::size_t node = 0; node < simulated_; ++node) {
        AddNode(1, of_node, ranks);
    }
    if (alike && others > 0) {
        AddNode(static_cast<double>(others) / aggregators_for_each_, 0, ranks);
    }
    for (std::size_t node = 0; !alike && node < others; ++node) {
        AddNode(1, 0, ranks);
    }
}

void VirtualNodes::AddNode(double nics, int aggregators, int ranks) {
    const std::size_t node = nics_.size();
    nics_.push_back(nics);
    for (int i = 0; i < aggregators; ++i) {
        processes_.push_back(VirtualProcess{node, true, 1.0 / ranks});
    }
    if (ranks > aggregators) {
        processes_.push_back(VirtualProcess{node, false, static_cast<double>(ranks - aggregators) / ranks});
    }
}

double VirtualNodes::BytesOf(std::size_t behind, double bytes) const noexcept {
    const double part = period_ / static_cast<double>(all_nodes_);
    const double periods = std::floor(bytes / period_);
    return periods * part + std::clamp(bytes - periods * period_ - static_cast<double>(behind) * part, 0.0, part);
}

double VirtualNodes::Share(const VirtualProcess &from, const VirtualProcess &to, Cycle cycle) const noexcept {
    const auto nodes = static_cast<double>(all_nodes_);
    if (!EveryNodeInEachCycle()) {
        const std::size_t behind = (from.node + all_nodes_ - to.node) % all_nodes_;
        const double begin = cycle_ * static_cast<double>(cycle);
        const double end = std::min(begin + cycle_, domain_);
        return from.part * (BytesOf(behind, end) - BytesOf(behind, begin)) / (end - begin);
    }
    if (from.node == to.node) {
        return from.part / nodes;
    }
    if (from.node >= simulated_) {
        return from.part * static_cast<double>(all_nodes_ - aggregating_) / nodes;
    }
    return from.part * static_cast<double>(aggregating_ - 1) / nodes / static_cast<double>(simulated_ - 1);
}

} // namespace overlap::test
