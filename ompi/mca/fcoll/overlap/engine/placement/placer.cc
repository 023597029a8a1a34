#include "placer.h"

#include "../guard.h"
#include "config_list.h"
#include "hop_bytes.h"
#include "plugin.h"

#include <algorithm>
#include <sstream>

namespace overlap {
namespace {

bool LooksAtMatrix(overlap_placement placement) {
    return placement != OVERLAP_PLACEMENT_OMPIO && placement != OVERLAP_PLACEMENT_SPREAD;
}

// The first words of what rank 0 tells the others.
enum VerdictWord : std::size_t { kError = 0, kFallBack, kVerdictWords };

} // namespace

Placer::Placer(const overlap_transport &transport, const overlap_host &host, const overlap_settings &settings)
    : transport_(transport), host_(host), settings_(settings), kind_(settings.placement) {
    // A plugin takes this place when it is loaded.
    strategy_ = MakePlacement(kind_ == OVERLAP_PLACEMENT_PLUGIN ? OVERLAP_PLACEMENT_SPREAD : kind_);
    limits_.aggregators_per_node = settings_.aggregators_per_node;
    limits_.domains_per_rank = std::max(1, settings_.domains_per_rank);
}

bool Placer::NeedsShares() const { return LooksAtMatrix(kind_); }

Status Placer::Prepare(PlacementProblem &problem) {
    Status status;
    if (!prepared_) {
        status = Learn(problem);
        prepared_ = status.ok();
    }
    problem.limits = limits_;
    return status;
}

Status Placer::Learn(PlacementProblem &problem) {
    const bool lists_hosts = settings_.config_list[0] != '\0';
    if (!lists_hosts && !NeedsShares()) {
        return Status();
    }
    leaders_ = std::make_unique<Leaders>(transport_);
    Status status = GatherSite(transport_, *leaders_, site_);
    Words verdict(kVerdictWords, 0);
    if (transport_.rank == 0 && status.ok()) {
        status = Guarded([&] {
            if (lists_hosts) {
                MakeLimits(problem);
            }
            if (NeedsShares()) {
                OpenTopology();
            }
            if (kind_ == OVERLAP_PLACEMENT_PLUGIN) {
                try {
                    strategy_ = std::make_unique<PluginPlacement>(host_, settings_.plugin);
                } catch (const PluginFailure &failure) {
                    Warn(OVERLAP_WARNING_PLUGIN, failure.what());
                    verdict[kFallBack] = 1;
                }
            }
        });
    }
    status = ShareVerdict(status, verdict);
    if (!status.ok()) {
        return status;
    }
    if (verdict[kFallBack] != 0) {
        kind_ = OVERLAP_PLACEMENT_SPREAD;
    }
    if (lists_hosts) {
        status = ShareLimits(problem);
    }
    if (kind_ == OVERLAP_PLACEMENT_TAPIOCA) {
        status.Merge(ShareTopology());
    }
    return status;
}

// On rank 0.
void Placer::MakeLimits(const PlacementProblem &problem) {
    const Outcome<ConfigList> list = ParseConfigList(settings_.config_list);
    if (!list.ok()) {
        Warn(OVERLAP_WARNING_CONFIG_LIST, list.failure().message);
        return;
    }
    PlacementProblem limited = problem;
    limited.limits = limits_;
    ApplyConfigList(list.value(), site_.host_of_node, problem.ranks, problem.node_of_rank, limited.limits);
    if (Capacity(limited) == 0) {
        Warn(OVERLAP_WARNING_LIMITS, "the hint cb_config_list, \"" + std::string(settings_.config_list) + "\"");
        return;
    }
    limits_ = std::move(limited.limits);
}

// On rank 0.
void Placer::OpenTopology() {
    Outcome<NetworkSource> source = ReadNetworkSource(host_, settings_);
    std::string why;
    if (source.ok()) {
        const NetworkOutcome network = source.value().Make(site_.host_of_node);
        why = network.ok() ? "" : network.failure().message;
    } else {
        why = source.failure().message;
    }
    if (why.empty()) {
        source_ = std::move(source.value());
    } else {
        Warn(OVERLAP_WARNING_TOPOLOGY, why);
    }
    topology_ = MakeTopology(transport_, source_, site_);
}

// Collective. Rank 0 alone could read the list.
Status Placer::ShareLimits(const PlacementProblem &problem) {
    const auto nodes = static_cast<std::size_t>(leaders_->nodes());
    const auto ranks = static_cast<std::size_t>(problem.ranks);
    std::vector<int> words(1 + nodes + ranks, 0);
    if (!limits_.allowed.empty()) {
        words[0] = 1;
        std::copy(limits_.allowed.begin(), limits_.allowed.end(), words.begin() + 1 + leaders_->nodes());
        std::fill_n(words.begin() + 1, nodes, problem.ranks);
        std::copy(limits_.of_node.begin(), limits_.of_node.end(), words.begin() + 1);
    }
    const Status status(transport_.broadcast(transport_.self, words.data(), words.size() * sizeof(words[0])));
    if (status.ok() && words[0] != 0) {
        limits_.of_node.assign(words.begin() + 1, words.begin() + 1 + leaders_->nodes());
        limits_.allowed.assign(ranks, 0);
        for (std::size_t rank = 0; rank < ranks; ++rank) {
            limits_.allowed[rank] = words[1 + nodes + rank] != 0 ? 1 : 0;
        }
    }
    return status;
}

// Collective. In an election the leaders compare distances as well.
Status Placer::ShareTopology() {
    Status status = ShareHosts(transport_, site_);
    status.Merge(ShareNetworkSource(transport_, source_));
    std::int64_t error = status.error();
    if (status.ok() && topology_ == nullptr && leaders_->IsLeader(transport_.rank)) {
        error = Guarded([&] { topology_ = MakeTopology(transport_, source_, site_); }).error();
    }
    status.Merge(Status(transport_.allreduce(transport_.self, &error, 1, OVERLAP_REDUCE_MAX)));
    status.Merge(Status(static_cast<int>(error)));
    return status;
}

// Collective. `verdict` of rank 0 to all ranks, which return its error.
Status Placer::ShareVerdict(Status status, Words &verdict) const {
    verdict[kError] = status.error();
    const Status sent(transport_.broadcast(transport_.self, verdict.data(), verdict.size() * sizeof(verdict[0])));
    Status shared(sent.ok() ? static_cast<int>(verdict[kError]) : 0);
    shared.Merge(sent);
    return shared;
}

Status Placer::Place(PlacementProblem problem, const std::vector<DomainShare> &own, Status local, int domains,
                     std::vector<Rank> &aggregators) {
    hop_bytes_ = -1;
    problem.topology = topology_.get();
    if (!NeedsShares()) {
        local.Merge(Guarded([&] { aggregators = strategy_->Place(problem, domains); }));
        return local;
    }
    if (kind_ != OVERLAP_PLACEMENT_TAPIOCA) {
        return PlaceOnRankZero(problem, own, local, domains, aggregators);
    }
    const Status status = ElectAggregators(transport_, *leaders_, problem, own, local, domains, aggregators);
    if (status.ok() && aggregators.empty()) {
        Warn(OVERLAP_WARNING_LIMITS, "placement tapioca");
        return FallBack(problem, domains, aggregators);
    }
    return status;
}

Status Placer::PlaceOnRankZero(const PlacementProblem &problem, const std::vector<DomainShare> &own, Status local,
                               int domains, std::vector<Rank> &aggregators) {
    Words row;
    local.Merge(Guarded([&] {
        for (const DomainShare &share : own) {
            row.insert(row.end(), {share.domain, share.bytes});
        }
    }));
    CommunicationMatrix matrix(transport_.rank == 0 ? static_cast<std::size_t>(domains) : 0); // elsewhere it stays empty
    Status status =
        GatherOnRankZero(transport_, *leaders_, row, local, [&](Rank rank, const std::int64_t *words, std::size_t count) {
            for (std::size_t i = 0; i < count && !matrix.empty(); i += 2) {
                matrix[static_cast<std::size_t>(words[i])].push_back({rank, words[i + 1]});
            }
        });
    Words verdict(kVerdictWords + static_cast<std::size_t>(domains), 0);
    if (transport_.rank == 0 && status.ok()) {
        for (DomainBytes &column : matrix) {
            std::sort(column.begin(), column.end(), [](const RankBytes &a, const RankBytes &b) { return a.rank < b.rank; });
        }
        PlacementProblem known = problem;
        known.matrix = &matrix;
        status = Decide(known, domains, verdict);
    }
    status = ShareVerdict(status, verdict);
    if (status.ok() && verdict[kFallBack] != 0) {
        return FallBack(problem, domains, aggregators);
    }
    if (status.ok()) {
        aggregators.assign(verdict.begin() + kVerdictWords, verdict.end());
    }
    return status;
}

// On rank 0.
Status Placer::Decide(const PlacementProblem &problem, int domains, Words &verdict) {
    return Guarded([&] {
        try {
            const std::vector<Rank> chosen = strategy_->Place(problem, domains);
            std::copy(chosen.begin(), chosen.end(), verdict.begin() + kVerdictWords);
            hop_bytes_ = HopBytes(*problem.matrix, *problem.topology, chosen);
        } catch (const PluginFailure &failure) {
            Warn(OVERLAP_WARNING_PLUGIN, failure.what());
            verdict[kFallBack] = 1;
        } catch (const std::invalid_argument &failure) {
            Warn(OVERLAP_WARNING_LIMITS, failure.what());
            verdict[kFallBack] = 1;
        }
    });
}

// All ranks alike, for this plan and those that follow. The file has been cut for the limit of the strategy that failed,
// which is that of spread.
Status Placer::FallBack(PlacementProblem problem, int domains, std::vector<Rank> &aggregators) {
    return Guarded([&] {
        kind_ = OVERLAP_PLACEMENT_SPREAD;
        strategy_ = MakePlacement(kind_);
        if (Capacity(problem) < domains) {
            limits_ = PlacementLimits();
            limits_.domains_per_rank = problem.limits.domains_per_rank;
            problem.limits = limits_;
        }
        aggregators = strategy_->Place(problem, domains);
    });
}

void Placer::Warn(overlap_warning warning, const std::string &why) const {
    if (transport_.rank == 0) {
        host_.warn(host_.self, warning, why.c_str());
    }
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
