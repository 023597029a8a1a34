// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// A site's own strategy, in a shared object (overlap_placement.h).
#include "placement.h"

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
        first_.push_back(0);
        for (const DomainBytes &column : *problem.matrix) {
            for (const RankBytes &entry : column) {
                rank_.push_back(entry.rank);
                bytes_.push_back(entry.bytes);
            }
            first_.push_back(rank_.size());
        }
        for (Rank rank = 0; rank < problem.ranks(); ++rank) {
            node_of_rank_.push_back(problem.nodes.NodeOf(rank));
            allowed_.push_back(problem.limits.Allows(rank) ? 1 : 0);
        }
        for (int node = 0; node < problem.nodes.nodes(); ++node) {
            aggregators_.push_back(problem.AggregatorsOn(node));
            hosts_.push_back(problem.topology->network().hosts()[static_cast<std::size_t>(node)].c_str());
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

class PluginPlacement final : public Placement {
  public:
    PluginPlacement(const overlap_host &host, const std::string &path) : host_(host), path_(path), name_(path) {}
    PluginPlacement(const PluginPlacement &) = delete;
    PluginPlacement &operator=(const PluginPlacement &) = delete;

    ~PluginPlacement() override {
        if (plugin_ == nullptr) {
            return;
        }
        if (plugin_->finish != nullptr) {
            try {
                plugin_->finish(state_);
            } catch (...) { // nobody is left to report to
            }
        }
        host_.close_plugin(host_.self, handle_);
    }

    // The plugin's own name and its path.
    const char *name() const override { return name_.c_str(); }

    std::vector<Rank> Place(const PlacementProblem &problem, int domains) const override {
        if (plugin_ == nullptr) {
            Load();
        }
        const ProblemForPlugin question(problem, domains);
        std::vector<int> aggregators(static_cast<std::size_t>(domains), -1);
        std::string why = Ask("place", [&](char *error, std::size_t size) {
            return plugin_->place(state_, &question.view(), aggregators.data(), error, size);
        });
        Require(why.empty() ? Judge(aggregators, problem) : why);
        return aggregators;
    }

  private:
    // Where the call or the answer is wrong, `why` is not empty.
    void Require(const std::string &why) const {
        if (!why.empty()) {
            throw PluginFailure(Brief(path_) + ": " + why);
        }
    }

    void Load() const {
        ErrorText why{};
        const overlap_plugin *const plugin = host_.open_plugin(host_.self, path_.c_str(), &handle_, why.data(), why.size());
        Require(plugin == nullptr ? Brief(why.data()) : "");
        try {
            Require(Initialise(*plugin));
        } catch (...) {
            host_.close_plugin(host_.self, handle_);
            throw;
        }
        plugin_ = plugin;
    }

    std::string Initialise(const overlap_plugin &plugin) const {
        if (plugin.abi_version != OVERLAP_PLACEMENT_ABI_VERSION) {
            return "it is made for version " + std::to_string(plugin.abi_version) +
                   " of overlap_placement.h, this is version " + std::to_string(OVERLAP_PLACEMENT_ABI_VERSION);
        }
        if (plugin.place == nullptr) {
            return "it has no function place";
        }
        name_ = (plugin.name == nullptr ? "plugin" : Brief(plugin.name)) + " (" + path_ + ")";
        return plugin.init == nullptr
                   ? ""
                   : Ask("init", [&](char *error, std::size_t size) { return plugin.init(&state_, error, size); });
    }

    const overlap_host host_;
    const std::string path_;
    // Loaded with the first domains to place, on the one rank that places them.
    mutable std::string name_;
    mutable const overlap_plugin *plugin_ = nullptr;
    mutable void *handle_ = nullptr;
    mutable void *state_ = nullptr;
};

} // namespace

std::unique_ptr<Placement> MakePluginPlacement(const overlap_host &host, const std::string &path) {
    return std::make_unique<PluginPlacement>(host, path);
}

} // namespace overlap
