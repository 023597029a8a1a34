#include "site.h"

#include "../guard.h"
#include "../topology/host_list.h"

#include <cstdlib>
#include <cstring>
#include <system_error>

namespace overlap {
namespace {

constexpr std::size_t kWordBytes = sizeof(std::int64_t);

void AppendDouble(Words &words, double value) { std::memcpy(&words.emplace_back(), &value, sizeof(value)); }

double TakeDouble(const std::int64_t *&words) {
    double value = 0;
    std::memcpy(&value, words++, sizeof(value));
    return value;
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

Status GatherSite(const Team &team, const Leaders &leaders, Site &site) noexcept {
    Letter own;
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
    NetworkRequest request;
    request.hosts = host_of_node;
    request.storage = storage;
    request.rates = rates;
    return MakeNetwork(spec, text, request);
}

Outcome<NetworkSource> ReadNetworkSource(const overlap_host &host, const overlap_settings &settings) {
    NetworkSource source;
    Outcome<std::vector<double>> bandwidths = ParseBandwidths(settings.topology_bandwidths);
    if (!bandwidths.ok()) {
        return bandwidths.failure();
    }
    source.rates.bandwidths = std::move(bandwidths.value());
    Outcome<TopologySpec> spec = ParseTopologySpec(settings.topology[0] == '\0' ? "flat" : settings.topology);
    if (!spec.ok()) {
        return spec.failure();
    }
    source.spec = std::move(spec.value());
    Outcome<std::vector<std::string>> storage = ParseStorageNodes(settings.storage_nodes);
    if (!storage.ok()) {
        return storage.failure();
    }
    source.storage = std::move(storage.value());
    if (source.spec.needs_file()) {
        char *text = nullptr;
        std::size_t length = 0;
        const int error = host.read_text(host.self, source.spec.argument.c_str(), &text, &length);
        if (error != 0) {
            return Failure{Brief(source.spec.argument) + ": " + std::generic_category().message(error)};
        }
        const std::unique_ptr<char, decltype(&std::free)> owner(text, std::free);
        source.text.assign(text, length);
    }
    return source;
}

void AppendSource(Words &words, const NetworkSource &source) {
    AppendText(words, source.spec.kind);
    AppendText(words, source.spec.argument);
    AppendText(words, source.text);
    words.push_back(static_cast<std::int64_t>(source.storage.size()));
    for (const std::string &name : source.storage) {
        AppendText(words, name);
    }
    AppendDouble(words, source.rates.latency);
    words.push_back(static_cast<std::int64_t>(source.rates.bandwidths.size()));
    for (const double bandwidth : source.rates.bandwidths) {
        AppendDouble(words, bandwidth);
    }
}

NetworkSource TakeSource(const std::int64_t *&words) {
    NetworkSource source;
    source.spec.kind = TakeText(words);
    source.spec.argument = TakeText(words);
    source.text = TakeText(words);
    for (std::int64_t left = *words++; left > 0; --left) {
        source.storage.push_back(TakeText(words));
    }
    source.rates.latency = TakeDouble(words);
    for (std::int64_t left = *words++; left > 0; --left) {
        source.rates.bandwidths.push_back(TakeDouble(words));
    }
    return source;
}

std::unique_ptr<Topology> MakeTopology(const Team &team, std::unique_ptr<Network> network, const Site &site) {
    return std::make_unique<Topology>(team.node_map(), std::shared_ptr<const Network>(std::move(network)),
                                      std::make_shared<IntraNode>(site.locality_of_rank));
}

} // namespace overlap
