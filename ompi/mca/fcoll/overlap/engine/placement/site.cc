#include "site.h"

#include "../guard.h"

#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <system_error>

namespace overlap {
namespace {

// Texts travel as the words of other messages do: the number of bytes, then the bytes.
void AppendText(Words &words, const std::string &text) {
    const std::size_t at = words.size() + 1;
    words.push_back(static_cast<std::int64_t>(text.size()));
    words.resize(at + (text.size() + sizeof(words[0]) - 1) / sizeof(words[0]), 0);
    std::memcpy(words.data() + at, text.data(), text.size());
}

std::string TakeText(const std::int64_t *&words) {
    const auto bytes = static_cast<std::size_t>(*words++);
    std::string text(reinterpret_cast<const char *>(words), bytes);
    words += (bytes + sizeof(*words) - 1) / sizeof(*words);
    return text;
}

// Collective. The words of rank 0 to all ranks.
Status ShareWords(const overlap_transport &transport, Words &words) {
    auto count = static_cast<std::int64_t>(words.size());
    Status status(transport.broadcast(transport.self, &count, sizeof(count)));
    if (status.ok() && count > 0) {
        words.resize(static_cast<std::size_t>(count));
        status = Status(transport.broadcast(transport.self, words.data(), words.size() * sizeof(words[0])));
    }
    return status;
}

} // namespace

Status GatherSite(const overlap_transport &transport, const Leaders &leaders, Site &site) {
    Words own;
    const Status local = Guarded([&] {
        site.host_of_node.resize(static_cast<std::size_t>(leaders.nodes()));
        site.locality_of_rank.resize(static_cast<std::size_t>(transport.size));
        AppendText(own, transport.locality);
        AppendText(own, leaders.IsLeader(transport.rank) ? transport.host : "");
    });
    const auto listener = [&](Rank rank, const std::int64_t *words, std::size_t /*count*/) {
        site.locality_of_rank[static_cast<std::size_t>(rank)] = TakeText(words);
        if (leaders.IsLeader(rank)) {
            site.host_of_node[static_cast<std::size_t>(transport.node_of_rank[rank])] = TakeText(words);
        }
    };
    return GatherOnRankZero(transport, leaders, own, local, listener);
}

Status ShareHosts(const overlap_transport &transport, Site &site) {
    Words words;
    if (transport.rank == 0) {
        for (const std::string &host : site.host_of_node) {
            AppendText(words, host);
        }
    }
    const Status status = ShareWords(transport, words);
    const std::int64_t *at = words.data();
    for (std::string &host : site.host_of_node) {
        host = status.ok() ? TakeText(at) : "";
    }
    return status;
}

NetworkOutcome NetworkSource::Make(const std::vector<std::string> &host_of_node) const {
    NetworkRequest request;
    request.hosts = host_of_node;
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
    if (source.spec.needs_file()) {
        char *text = nullptr;
        std::size_t length = 0;
        const int error = host.read_text(host.self, source.spec.argument.c_str(), &text, &length);
        if (error != 0) {
            return Failure{source.spec.argument + ": " + std::generic_category().message(error)};
        }
        const std::unique_ptr<char, decltype(&std::free)> owner(text, std::free);
        source.text.assign(text, length);
    }
    return source;
}

Status ShareNetworkSource(const overlap_transport &transport, NetworkSource &source) {
    Words words;
    if (transport.rank == 0) {
        AppendText(words, source.spec.kind);
        AppendText(words, source.spec.argument);
        AppendText(words, source.text);
        for (const double bandwidth : source.rates.bandwidths) {
            std::memcpy(&words.emplace_back(), &bandwidth, sizeof(bandwidth));
        }
    }
    const Status status = ShareWords(transport, words);
    if (status.ok() && transport.rank != 0) {
        const std::int64_t *at = words.data();
        source.spec.kind = TakeText(at);
        source.spec.argument = TakeText(at);
        source.text = TakeText(at);
        for (; at != words.data() + words.size(); ++at) {
            std::memcpy(&source.rates.bandwidths.emplace_back(), at, sizeof(double));
        }
    }
    return status;
}

std::unique_ptr<Topology> MakeTopology(const overlap_transport &transport, const NetworkSource &source, const Site &site) {
    NetworkOutcome network = source.Make(site.host_of_node);
    if (!network.ok()) {
        throw std::logic_error(network.failure().message);
    }
    return std::make_unique<Topology>(std::vector<int>(transport.node_of_rank, transport.node_of_rank + transport.size),
                                      std::shared_ptr<const Network>(std::move(network.value())),
                                      std::make_shared<IntraNodeLocality>(site.locality_of_rank));
}

} // namespace overlap
