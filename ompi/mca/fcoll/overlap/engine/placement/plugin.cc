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

// Calls into the plugin, which may be C++ and throw. Returns why the call failed, empty where it did not.
template <typename Call> std::string Ask(const char *function, Call call) {
    ErrorText error{};
    int result = 0;
    try {
        result = call(error.data(), error.size());
    } catch (const std::exception &exception) {
        return std::string(function) + " threw an exception: " + Brief(exception.what());
    } catch (...) {
        return std::string(function) + " threw an exception";
    }
    error.back() = '\0';
    if (result == 0) {
        return "";
    }
    return std::string(function) +
           " failed: " + (error[0] == '\0' ? "it returned " + std::to_string(result) : Brief(error.data()));
}

// Why an answer cannot be taken, empty where it can.
std::string Judge(const std::vector<int> &aggregators, const PlacementProblem &problem) {
    LimitAccount account(problem);
    for (std::size_t domain = 0; domain < aggregators.size(); ++domain) {
        const int rank = aggregators[domain];
        const std::string what = "place gave domain " + std::to_string(domain);
        if (rank == -1) {
            return what + " no rank";
        }
        if (rank < 0 || rank >= problem.ranks()) {
            return what + " to rank " + std::to_string(rank) + " of " + std::to_string(problem.ranks());
        }
        if (!account.HasRoom(rank)) {
            return what + " to rank " + std::to_string(rank) + ", which the limits do not allow";
        }
        account.Take(rank);
    }
    return "";
}

} // namespace

Plugin::Plugin(const overlap_host &host, const std::string &path) : host_(host), path_(path) {
    ErrorText why{};
    plugin_ = host_.open_plugin(host_.self, path_.c_str(), &handle_, why.data(), why.size());
    Require(plugin_ == nullptr ? Brief(why.data()) : "");
    try {
        Require(Initialise());
    } catch (...) {
        host_.close_plugin(host_.self, handle_);
        throw;
    }
}

Plugin::~Plugin() {
    if (plugin_->finish != nullptr) {
        try {
            plugin_->finish(state_);
        } catch (...) { // nobody is left to report to
        }
    }
    host_.close_plugin(host_.self, handle_);
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
    const std::string why = Ask("place", [&](char *error, std::size_t size) {
        return plugin_->place(state_, &question, aggregators.data(), error, size);
    });
    Require(why.empty() ? Judge(aggregators, problem) : why);
    return aggregators;
}

// Returns why it cannot be used, empty where it can.
std::string Plugin::Initialise() {
    if (plugin_->abi_version != OVERLAP_PLACEMENT_ABI_VERSION) {
        return "it is made for version " + std::to_string(plugin_->abi_version) +
               " of overlap_placement.h, this is version " + std::to_string(OVERLAP_PLACEMENT_ABI_VERSION);
    }
    if (plugin_->place == nullptr) {
        return "it has no function place";
    }
    name_ = (plugin_->name == nullptr ? "plugin" : Brief(plugin_->name)) + " (" + path_ + ")";
    return plugin_->init == nullptr
               ? ""
               : Ask("init", [&](char *error, std::size_t size) { return plugin_->init(&state_, error, size); });
}

// Where the call or the answer is wrong, `why` is not empty.
void Plugin::Require(const std::string &why) const {
    if (!why.empty()) {
        throw Failure(Brief(path_) + ": " + why);
    }
}

} // namespace overlap
