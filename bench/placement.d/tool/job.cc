// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "job.h"

#include <algorithm>
#include <chrono>
#include <random>
#include <stdexcept>

namespace placement {
namespace {

std::vector<std::string> HostsOf(const Options &options, std::size_t nodes) {
    std::vector<std::string> hosts;
    if (options.hosts.empty()) {
        for (std::size_t node = 0; node < nodes; ++node) {
            hosts.push_back("node" + std::to_string(node));
        }
        return hosts;
    }
    const std::vector<std::string> known = overlap::ExpandHostList(options.hosts);
    if (known.size() < nodes) {
        throw std::invalid_argument("--hosts names " + std::to_string(known.size()) + " hosts, the job needs " +
                                    std::to_string(nodes));
    }
    if (options.scatter < 0) {
        hosts.assign(known.begin(), known.begin() + static_cast<std::ptrdiff_t>(nodes));
    } else {
        std::mt19937 random(static_cast<unsigned>(options.scatter));
        std::sample(known.begin(), known.end(), std::back_inserter(hosts), nodes, random);
    }
    return hosts;
}

std::shared_ptr<const bench::WiredNetwork> NetworkOf(const Options &options, std::size_t nodes) {
    overlap::NetworkRequest request;
    request.hosts = HostsOf(options, nodes);
    request.storage = overlap::ExpandHostList(options.storage);
    request.latency = options.latency_us * 1e-6;
    for (const double gigabytes : options.bandwidths) {
        request.bandwidths.push_back(gigabytes * 1e9);
    }
    auto network = bench::MakeWiredNetwork(bench::ReadNetworkSource(options.topology), request);
    if (!network->unknown_storage().empty()) {
        throw std::invalid_argument("--storage-nodes: the topology knows no " + network->unknown_storage().front());
    }
    return network;
}

const overlap::Placement &StrategyOf(const std::string &name) {
    int placement = OVERLAP_PLACEMENT_OMPIO;
    while (placement < OVERLAP_PLACEMENT_TAPIOCA && name != overlap_placement_names[placement]) {
        ++placement;
    }
    return overlap::PlacementOf(static_cast<overlap_placement>(placement));
}

// The lowest ranks of each node, node after node: ROMIO's default, and what Liu, Zhou and Guo compare with.
std::vector<Rank> LowestRanks(const overlap::Topology &topology, int domains) {
    const int each = std::max(1, (domains + topology.nodes() - 1) / topology.nodes());
    std::vector<Rank> ranks;
    for (int node = 0; node < topology.nodes(); ++node) {
        for (int i = 0; i < std::min(topology.node_map().CountOf(node), each); ++i) {
            ranks.push_back(topology.node_map().RankOf(node, i));
        }
    }
    std::sort(ranks.begin(), ranks.end());
    return ranks;
}

void SetLimits(const Options &options, overlap::PlacementProblem &problem) {
    problem.limits.aggregators_per_node = options.aggregators_per_node;
    problem.limits.domains_per_rank = options.domains_per_rank;
    problem.limits.candidates_per_node = options.candidates_per_node;
    if (!options.allowed.empty()) {
        std::vector<char> allowed(static_cast<std::size_t>(options.ranks), 0);
        for (const Rank rank : options.allowed) {
            if (rank < 0 || rank >= options.ranks) {
                throw std::invalid_argument("--allowed names rank " + std::to_string(rank) + ", which there is not");
            }
            allowed[static_cast<std::size_t>(rank)] = 1;
        }
        problem.limits.only = overlap::ChosenRanks(problem.nodes, allowed);
    }
}

} // namespace

std::unique_ptr<Job> MakeJob(const Options &options) {
    auto job = std::make_unique<Job>();
    const int nodes = (options.ranks + options.ranks_per_node - 1) / options.ranks_per_node;
    const auto map =
        overlap::NodeMap({nodes, options.cyclic ? 1 : options.ranks_per_node, nullptr, nullptr, nullptr}, options.ranks);
    job->network = NetworkOf(options, static_cast<std::size_t>(nodes));
    job->topology = std::make_unique<overlap::Topology>(map, static_cast<const overlap::Network &>(*job->network));
    overlap::PlacementProblem &problem = job->problem;
    problem.nodes = map;
    problem.topology = job->topology.get();
    problem.matrix = &job->matrix;
    SetLimits(options, problem);
    if (options.pattern == nullptr) {
        job->matrix = ReadMatrix(options.matrix, bench::ReadFile(options.matrix), options.ranks);
    } else {
        problem.requested = options.domains > 0
                                ? options.domains
                                : nodes * std::max(1, options.aggregators_per_node) * options.domains_per_rank;
        const int limit = overlap::PlacementOf(OVERLAP_PLACEMENT_SPREAD).DomainLimit(problem);
        const FileOffset extent = options.pattern->Extent(options.ranks);
        const Cut cut = options.static_partition ? CutStatically(extent, limit, options.alignment, options.targets)
                                                 : CutEvenly(extent, limit, options.alignment);
        job->matrix = CountBytes(*options.pattern, options.ranks, cut);
    }
    problem.ompio = LowestRanks(*job->topology, static_cast<int>(job->matrix.size()));
    return job;
}

Result Evaluate(const Job &job, const std::string &strategy) {
    Result result;
    result.strategy = strategy;
    const overlap::Placement &placement = StrategyOf(strategy);
    const auto start = std::chrono::steady_clock::now();
    result.aggregators = placement.place(job.problem, static_cast<int>(job.matrix.size()));
    result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    result.hop_bytes = overlap::HopBytes(job.matrix, *job.topology, result.aggregators);
    result.load = LoadLinks(job.matrix, *job.topology, *job.network, result.aggregators);
    return result;
}

} // namespace placement
