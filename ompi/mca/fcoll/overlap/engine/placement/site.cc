// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "site.h"

#include "../base/guard.h"

#include <cstdlib>
#include <cstring>
#include <system_error>

namespace overlap {
namespace {

constexpr std::size_t kWordBytes = sizeof(std::int64_t);

Outcome<std::string> ReadText(const overlap_host &host, const std::string &path) {
    char *text = nullptr;
    std::size_t length = 0;
    const int error = host.read_text(host.self, path.c_str(), &text, &length);
    if (error != 0) {
        return Failure{Brief(path) + ": " + std::generic_category().message(error)};
    }
    const std::unique_ptr<char, decltype(&std::free)> owner(text, std::free);
    return std::string(text, length);
}

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

Status GatherSite(const Team &team, Site &site) noexcept {
    const NodeMap &nodes = team.node_map();
    UnsizedMessage own;
    const Status local = Guarded([&] {
        if (team.rank() == 0) {
            site.host_of_node.resize(static_cast<std::size_t>(nodes.nodes()));
            site.locality_of_rank.resize(static_cast<std::size_t>(team.size()));
        }
        Words words;
        AppendText(words, team.transport().locality);
        const bool leads = nodes.FirstOf(nodes.NodeOf(team.rank())) == team.rank();
        AppendText(words, leads ? team.transport().host : "");
        own.Add(words.data(), words.size());
    });
    return GatherOnRankZero(team, own, local, [&site, &nodes](Rank rank, const std::int64_t *words, std::size_t /*count*/) {
        site.locality_of_rank[static_cast<std::size_t>(rank)] = TakeText(words);
        std::string host = TakeText(words);
        if (!host.empty()) {
            site.host_of_node[static_cast<std::size_t>(nodes.NodeOf(rank))] = std::move(host);
        }
    });
}

NetworkOutcome ReadNetwork(const overlap_host &host, const overlap_settings &settings,
                           const std::vector<std::string> &host_of_node) {
    const Outcome<TopologySpec> spec = ParseTopologySpec(settings.topology[0] == '\0' ? "flat" : settings.topology);
    if (!spec.ok()) {
        return spec.failure();
    }
    const std::string &path = spec.value().file;
    const Outcome<std::string> text = path.empty() ? Outcome<std::string>(std::string()) : ReadText(host, path);
    if (!text.ok()) {
        return text.failure();
    }
    Outcome<std::vector<double>> bandwidths = ParseBandwidths(settings.topology_bandwidths);
    if (!bandwidths.ok()) {
        return bandwidths.failure();
    }
    Outcome<std::vector<std::string>> storage = ParseStorageNodes(settings.storage_nodes);
    if (!storage.ok()) {
        return storage.failure();
    }
    NetworkRequest request;
    request.hosts = host_of_node;
    request.storage = std::move(storage.value());
    request.rates.bandwidths = std::move(bandwidths.value());
    return MakeNetwork(spec.value(), text.value(), request);
}

} // namespace overlap
