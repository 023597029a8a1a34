// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "site.h"

#include "../base/guard.h"
#include "topology/host_list.h"

#include <cstdlib>
#include <cstring>
#include <system_error>

namespace overlap {
namespace {

constexpr std::size_t kWordBytes = sizeof(std::int64_t);

} // namespace

void AppendText(Words &words, const std::string &text) {
    const std::size_t at = words.size() + 1;
    words.push_back(static_cast<std::int64_t>(text.size()));
    words.resize(at + (text.size() + kWordBytes - 1) / kWordBytes, 0);
    std::memcpy(words.data() + at, text.data(), text.size());
}

std::string TakeText(const std::int64_t *&words) {
    const auto bytes = static_cast<std::size_t>(*words++);
    std::string text(reinterpret_cast<const char *>(words), bytes);
    words += (bytes + kWordBytes - 1) / kWordBytes;
    return text;
}

Status GatherSite(const Team &team, const Leaders &leaders, Site &site) noexcept {
    UnsizedMessage own;
    const Status local = Guarded([&] {
        const bool leads = leaders.IsLeader(team.rank());
        if (leads) {
            site.host_of_node.resize(static_cast<std::size_t>(leaders.nodes()));
            site.locality_of_rank.resize(static_cast<std::size_t>(team.size()));
        }
        Words words;
        AppendText(words, team.transport().locality);
        AppendText(words, leads ? team.transport().host : "");
        own.Add(words.data(), words.size());
    });
    const auto visitor = [&](Rank rank, const std::int64_t *words, std::size_t /*count*/) {
        site.locality_of_rank[static_cast<std::size_t>(rank)] = TakeText(words);
        if (leaders.IsLeader(rank)) {
            site.host_of_node[static_cast<std::size_t>(leaders.node_map.NodeOf(rank))] = TakeText(words);
        }
    };
    return GatherOnRankZero(team, leaders, own, local, visitor);
}

NetworkOutcome NetworkSource::Make(const std::vector<std::string> &host_of_node) const {
    const Outcome<TopologySpec> spec = ParseTopologySpec(topology);
    if (!spec.ok()) {
        return spec.failure();
    }
    Outcome<std::vector<double>> rates = ParseBandwidths(bandwidths);
    if (!rates.ok()) {
        return rates.failure();
    }
    Outcome<std::vector<std::string>> storage = ParseStorageNodes(storage_nodes);
    if (!storage.ok()) {
        return storage.failure();
    }
    NetworkRequest request;
    request.hosts = host_of_node;
    request.storage = std::move(storage.value());
    request.rates.bandwidths = std::move(rates.value());
    return MakeNetwork(spec.value(), text, request);
}

Outcome<NetworkSource> ReadNetworkSource(const overlap_host &host, const overlap_settings &settings) {
    NetworkSource source;
    if (settings.topology[0] != '\0') {
        source.topology = settings.topology;
    }
    source.bandwidths = settings.topology_bandwidths;
    source.storage_nodes = settings.storage_nodes;
    const Outcome<TopologySpec> spec = ParseTopologySpec(source.topology);
    if (!spec.ok()) {
        return spec.failure();
    }
    const std::string &path = spec.value().file;
    if (!path.empty()) {
        char *text = nullptr;
        std::size_t length = 0;
        const int error = host.read_text(host.self, path.c_str(), &text, &length);
        if (error != 0) {
            return Failure{Brief(path) + ": " + std::generic_category().message(error)};
        }
        const std::unique_ptr<char, decltype(&std::free)> owner(text, std::free);
        source.text.assign(text, length);
    }
    return source;
}

void AppendSource(Words &words, const NetworkSource &source) {
    AppendText(words, source.topology);
    AppendText(words, source.bandwidths);
    AppendText(words, source.storage_nodes);
    AppendText(words, source.text);
}

NetworkSource TakeSource(const std::int64_t *&words) {
    NetworkSource source;
    source.topology = TakeText(words);
    source.bandwidths = TakeText(words);
    source.storage_nodes = TakeText(words);
    source.text = TakeText(words);
    return source;
}

std::unique_ptr<Topology> MakeTopology(const Team &team, std::unique_ptr<Network> network, const Site &site) {
    return std::make_unique<Topology>(team.node_map(), std::shared_ptr<const Network>(std::move(network)),
                                      std::make_shared<IntraNode>(site.locality_of_rank));
}

} // namespace overlap
