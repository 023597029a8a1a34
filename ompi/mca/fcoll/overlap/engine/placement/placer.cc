// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "placer.h"

#include "../base/guard.h"
#include "config_list.h"
#include "hop_bytes.h"
#include "plugin.h"
#include "usual_number.h"

#include <algorithm>
#include <array>
#include <sstream>

namespace overlap {
namespace {

bool LooksAtMatrix(overlap_placement placement) {
    return placement != OVERLAP_PLACEMENT_OMPIO && placement != OVERLAP_PLACEMENT_SPREAD;
}

// Of strategies that compare all domains with each other, which an election does not.
bool TakesNetworkNumber(overlap_placement placement) {
    return placement == OVERLAP_PLACEMENT_LOCALITY || placement == OVERLAP_PLACEMENT_LAP ||
           placement == OVERLAP_PLACEMENT_PLUGIN;
}

// What rank 0 has come to, in a broadcast that needs no memory.
struct Decision {
    std::int64_t error = OVERLAP_SUCCESS;
    std::int64_t falls_back = 0;
    std::int64_t without_limits = 0; // they leave too few ranks for spread as well
};

// Collective. The decision of rank 0 to all ranks, which return its error.
Status ShareDecision(const Team &team, Decision &decision) {
    const Status sent = team.Broadcast(&decision, sizeof(decision));
    Status shared(sent.ok() ? static_cast<int>(decision.error) : OVERLAP_SUCCESS);
    shared.Merge(sent);
    return shared;
}

std::string JoinNames(const std::vector<std::string> &names) {
    std::string text;
    for (const std::string &name : names) {
        text += (text.empty() ? "\"" : ", \"") + Brief(name) + "\"";
    }
    return Brief(text);
}

} // namespace

Placer::Placer(const Team &team, const overlap_host &host, const overlap_settings &settings)
    : team_(team), host_(host), settings_(settings), kind_(settings.placement), spread_(MakeSpreadPlacement()),
      leaders_(team) {
    if (kind_ == OVERLAP_PLACEMENT_PLUGIN) {
        strategy_ = MakeSpreadPlacement(); // a plugin takes its place when it is loaded
    } else if (kind_ != OVERLAP_PLACEMENT_TAPIOCA) {
        strategy_ = MakePlacement(kind_);
    }
    limits_.aggregators_per_node = settings_.aggregators_per_node;
    limits_.domains_per_rank = std::max(1, settings_.domains_per_rank);
    limits_.candidates_per_node = settings_.candidates_per_node;
}

// Of a plugin, which rank 0 alone has, and of an election there is no strategy to ask on all ranks.
int Placer::DomainLimit(const PlacementProblem &problem) const {
    if (kind_ == OVERLAP_PLACEMENT_PLUGIN) {
        return NetworkDomainLimit(problem);
    }
    return strategy_ == nullptr ? UsualDomainLimit(problem) : strategy_->DomainLimit(problem);
}

std::string Placer::DescribeNumber(const PlacementProblem &problem) const {
    if (!TakesNumber()) {
        return "as many as OMPIO has";
    }
    return ExplainNumber(TakesNetworkNumber(kind_) ? NetworkNumberOf(problem) : UsualNumberOf(problem), problem);
}

bool Placer::NeedsShares() const { return LooksAtMatrix(kind_); }

Status Placer::Prepare(PlacementProblem &problem) noexcept {
    if (!ListsHosts() && !NeedsShares()) {
        problem.limits = limits_; // without a list there is nothing in them that takes memory
        return Status();
    }
    Status status;
    if (!prepared_) {
        status = Learn(problem);
        prepared_ = status.ok();
    }
    if (status.ok()) {
        status = Guarded([&] { problem.limits = limits_; });
        if (ListsHosts()) {
            status = team_.Agree(status);
        }
    }
    return status;
}

Status Placer::Learn(const PlacementProblem &problem) noexcept {
    Learned learned(limits_);
    Status status = GatherSite(team_, leaders_, learned.site);
    if (team_.rank() == 0 && status.ok()) {
        status = Guarded([&] { LearnOnRankZero(problem, learned); });
    }
    Decision decision;
    decision.error = status.error();
    decision.falls_back = learned.falls_back ? 1 : 0;
    status = ShareDecision(team_, decision);
    if (status.ok() && (ListsHosts() || kind_ == OVERLAP_PLACEMENT_TAPIOCA)) {
        status = Share(learned);
    }
    if (!status.ok()) {
        return status;
    }
    limits_ = std::move(learned.limits);
    ++version_;
    topology_ = std::move(learned.topology);
    if (decision.falls_back != 0) {
        kind_ = OVERLAP_PLACEMENT_SPREAD;
    } else if (learned.plugin != nullptr) {
        strategy_ = std::move(learned.plugin);
    }
    Warn(learned.warnings);
    return status;
}

void Placer::LearnOnRankZero(const PlacementProblem &problem, Learned &learned) const {
    if (ListsHosts()) {
        ReadConfigList(problem, learned);
    }
    if (NeedsShares()) {
        OpenTopology(learned);
    }
    if (kind_ == OVERLAP_PLACEMENT_PLUGIN) {
        try {
            learned.plugin = std::make_unique<PluginPlacement>(host_, settings_.plugin);
        } catch (const PluginFailure &failure) {
            learned.warnings.emplace_back(OVERLAP_WARNING_PLUGIN, failure.what());
            learned.falls_back = true;
        }
    }
}

void Placer::ReadConfigList(const PlacementProblem &problem, Learned &learned) const {
    const Outcome<ConfigList> list = ParseConfigList(settings_.config_list);
    if (!list.ok()) {
        learned.warnings.emplace_back(OVERLAP_WARNING_CONFIG_LIST, list.failure().message);
        return;
    }
    PlacementProblem limited = problem;
    limited.limits = learned.limits;
    ApplyConfigList(list.value(), learned.site.host_of_node, problem.nodes, limited.limits);
    if (Capacity(limited) == 0) {
        learned.warnings.emplace_back(OVERLAP_WARNING_LIMITS,
                                      "the hint cb_config_list, \"" + Brief(settings_.config_list) + "\"");
        return;
    }
    learned.limits = std::move(limited.limits);
}

void Placer::OpenTopology(Learned &learned) const {
    const auto make = [&]() -> NetworkOutcome {
        Outcome<NetworkSource> source = ReadNetworkSource(host_, settings_);
        if (!source.ok()) {
            return source.failure();
        }
        NetworkOutcome network = source.value().Make(learned.site.host_of_node);
        if (network.ok()) {
            learned.source = std::move(source.value());
        }
        return network;
    };
    NetworkOutcome network = make();
    if (!network.ok()) {
        learned.warnings.emplace_back(OVERLAP_WARNING_TOPOLOGY, network.failure().message);
        network = learned.source.Make(learned.site.host_of_node); // flat
    } else if (!network.value()->places().unknown_storage.empty()) {
        learned.warnings.emplace_back(OVERLAP_WARNING_STORAGE_NODES, JoinNames(network.value()->places().unknown_storage));
    }
    learned.topology = MakeTopology(team_, std::move(network.value()), learned.site);
}

// Collective. What rank 0 alone could read and others look at: the limits that a list sets, and for an election the network,
// since the leaders compare distances as well.
Status Placer::Share(Learned &learned) const noexcept {
    Words words;
    Status status;
    if (team_.rank() == 0) {
        status = Guarded([&] { AppendShared(learned, words); });
    }
    status = team_.Broadcast(words, status);
    if (!status.ok()) {
        return status;
    }
    if (team_.rank() != 0) {
        status = Guarded([&] { TakeShared(words, learned); });
    }
    return team_.Agree(status);
}

void Placer::AppendShared(const Learned &learned, Words &words) const {
    const PlacementLimits &limits = learned.limits;
    std::string allowed(limits.only == nullptr ? 0 : static_cast<std::size_t>(team_.size()), 0);
    for (std::size_t rank = 0; rank < allowed.size(); ++rank) {
        allowed[rank] = limits.only->Has(static_cast<Rank>(rank)) ? 1 : 0;
    }
    AppendText(words, allowed);
    words.push_back(static_cast<std::int64_t>(limits.of_node.size()));
    words.insert(words.end(), limits.of_node.begin(), limits.of_node.end());
    if (kind_ == OVERLAP_PLACEMENT_TAPIOCA) {
        for (const std::string &host : learned.site.host_of_node) {
            AppendText(words, host);
        }
        AppendSource(words, learned.source);
    }
}

void Placer::TakeShared(const Words &words, Learned &learned) const {
    const std::int64_t *at = words.data();
    const std::string allowed = TakeText(at);
    if (!allowed.empty()) {
        learned.limits.only = std::make_shared<RankSet>(team_.node_map(), std::vector<char>(allowed.begin(), allowed.end()));
    }
    const auto nodes = static_cast<std::size_t>(*at++);
    learned.limits.of_node.assign(at, at + nodes);
    at += nodes;
    if (kind_ == OVERLAP_PLACEMENT_TAPIOCA && leaders_.IsLeader(team_.rank())) {
        for (std::string &host : learned.site.host_of_node) {
            host = TakeText(at);
        }
        learned.source = TakeSource(at);
        NetworkOutcome network = learned.source.Make(learned.site.host_of_node);
        // Rank 0 has made one of the same text.
        learned.topology = MakeTopology(team_, std::move(network.value()), learned.site);
    }
}

Status Placer::Place(const PlacementProblem &problem, const std::vector<DomainShare> &own, Status local, int domains,
                     std::vector<Rank> &aggregators) noexcept {
    hop_bytes_ = -1;
    aggregators.clear();
    if (!NeedsShares()) {
        if (local.ok()) {
            local = Guarded([&] { aggregators = strategy_->Place(problem, domains); });
        }
        return local;
    }
    if (kind_ != OVERLAP_PLACEMENT_TAPIOCA) {
        return PlaceOnRankZero(problem, own, local, domains, aggregators);
    }
    const Status status = ElectAggregators(team_, leaders_, problem, topology_.get(), own, local, domains, aggregators);
    if (status.ok() && aggregators.empty()) {
        if (team_.rank() == 0) {
            host_.warn(host_.self, OVERLAP_WARNING_LIMITS, "placement tapioca");
        }
        return FallBack(problem, true, domains, aggregators);
    }
    return status;
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
            matrix.resize(decides ? static_cast<std::size_t>(domains) : 0);
        });
    }
    const auto add = [&](Rank rank, const std::int64_t *words, std::size_t count) {
        for (std::size_t i = 0; i < count && decides; i += 2) {
            matrix[static_cast<std::size_t>(words[i])].push_back({rank, words[i + 1]});
        }
    };
    Status status = GatherOnRankZero(team_, leaders_, row, local, add);
    Decision decision;
    Warnings warnings;
    if (decides && status.ok()) {
        status = Guarded([&] {
            Decide(problem, matrix, aggregators, warnings);
            decision.without_limits = !warnings.empty() && Capacity(problem) < domains ? 1 : 0;
        });
        decision.falls_back = warnings.empty() ? 0 : 1;
    }
    decision.error = status.error();
    status = ShareDecision(team_, decision);
    if (status.ok() && decision.falls_back == 0) {
        status = team_.Broadcast(aggregators.data(), aggregators.size() * sizeof(aggregators[0]));
    }
    if (!status.ok() || decision.falls_back != 0) {
        aggregators.clear();
    }
    if (status.ok() && decision.falls_back != 0) {
        Warn(warnings);
        return FallBack(problem, decision.without_limits != 0, domains, aggregators);
    }
    return status;
}

// On rank 0. A warning is why there is no answer.
void Placer::Decide(const PlacementProblem &problem, CommunicationMatrix &matrix, std::vector<Rank> &aggregators,
                    Warnings &warnings) {
    for (DomainBytes &column : matrix) {
        std::sort(column.begin(), column.end(), [](const RankBytes &a, const RankBytes &b) { return a.rank < b.rank; });
    }
    PlacementProblem known = problem;
    known.topology = topology_.get();
    known.matrix = &matrix;
    try {
        const std::vector<Rank> chosen = strategy_->Place(known, static_cast<int>(matrix.size()));
        std::copy(chosen.begin(), chosen.end(), aggregators.begin());
        hop_bytes_ = HopBytes(matrix, *topology_, chosen);
    } catch (const PluginFailure &failure) {
        warnings.emplace_back(OVERLAP_WARNING_PLUGIN, failure.what());
    } catch (const std::invalid_argument &failure) {
        warnings.emplace_back(OVERLAP_WARNING_LIMITS, failure.what());
    }
}

// All ranks alike, for this plan and those that follow. The file has been cut for the limit of the strategy that failed,
// which is no more than spread has the room for. What changes takes no memory, and so is the same on all ranks where a rank
// has none for the answer.
Status Placer::FallBack(const PlacementProblem &problem, bool without_limits, int domains,
                        std::vector<Rank> &aggregators) noexcept {
    kind_ = OVERLAP_PLACEMENT_SPREAD;
    strategy_ = std::move(spread_);
    ++version_;
    if (without_limits) {
        PlacementLimits none;
        none.domains_per_rank = limits_.domains_per_rank;
        limits_ = std::move(none);
    }
    return Guarded([&] {
        PlacementProblem known = problem;
        known.limits = limits_;
        aggregators = strategy_->Place(known, domains);
    });
}

void Placer::Warn(const Warnings &warnings) const {
    for (const auto &[warning, why] : warnings) {
        host_.warn(host_.self, warning, why.c_str());
    }
}

std::string Placer::Describe() const {
    std::ostringstream text;
    text << (strategy_ == nullptr ? overlap_placement_names[kind_] : strategy_->name());
    if (topology_ != nullptr && NeedsShares()) {
        text << " over " << topology_->network().Describe();
    }
    if (hop_bytes_ >= 0) {
        text << " with " << static_cast<ByteCount>(hop_bytes_) << " hop-bytes";
    }
    return text.str();
}

} // namespace overlap
