// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "plugin.h"

#include "topology/outcome.h"

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

// Owns what an overlap_placement_problem points to.
class ProblemForPlugin {
  public:
    ProblemForPlugin(const PlacementProblem &problem, int domains) {
        FillMatrix(*problem.matrix);
        for (Rank rank = 0; rank < problem.ranks(); ++rank) {
            node_of_rank_.push_back(problem.nodes.NodeOf(rank));
            allowed_.push_back(problem.limits.Allows(rank) ? 1 : 0);
        }
        const AllowedRanks ranks(problem);
        for (std::size_t node = 0; node < ranks.nodes(); ++node) {
            aggregators_.push_back(AggregatorsOfNode(problem.limits, node, ranks.CountOf(node)));
            hosts_.push_back(problem.topology->network().hosts()[node].c_str());
        }
        view_.ranks = problem.ranks();
        view_.nodes = problem.topology->nodes();
        view_.domains = domains;
        view_.node_of_rank = node_of_rank_.data();
        view_.host_of_node = hosts_.data();
        view_.first_of_domain = first_.data();
        view_.rank = rank_.data();
        view_.bytes = bytes_.data();
        view_.distance = DistanceForPlugin;
        view_.allowed = allowed_.data();
        view_.aggregators_of_node = aggregators_.data();
        view_.domains_per_rank = problem.limits.domains_per_rank;
        view_.caller = const_cast<Topology *>(problem.topology); // DistanceForPlugin makes it const again
    }

    const overlap_placement_problem &view() const { return view_; }

  private:
    void FillMatrix(const CommunicationMatrix &matrix) {
        first_.push_back(0);
        for (const DomainBytes &column : matrix) {
            for (const RankBytes &entry : column) {
                rank_.push_back(entry.rank);
                bytes_.push_back(entry.bytes);
            }
            first_.push_back(rank_.size());
        }
    }

    overlap_placement_problem view_{};
    std::vector<std::size_t> first_;
    std::vector<int> rank_;
    std::vector<std::int64_t> bytes_;
    std::vector<int> node_of_rank_;
    std::vector<char> allowed_;
    std::vector<int> aggregators_;
    std::vector<const char *> hosts_;
};

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
    LimitAccount account(problem, aggregators.size());
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

PluginPlacement::PluginPlacement(const overlap_host &host, const std::string &path) : host_(host), path_(path) {
    ErrorText why{};
    plugin_ = host_.open_plugin(host_.self, path.c_str(), &handle_, why.data(), why.size());
    if (plugin_ == nullptr) {
        Fail(Brief(why.data()));
    }
    try {
        Initialise();
    } catch (...) {
        host_.close_plugin(host_.self, handle_);
        throw;
    }
}

void PluginPlacement::Initialise() {
    if (plugin_->abi_version != OVERLAP_PLACEMENT_ABI_VERSION) {
        Fail("it is made for version " + std::to_string(plugin_->abi_version) + " of overlap_placement.h, this is version " +
             std::to_string(OVERLAP_PLACEMENT_ABI_VERSION));
    }
    if (plugin_->place == nullptr) {
        Fail("it has no function place");
    }
    name_ = std::string(plugin_->name == nullptr ? "plugin" : Brief(plugin_->name)) + " (" + path_ + ")";
    if (plugin_->init != nullptr) {
        const std::string why =
            Ask("init", [this](char *error, std::size_t size) { return plugin_->init(&state_, error, size); });
        if (!why.empty()) {
            Fail(why);
        }
    }
}

PluginPlacement::~PluginPlacement() {
    if (plugin_->finish != nullptr) {
        try {
            plugin_->finish(state_);
        } catch (...) { // nobody is left to report to
        }
    }
    host_.close_plugin(host_.self, handle_);
}

std::vector<Rank> PluginPlacement::Place(const PlacementProblem &problem, int domains) const {
    const ProblemForPlugin question(problem, domains);
    std::vector<int> aggregators(static_cast<std::size_t>(domains), -1);
    std::string why = Ask("place", [&](char *error, std::size_t size) {
        return plugin_->place(state_, &question.view(), aggregators.data(), error, size);
    });
    if (why.empty()) {
        why = Judge(aggregators, problem);
    }
    if (!why.empty()) {
        Fail(why);
    }
    return aggregators;
}

void PluginPlacement::Fail(const std::string &why) const { throw PluginFailure(Brief(path_) + ": " + why); }

} // namespace overlap
