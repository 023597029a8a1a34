// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "placer.h"

#include "../base/guard.h"
#include "config_list.h"

#include <algorithm>
#include <sstream>

namespace overlap {
namespace {

// What rank 0 has come to, in a broadcast that needs no memory.
struct Decision {
    std::int64_t error = OVERLAP_SUCCESS;
    std::int64_t falls_back = 0;
};

std::string JoinNames(const std::vector<std::string> &names) {
    std::string text;
    for (const std::string &name : names) {
        text += (text.empty() ? "\"" : ", \"") + Brief(name) + "\"";
    }
    return Brief(text);
}

} // namespace

Placer::Placer(const Team &team, const overlap_host &host, const overlap_settings &settings)
    : team_(team), host_(host), settings_(settings),
      strategy_(settings.placement == OVERLAP_PLACEMENT_PLUGIN ? MakePluginPlacement(host, settings_.plugin)
                                                               : MakePlacement(settings.placement)),
      spread_(MakeSpreadPlacement()) {
    limits_.aggregators_per_node = settings_.aggregators_per_node;
    limits_.domains_per_rank = std::max(1, settings_.domains_per_rank);
    limits_.candidates_per_node = settings_.candidates_per_node;
}

Status Placer::Prepare(PlacementProblem &problem) noexcept {
    if (!learned_ && (ListsHosts() || NeedsShares())) {
        const Status status = Learn(problem);
        if (!status.ok()) {
            return status;
        }
        learned_ = true;
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
    Warnings warnings;
    Status status = GatherSite(team_, site);
    if (team_.rank() == 0 && status.ok()) {
        status = Guarded([&] {
            for (std::size_t node = 0; ListsHosts() && node < site.host_of_node.size(); ++node) {
                AppendText(hosts, site.host_of_node[node]);
            }
            topology = NeedsShares() ? OpenTopology(site, warnings) : nullptr;
        });
    }
    status = team_.Broadcast(hosts, status);
    PlacementLimits limits = limits_;
    if (status.ok() && ListsHosts()) {
        status = team_.Agree(Guarded([&] { limits = LimitsOfList(problem, hosts, warnings); }));
    }
    if (!status.ok()) {
        return status;
    }
    limits_ = std::move(limits);
    ++version_;
    topology_ = std::move(topology);
    if (team_.rank() == 0) {
        for (const auto &[warning, why] : warnings) {
            host_.warn(host_.self, warning, why.c_str());
        }
    }
    return status;
}

std::unique_ptr<Topology> Placer::OpenTopology(const Site &site, Warnings &warnings) const {
    NetworkOutcome network = ReadNetwork(host_, settings_, site.host_of_node);
    if (!network.ok()) {
        warnings.emplace_back(OVERLAP_WARNING_TOPOLOGY, network.failure().message);
        NetworkRequest request;
        request.hosts = site.host_of_node;
        network = MakeFlatNetwork(request);
    }
    const std::vector<std::string> &unknown = network.value()->places().unknown_storage;
    if (!unknown.empty()) {
        warnings.emplace_back(OVERLAP_WARNING_STORAGE_NODES, JoinNames(unknown));
    }
    return std::make_unique<Topology>(team_.node_map(), std::move(network.value()), site.locality_of_rank);
}

PlacementLimits Placer::LimitsOfList(const PlacementProblem &problem, const Words &hosts, Warnings &warnings) const {
    const Outcome<ConfigList> list = ParseConfigList(settings_.config_list);
    if (!list.ok()) {
        warnings.emplace_back(OVERLAP_WARNING_CONFIG_LIST, list.failure().message);
        return limits_;
    }
    std::vector<std::string> host_of_node;
    const std::int64_t *at = hosts.data();
    while (at < hosts.data() + hosts.size()) {
        host_of_node.push_back(TakeText(at));
    }
    PlacementProblem limited = problem;
    limited.limits = limits_;
    ApplyConfigList(list.value(), host_of_node, problem.nodes, limited.limits);
    if (limited.Capacity() == 0) {
        warnings.emplace_back(OVERLAP_WARNING_LIMITS, "the hint cb_config_list, \"" + Brief(settings_.config_list) + "\"");
        return limits_;
    }
    return limited.limits;
}

Status Placer::Place(const PlacementProblem &problem, const std::vector<DomainShare> &own, Status local, int domains,
                     std::vector<Rank> &aggregators) noexcept {
    hop_bytes_ = -1;
    aggregators.clear();
    if (NeedsShares()) {
        return PlaceOnRankZero(problem, own, local, domains, aggregators);
    }
    return local.ok() ? Guarded([&] { aggregators = strategy_->Place(problem, domains); }) : local;
}

// All memory is taken before the rows are gathered, so that a rank which lacks some can say so with its row.
Status Placer::PlaceOnRankZero(const PlacementProblem &problem, const std::vector<DomainShare> &own, Status local,
                               int domains, std::vector<Rank> &aggregators) noexcept {
    UnsizedMessage row;
    CommunicationMatrix matrix; // on rank 0
    const bool decides = team_.rank() == 0;
    if (local.ok()) {
        local = Guarded([&] {
            aggregators.resize(static_cast<std::size_t>(domains));
            row.Reserve(2 * own.size());
            for (const DomainShare &share : own) {
                row.Add({share.domain, share.bytes});
            }
            matrix.resize(decides ? aggregators.size() : 0);
        });
    }
    Status status = GatherOnRankZero(team_, row, local, [&matrix](Rank rank, const std::int64_t *words, std::size_t count) {
        for (std::size_t i = 0; i < count; i += 2) {
            matrix[static_cast<std::size_t>(words[i])].push_back({rank, words[i + 1]});
        }
    });
    Decision decision;
    std::string why;
    if (decides && status.ok()) {
        status = Guarded([&] {
            try {
                Decide(problem, matrix, aggregators);
            } catch (const PluginFailure &failure) {
                why = failure.what();
                decision.falls_back = 1;
            }
        });
    }
    decision.error = status.error();
    const Status sent = team_.Broadcast(&decision, sizeof(decision));
    status = Status(sent.ok() ? static_cast<int>(decision.error) : OVERLAP_SUCCESS);
    status.Merge(sent);
    if (status.ok() && decision.falls_back == 0) {
        status = team_.Broadcast(aggregators.data(), aggregators.size() * sizeof(aggregators[0]));
    }
    if (!status.ok()) {
        aggregators.clear();
    } else if (decision.falls_back != 0) {
        if (decides) {
            host_.warn(host_.self, OVERLAP_WARNING_PLUGIN, why.c_str());
        }
        FallBack();
        return Place(problem, own, status, domains, aggregators);
    }
    return status;
}

// For this plan and those that follow. The file has been cut for the limit of the strategy that failed, which is no more
// than spread has the room for. What changes takes no memory, and so is the same on all ranks.
void Placer::FallBack() noexcept {
    strategy_ = std::move(spread_);
    ++version_;
}

void Placer::Decide(const PlacementProblem &problem, CommunicationMatrix &matrix, std::vector<Rank> &aggregators) {
    for (DomainBytes &column : matrix) {
        std::sort(column.begin(), column.end(), [](const RankBytes &a, const RankBytes &b) { return a.rank < b.rank; });
    }
    PlacementProblem known = problem;
    known.topology = topology_.get();
    known.matrix = &matrix;
    const std::vector<Rank> chosen = strategy_->Place(known, static_cast<int>(matrix.size()));
    std::copy(chosen.begin(), chosen.end(), aggregators.begin());
    hop_bytes_ = HopBytes(matrix, *topology_, chosen);
}

std::string Placer::Describe() const {
    std::ostringstream text;
    text << strategy_->name();
    if (topology_ != nullptr && NeedsShares()) {
        text << " over " << topology_->network().Describe();
    }
    if (hop_bytes_ >= 0) {
        text << " with " << static_cast<ByteCount>(hop_bytes_) << " hop-bytes";
    }
    return text.str();
}

} // namespace overlap
