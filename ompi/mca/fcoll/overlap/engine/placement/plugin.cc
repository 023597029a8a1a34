// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "plugin.h"

#include <array>
#include <exception>

namespace overlap {
namespace {

constexpr std::size_t kErrorSize = 512;
using ErrorText = std::array<char, kErrorSize>;

double DistanceForPlugin(const overlap_placement_problem *problem, int a, int b) {
    const auto &topology = *static_cast<const Topology *>(problem->caller);
    const bool known = a >= 0 && a < topology.ranks() && b >= 0 && b < topology.ranks();
    return known ? topology.Distance(a, b) : -1;
}

} // namespace

Plugin::Plugin(const overlap_host &host, const std::string &path) : path_(path) {
    ErrorText why{};
    void *handle = nullptr;
    plugin_ = host.open_plugin(host.self, path_.c_str(), &handle, why.data(), why.size());
    if (plugin_ == nullptr) {
        Refuse(why.data());
    }
    loaded_ = std::shared_ptr<void>(handle, [&host](void *opened) { host.close_plugin(host.self, opened); });
    if (plugin_->abi_version != OVERLAP_PLACEMENT_ABI_VERSION) {
        Refuse("it is made for version " + std::to_string(plugin_->abi_version) +
               " of overlap_placement.h, this is version " + std::to_string(OVERLAP_PLACEMENT_ABI_VERSION));
    }
    if (plugin_->place == nullptr) {
        Refuse("it has no function place");
    }
    name_ = (plugin_->name == nullptr ? "plugin" : Brief(plugin_->name)) + " (" + path_ + ")";
    if (plugin_->init != nullptr) {
        Ask("init", [&](char *error, std::size_t size) { return plugin_->init(&state_, error, size); });
    }
}

Plugin::~Plugin() {
    if (plugin_->finish != nullptr) {
        try {
            plugin_->finish(state_);
        } catch (...) { // nobody is left to report to
        }
    }
}

// Calls into the plugin, which may be C++ and throw.
template <typename Call> void Plugin::Ask(const std::string &function, Call call) const {
    ErrorText error{};
    int result = 0;
    try {
        result = call(error.data(), error.size());
    } catch (const std::exception &exception) {
        Refuse(function + " threw an exception: " + exception.what());
    } catch (...) {
        Refuse(function + " threw an exception");
    }
    error.back() = '\0';
    if (result != 0) {
        Refuse(function + " failed: " + (error[0] == '\0' ? "it returned " + std::to_string(result) : error.data()));
    }
}

std::vector<Rank> Plugin::Place(const PlacementProblem &problem, int domains) const {
    std::vector<std::size_t> first = {0};
    std::vector<int> ranks;
    std::vector<std::int64_t> bytes;
    for (const DomainBytes &column : *problem.matrix) {
        for (const RankBytes &entry : column) {
            ranks.push_back(entry.rank);
            bytes.push_back(entry.bytes);
        }
        first.push_back(ranks.size());
    }
    std::vector<int> node_of_rank;
    std::vector<char> allowed;
    for (Rank rank = 0; rank < problem.ranks(); ++rank) {
        node_of_rank.push_back(problem.nodes.NodeOf(rank));
        allowed.push_back(problem.Allows(rank) ? 1 : 0);
    }
    std::vector<int> aggregators_of_node;
    std::vector<const char *> hosts;
    for (int node = 0; node < problem.nodes.nodes(); ++node) {
        aggregators_of_node.push_back(problem.AggregatorsOn(node));
        hosts.push_back(problem.topology->network().hosts()[static_cast<std::size_t>(node)].c_str());
    }
    overlap_placement_problem question{};
    question.ranks = problem.ranks();
    question.nodes = problem.topology->nodes();
    question.domains = domains;
    question.node_of_rank = node_of_rank.data();
    question.host_of_node = hosts.data();
    question.first_of_domain = first.data();
    question.rank = ranks.data();
    question.bytes = bytes.data();
    question.distance = DistanceForPlugin;
    question.allowed = allowed.data();
    question.aggregators_of_node = aggregators_of_node.data();
    question.domains_per_rank = problem.limits.domains_per_rank;
    question.caller = const_cast<Topology *>(problem.topology); // DistanceForPlugin makes it const again
    std::vector<int> aggregators(static_cast<std::size_t>(domains), -1);
    Ask("place",
        [&](char *error, std::size_t size) { return plugin_->place(state_, &question, aggregators.data(), error, size); });
    LimitAccount account(problem);
    for (std::size_t domain = 0; domain < aggregators.size(); ++domain) {
        const int rank = aggregators[domain];
        if (rank < 0 || rank >= problem.ranks() || !account.HasRoom(rank)) {
            Refuse("place gave domain " + std::to_string(domain) + " to rank " + std::to_string(rank) + " of " +
                   std::to_string(problem.ranks()) + ", which the limits do not allow");
        }
        account.Take(rank);
    }
    return aggregators;
}

void Plugin::Refuse(const std::string &why) const { throw Failure(Brief(path_) + ": " + Brief(why)); }

} // namespace overlap
