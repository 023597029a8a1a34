// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "placer.h"

#include <algorithm>

namespace overlap {
namespace {

std::string JoinNames(const std::vector<std::string> &names) {
    std::string text;
    for (const std::string &name : names) {
        text += (text.empty() ? "\"" : ", \"") + Brief(name) + "\"";
    }
    return Brief(text);
}

} // namespace

Placer::Placer(const Team &team, const overlap_host &host, const overlap_settings &settings)
    : team_(team), host_(host), settings_(settings), strategy_(&PlacementOf(settings.placement)) {
    limits_.aggregators_per_node = settings_.aggregators_per_node;
    limits_.domains_per_rank = std::max(1, settings_.domains_per_rank);
    limits_.candidates_per_node = settings_.candidates_per_node;
}

Status Placer::Prepare(PlacementProblem &problem) noexcept {
    if (version_ == 0 && (ListsHosts() || NeedsShares())) {
        const Status status = Learn(problem);
        if (!status.ok()) {
            return status;
        }
    }
    const Status status = Guarded([&] { problem.limits = limits_; });
    // Without a list there is nothing in them that takes memory.
    return ListsHosts() ? team_.Agree(status) : status;
}

// Only rank 0 reads what may not be there for the others. Limits follow from the hosts' names on every rank.
Status Placer::Learn(const PlacementProblem &problem) noexcept {
    Site site;
    Words hosts;
    std::unique_ptr<Topology> topology;
    Status status = GatherSite(team_, site);
    if (team_.rank() == 0 && status.ok()) {
        status = Guarded([&] {
            for (std::size_t node = 0; ListsHosts() && node < site.host_of_node.size(); ++node) {
                AppendText(hosts, site.host_of_node[node]);
            }
            topology = NeedsShares() ? OpenTopology(site) : nullptr;
        });
    }
    status = team_.Broadcast(hosts, status);
    PlacementLimits limits = limits_;
    if (status.ok() && ListsHosts()) {
        status = team_.Agree(Guarded([&] { ApplyHosts(problem, hosts, limits); }));
    }
    if (status.ok()) {
        limits_ = std::move(limits);
        ++version_;
        topology_ = std::move(topology);
    }
    return status;
}

// Rank 0 tells the user; after an error on another rank, and so another try, once more.
void Placer::Warn(overlap_warning warning, const std::string &why) const {
    if (team_.rank() == 0) {
        host_.warn(host_.self, warning, why.c_str());
    }
}

// What fcoll_overlap_topology and its companions describe.
std::unique_ptr<Topology> Placer::OpenTopology(const Site &site) const {
    NetworkRequest request;
    request.hosts = site.host_of_node;
    Network network = MakeFlatNetwork(request);
    try {
        const std::string path = ParseTopologySpec(settings_.topology[0] == '\0' ? "flat" : settings_.topology);
        const std::string text = ReadText(host_, path);
        request.bandwidths = ParseBandwidths(settings_.topology_bandwidths);
        request.storage = ExpandHostList(settings_.storage_nodes);
        network = MakeNetwork(SourceText{path, text}, request);
    } catch (const Failure &failure) {
        Warn(OVERLAP_WARNING_TOPOLOGY, failure.what());
    }
    if (!network.unknown_storage().empty()) {
        Warn(OVERLAP_WARNING_STORAGE_NODES, JoinNames(network.unknown_storage()));
    }
    return std::make_unique<Topology>(team_.node_map(), std::move(network), site.locality_of_rank);
}

void Placer::ApplyHosts(const PlacementProblem &problem, const Words &hosts, PlacementLimits &limits) const {
    std::vector<std::string> host_of_node;
    const std::int64_t *at = hosts.data();
    while (at < hosts.data() + hosts.size()) {
        host_of_node.push_back(TakeText(at));
    }
    PlacementProblem limited = problem;
    limited.limits = limits;
    try {
        ApplyConfigList(settings_.config_list, host_of_node, problem.nodes, limited.limits);
    } catch (const Failure &failure) {
        Warn(OVERLAP_WARNING_CONFIG_LIST, failure.what());
        return;
    }
    if (limited.Capacity() == 0) {
        Warn(OVERLAP_WARNING_LIMITS, "the hint cb_config_list, \"" + Brief(settings_.config_list) + "\"");
        return;
    }
    limits = std::move(limited.limits);
}

Status Placer::Place(const PlacementProblem &problem, UnsizedMessage &row, Status local, int domains,
                     std::vector<Rank> &aggregators) noexcept {
    hop_bytes_ = -1;
    aggregators.clear();
    if (NeedsShares()) {
        return PlaceOnRankZero(problem, row, local, domains, aggregators);
    }
    return local.ok() ? Guarded([&] { aggregators = strategy_->place(problem, domains); }) : local;
}

Status Placer::PlaceOnRankZero(const PlacementProblem &problem, UnsizedMessage &row, Status local, int domains,
                               std::vector<Rank> &aggregators) noexcept {
    CommunicationMatrix matrix; // on rank 0
    const bool decides = team_.rank() == 0;
    if (decides && local.ok()) {
        local = Guarded([&] { matrix.resize(static_cast<std::size_t>(domains)); });
    }
    Status status = GatherOnRankZero(team_, row, local, [&matrix](Rank rank, const std::int64_t *words, std::size_t count) {
        for (std::size_t i = 0; i < count; i += 2) {
            matrix[static_cast<std::size_t>(words[i])].push_back({rank, words[i + 1]});
        }
    });
    Words chosen; // none where the plugin has failed
    std::string why;
    if (decides && status.ok()) {
        status = Guarded([&] {
            try {
                const std::vector<Rank> ranks = Decide(problem, matrix, domains);
                chosen.assign(ranks.begin(), ranks.end());
            } catch (const Failure &failure) {
                why = failure.what();
            }
        });
    }
    status = team_.Broadcast(chosen, status);
    if (!status.ok()) {
        return status;
    }
    if (!chosen.empty()) {
        return Guarded([&] { aggregators.assign(chosen.begin(), chosen.end()); });
    }
    Warn(OVERLAP_WARNING_PLUGIN, why);
    // For this plan and those that follow. The file has been cut for the limit of the strategy that failed, which is no more
    // than spread has the room for.
    plugin_.reset();
    strategy_ = &PlacementOf(OVERLAP_PLACEMENT_SPREAD);
    ++version_;
    return Place(problem, row, status, domains, aggregators);
}

std::vector<Rank> Placer::Decide(const PlacementProblem &problem, CommunicationMatrix &matrix, int domains) {
    for (DomainBytes &column : matrix) {
        std::sort(column.begin(), column.end(), [](const RankBytes &a, const RankBytes &b) { return a.rank < b.rank; });
    }
    PlacementProblem known = problem;
    known.topology = topology_.get();
    known.matrix = &matrix;
    const bool asks_plugin = strategy_->place == nullptr;
    if (asks_plugin && plugin_ == nullptr) {
        plugin_ = std::make_unique<Plugin>(host_, settings_.plugin);
    }
    std::vector<Rank> chosen = asks_plugin ? plugin_->Place(known, domains) : strategy_->place(known, domains);
    hop_bytes_ = HopBytes(matrix, *topology_, chosen);
    return chosen;
}

std::string Placer::Describe() const {
    std::string text = plugin_ == nullptr ? strategy_->name : plugin_->name();
    if (topology_ != nullptr && NeedsShares()) {
        text += " over " + topology_->network().Describe();
    }
    if (hop_bytes_ >= 0) {
        text += " with " + std::to_string(static_cast<ByteCount>(hop_bytes_)) + " hop-bytes";
    }
    return text;
}

} // namespace overlap
