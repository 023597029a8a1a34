#include "exchange.h"

#include "../access/positions.h"

#include <algorithm>

namespace overlap {
namespace {

// A share travels as int64 words: domain, number of runs, then four words a run. The first message holds as many runs as a
// regular access ever has; a second one follows only where there are more.
constexpr std::size_t kHeaderWords = 2;
constexpr std::size_t kWordsPerRun = 4;
constexpr std::size_t kRunsInFirstMessage = 31;
constexpr std::size_t kFirstMessageWords = kHeaderWords + kWordsPerRun * kRunsInFirstMessage;

void AppendRun(std::vector<std::int64_t> &words, const Run &run) {
    words.insert(words.end(), {run.start, run.length, run.stride, run.count});
}

void AppendRuns(const std::int64_t *words, std::size_t runs, StridedList &list) {
    for (std::size_t i = 0; i < runs; ++i, words += kWordsPerRun) {
        list.Append(Run{words[0], words[1], words[2], words[3]});
    }
}

struct EncodedShare {
    std::vector<std::int64_t> first;
    std::vector<std::int64_t> rest;
};

EncodedShare Encode(const Share &share) {
    const std::vector<Run> &runs = share.file.runs();
    EncodedShare encoded;
    encoded.first = {share.domain, static_cast<std::int64_t>(runs.size())};
    for (std::size_t i = 0; i < runs.size(); ++i) {
        AppendRun(i < kRunsInFirstMessage ? encoded.first : encoded.rest, runs[i]);
    }
    return encoded;
}

// The number of ranks other than its aggregator that have a share in each domain. Collective.
Status CountClients(const overlap_transport &transport, const std::vector<Share> &shares,
                    std::vector<std::int64_t> &clients) {
    for (const Share &share : shares) {
        clients[static_cast<std::size_t>(share.domain)] += share.aggregator == transport.rank ? 0 : 1;
    }
    return Status(transport.allreduce(transport.self, clients.data(), clients.size(), OVERLAP_REDUCE_SUM));
}

// A client whose runs are not all here yet.
struct Arrival {
    OwnedDomain *domain;
    Client client;
    std::vector<std::int64_t> rest;
};

OwnedDomain *FindOwned(std::vector<OwnedDomain> &owned, std::int64_t domain) {
    const auto found =
        std::find_if(owned.begin(), owned.end(), [domain](const OwnedDomain &o) { return o.domain == domain; });
    return found == owned.end() ? nullptr : &*found;
}

Status ReceiveShare(const overlap_transport &transport, std::vector<OwnedDomain> &owned, Messages &rest,
                    std::vector<Arrival> &arrivals) {
    std::vector<std::int64_t> words(kFirstMessageWords);
    std::size_t received = 0;
    Rank source = 0;
    Status status(
        transport.receive_any(transport.self, kTagShare, words.data(), words.size() * sizeof(words[0]), &source, &received));
    if (!status.ok()) {
        return status;
    }
    const auto runs = static_cast<std::size_t>(words[1]);
    Arrival &arrival = arrivals.emplace_back(Arrival{FindOwned(owned, words[0]), Client{source, {}}, {}});
    AppendRuns(words.data() + kHeaderWords, std::min(runs, kRunsInFirstMessage), arrival.client.file);
    if (runs > kRunsInFirstMessage) {
        arrival.rest.resize((runs - kRunsInFirstMessage) * kWordsPerRun);
        status = rest.Receive(source, kTagShareRest, arrival.rest);
    }
    return status;
}

// Needs: the client's bytes are the domain's.
Places PlacesOf(const OwnedDomain &domain, const Client &client) {
    Places places;
    ForEachPosition(client.file, 0, client.file.bytes(), domain.coverage.data,
                    [&places](const Run &run) { places.data.Append(run); });
    for (Cycle cycle = 0; cycle < domain.cycles(); ++cycle) {
        places.bases.push_back(domain.First(cycle));
    }
    return places;
}

std::size_t CountPeers(const overlap_transport &transport, const std::vector<OwnedDomain> &owned) {
    std::size_t peers = 0;
    for (const OwnedDomain &domain : owned) {
        for (const Client &client : domain.clients) {
            peers += client.rank == transport.rank ? 0 : 1;
        }
    }
    return peers;
}

} // namespace

Status ExchangeShares(const overlap_transport &transport, const std::vector<Share> &shares,
                      const std::vector<Rank> &aggregator_of_domain, std::vector<OwnedDomain> &owned) {
    std::vector<std::int64_t> expected(aggregator_of_domain.size(), 0);
    Status status = CountClients(transport, shares, expected);
    if (!status.ok()) {
        return status;
    }

    std::vector<EncodedShare> encoded;
    encoded.reserve(shares.size());
    Messages outgoing(transport);
    for (const Share &share : shares) {
        if (share.aggregator == transport.rank) {
            continue;
        }
        const EncodedShare &message = encoded.emplace_back(Encode(share));
        status.Merge(outgoing.Send(share.aggregator, kTagShare, message.first));
        if (!message.rest.empty()) {
            status.Merge(outgoing.Send(share.aggregator, kTagShareRest, message.rest));
        }
    }

    std::int64_t arriving = 0;
    for (std::size_t domain = 0; domain < aggregator_of_domain.size(); ++domain) {
        if (aggregator_of_domain[domain] == transport.rank) {
            owned.emplace_back().domain = static_cast<int>(domain);
            arriving += expected[domain];
        }
    }
    std::vector<Arrival> arrivals;
    arrivals.reserve(static_cast<std::size_t>(arriving));
    Messages rest(transport);
    for (std::int64_t i = 0; i < arriving; ++i) {
        status.Merge(ReceiveShare(transport, owned, rest, arrivals));
    }
    status.Merge(rest.Wait());
    status.Merge(outgoing.Wait());

    for (Arrival &arrival : arrivals) {
        AppendRuns(arrival.rest.data(), arrival.rest.size() / kWordsPerRun, arrival.client.file);
        arrival.domain->clients.push_back(std::move(arrival.client));
    }
    for (const Share &share : shares) {
        if (share.aggregator == transport.rank) {
            FindOwned(owned, share.domain)->clients.push_back(Client{transport.rank, share.file});
        }
    }
    for (OwnedDomain &domain : owned) {
        std::sort(domain.clients.begin(), domain.clients.end(),
                  [](const Client &a, const Client &b) { return a.rank < b.rank; });
    }
    return status;
}

Status ExchangeCuts(const overlap_transport &transport, const std::vector<std::int64_t> &first_parts, Plan &plan) {
    // Sized for the domain with the most cycles, as a client does not know how many its domain has; the last cut repeats.
    const std::size_t words = static_cast<std::size_t>(plan.cycles) + 1;
    std::vector<std::vector<FileOffset>> told(plan.shares.size());
    Status status;
    Messages messages(transport);
    for (std::size_t i = 0; i < plan.shares.size(); ++i) {
        if (plan.shares[i].aggregator != transport.rank) {
            told[i].assign(words, 0);
            status.Merge(messages.Receive(plan.shares[i].aggregator, kTagCuts, told[i]));
        }
    }
    std::vector<std::vector<FileOffset>> padded(plan.owned.size());
    for (std::size_t i = 0; i < plan.owned.size(); ++i) {
        const OwnedDomain &domain = plan.owned[i];
        Cuts in_order = domain.cuts;
        in_order.StartWith(0);
        for (Cycle cycle = 0; cycle < in_order.cycles(); ++cycle) {
            padded[i].push_back(in_order.Begin(cycle));
        }
        padded[i].resize(words, domain.coverage.data.empty() ? 0 : domain.coverage.data.end());
        for (const Client &client : domain.clients) {
            if (client.rank != transport.rank) {
                status.Merge(messages.Send(client.rank, kTagCuts, padded[i]));
            }
        }
    }
    status.Merge(messages.Wait());
    for (std::size_t i = 0; i < plan.shares.size(); ++i) {
        Share &share = plan.shares[i];
        if (share.aggregator == transport.rank) {
            share.cuts = FindOwned(plan.owned, share.domain)->cuts;
        } else {
            told[i].erase(std::unique(told[i].begin(), told[i].end()), told[i].end());
            share.cuts = Cuts(told[i]);
            share.cuts.StartWith(first_parts[static_cast<std::size_t>(share.domain)]);
        }
    }
    return status;
}

Status ExchangePlaces(const overlap_transport &transport, Plan &plan) {
    // First the bases of the cycles and the number of runs, then the runs.
    const std::size_t words = static_cast<std::size_t>(plan.cycles) + 1;
    std::vector<std::vector<std::int64_t>> heads(plan.shares.size());
    Status status;
    Messages incoming(transport);
    for (std::size_t i = 0; i < plan.shares.size(); ++i) {
        if (plan.shares[i].aggregator != transport.rank) {
            heads[i].assign(words, 0);
            status.Merge(incoming.Receive(plan.shares[i].aggregator, kTagPlaces, heads[i]));
        }
    }
    std::vector<std::vector<std::int64_t>> told;
    told.reserve(2 * CountPeers(transport, plan.owned));
    Messages outgoing(transport);
    for (const OwnedDomain &domain : plan.owned) {
        for (const Client &client : domain.clients) {
            if (client.rank != transport.rank) {
                const Places places = PlacesOf(domain, client);
                std::vector<std::int64_t> &head = told.emplace_back(places.bases.begin(), places.bases.end());
                head.resize(words, 0);
                head.back() = static_cast<std::int64_t>(places.data.runs().size());
                std::vector<std::int64_t> &runs = told.emplace_back();
                for (const Run &run : places.data.runs()) {
                    AppendRun(runs, run);
                }
                status.Merge(outgoing.Send(client.rank, kTagPlaces, head));
                status.Merge(outgoing.Send(client.rank, kTagPlacesRuns, runs));
            }
        }
    }
    status.Merge(incoming.Wait());
    std::vector<std::vector<std::int64_t>> runs(plan.shares.size());
    for (std::size_t i = 0; i < plan.shares.size(); ++i) {
        if (plan.shares[i].aggregator != transport.rank) {
            runs[i].resize(static_cast<std::size_t>(heads[i].back()) * kWordsPerRun);
            status.Merge(incoming.Receive(plan.shares[i].aggregator, kTagPlacesRuns, runs[i]));
        }
    }
    status.Merge(incoming.Wait());
    status.Merge(outgoing.Wait());
    for (std::size_t i = 0; i < plan.shares.size(); ++i) {
        if (plan.shares[i].aggregator != transport.rank) {
            Places &places = plan.shares[i].places;
            heads[i].pop_back();
            places.bases = std::move(heads[i]);
            AppendRuns(runs[i].data(), runs[i].size() / kWordsPerRun, places.data);
        }
    }
    return status;
}

} // namespace overlap
