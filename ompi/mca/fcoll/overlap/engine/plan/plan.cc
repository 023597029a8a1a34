// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "plan.h"

#include <algorithm>
#include <map>

namespace overlap {
namespace {

// Below it a copy of its own saves a message little more than a microsecond (docs/results, "Lists of pieces").
constexpr std::int64_t kManyRuns = 64;
// From here on the list is as fast, in the same table.
constexpr ByteCount kSmallRun = 2048;

// How the bytes of a client lie in the domain's data: in many pieces, as its runs are many or those that others leave it
// between their own, so small that copying them piece by piece takes less than what transports take for a list of pieces.
void FindPieces(const StridedList &data, Client &client) {
    const StridedList &file = client.file;
    if (!file.empty()) {
        const Range hull{data.BytesBefore(file.begin()), data.BytesBefore(file.end())};
        const auto runs = std::max(static_cast<std::int64_t>(file.runs()), data.RunsIn(hull));
        client.parted = hull.bytes() != file.bytes();
        client.scatters = runs > kManyRuns && file.bytes() / runs < kSmallRun;
    }
}

// Of a cycle.
std::size_t MostBlocks(const StridedList &list, const Cuts &cuts) {
    return Narrow<std::size_t>(cuts.MostOf(list, [&list](const Range &part) { return list.BlocksIn(part); }));
}

std::vector<Share> CutContiguous(const StridedList &file, const std::vector<Domain> &domains) {
    std::vector<Share> shares;
    for (std::size_t i = 0; i < domains.size(); ++i) {
        const ByteCount from = file.BytesBefore(domains[i].begin);
        const ByteCount to = file.BytesBefore(domains[i].end);
        if (from < to) {
            Share &share = shares.emplace_back();
            share.domain = static_cast<int>(i);
            share.file = file.Part(from, to);
            share.stream.Append(Run{from, to - from, 0, 1});
        }
    }
    return shares;
}

// Stripe by stripe of those that the rank has bytes in; what is regular over the stripes becomes one run again.
std::vector<Share> CutStripes(const StridedList &file, const std::vector<Domain> &domains) {
    std::vector<Share> shares(domains.size());
    const StripeLayout &any = domains.front().layout;
    for (ByteCount from = 0; from < file.bytes();) {
        const std::int64_t stripe = file.StartOf(from) / any.stripe;
        const bool last = stripe >= kLastOffset / any.stripe; // no offset lies behind it
        const ByteCount to = last ? file.bytes() : file.BytesBefore((stripe + 1) * any.stripe);
        Share &share = shares[static_cast<std::size_t>(stripe % any.domains)];
        share.domain = static_cast<int>(stripe % any.domains);
        const std::int64_t shift = (stripe / any.domains - stripe) * any.stripe;
        file.ForEach(from, to, [&](Run run, ByteCount) {
            run.start += shift;
            share.file.Append(run);
        });
        share.stream.Append(Run{from, to - from, 0, 1});
        from = to;
    }
    const auto is_empty = [](const Share &share) { return share.file.empty(); };
    shares.erase(std::remove_if(shares.begin(), shares.end(), is_empty), shares.end());
    return shares;
}

} // namespace

ByteCount Plan::FullestOwnCycle() const {
    ByteCount fullest = 0;
    for (const OwnedDomain &domain : owned) {
        fullest = std::max(fullest, domain.cuts.FullestCycle());
    }
    return fullest;
}

bool Plan::OwnBlocksBelow(ByteCount bytes, ByteCount cycle, Rank own) const {
    constexpr ByteCount kNextToNothing = 16;
    return bytes > 0 && std::any_of(owned.begin(), owned.end(), [&](const OwnedDomain &domain) {
               ByteCount others = 0;
               std::int64_t blocks = 0;
               for (const Client &client : domain.clients) {
                   if (client.rank != own) {
                       others = CheckedAdd(others, client.file.bytes());
                       blocks = CheckedAdd(blocks, client.file.Blocks());
                   }
               }
               return blocks > 0 && others >= domain.coverage.data.bytes() / kNextToNothing &&
                      std::min(others / blocks, cycle) < bytes;
           });
}

bool Plan::OwnGaps() const {
    return std::any_of(owned.begin(), owned.end(), [](const OwnedDomain &domain) { return !domain.coverage.gapless(); });
}

void Plan::MeasureCycles() {
    ByteCount messages = 0;
    ByteCount bytes = 0; // as often as clients have them
    for (const OwnedDomain &domain : owned) {
        // A block is an extent for each stripe of the domain that it reaches into: at most two, and one for each stripe that
        // it fills.
        const std::size_t blocks = MostBlocks(domain.coverage.data, domain.cuts);
        const bool contiguous = domain.layout.domains == 1;
        const ByteCount filled = contiguous ? 0 : domain.cuts.FullestCycle() / domain.layout.stripe;
        most_extents = std::max(most_extents, (contiguous ? blocks : 2 * blocks) + Narrow<std::size_t>(filled));
        for (const Client &client : domain.clients) {
            // Those that are sent alone, as a cycle or a gap between blocks parts them; of many blocks about as many.
            const Cycle filled = DivideUp(client.file.bytes(), std::max(domain.cuts.FullestCycle(), ByteCount{1}));
            messages += std::max(filled, std::min(client.file.PiecesAtLeast(), domain.cuts.cycles()));
            bytes = CheckedAdd(bytes, client.file.bytes());
            const auto runs_of = [&client](const Range &range) { return client.file.RunsIn(range); };
            const std::size_t pieces = client.scatters ? 0
                                       : domain.coverage.gapless()
                                           ? domain.cuts.MostPieces(client.file, runs_of)
                                           : MostBlocks(client.file, domain.cuts); // gaps may part all
            most_client_pieces = std::max(most_client_pieces, pieces);
        }
    }
    usual_message = messages > 0 ? bytes / messages : 0;
}

Traffic TrafficOf(const Plan &plan, const NodeMap &nodes, Rank own) {
    Traffic traffic;
    for (const Share &share : plan.shares) {
        const bool here = nodes.OnOneNode(share.aggregator, own);
        ByteCount &bytes = share.aggregator == own ? traffic.to_self : here ? traffic.to_node : traffic.to_network;
        bytes += share.file.bytes();
    }
    for (const OwnedDomain &domain : plan.owned) {
        for (const Client &client : domain.clients) {
            traffic.from_network += nodes.OnOneNode(client.rank, own) ? 0 : client.file.bytes();
        }
    }
    return traffic;
}

std::vector<Share> CutByDomains(const StridedList &file, const std::vector<Domain> &domains) {
    const bool striped = !domains.empty() && domains.front().layout.domains > 1;
    return striped ? CutStripes(file, domains) : CutContiguous(file, domains);
}

void NameAggregators(const std::vector<Rank> &aggregators, std::vector<Share> &shares) {
    std::vector<std::size_t> number(aggregators.size()); // of each domain among those of its aggregator
    std::map<Rank, std::size_t> owned;
    for (std::size_t domain = 0; domain < aggregators.size(); ++domain) {
        number[domain] = owned[aggregators[domain]]++;
    }
    for (Share &share : shares) {
        share.aggregator = aggregators[static_cast<std::size_t>(share.domain)];
        share.owned = number[static_cast<std::size_t>(share.domain)];
    }
}

bool CoverDomain(const Domain &domain, ByteCount capacity, ByteCount alignment, OwnedDomain &owned) {
    std::vector<const StridedList *> files;
    for (const Client &client : owned.clients) {
        files.push_back(&client.file);
    }
    owned.layout = domain.layout;
    owned.coverage = Cover(files);
    owned.cuts = CutsOf(owned.coverage.data, capacity, alignment);
    for (Client &client : owned.clients) {
        FindPieces(owned.coverage.data, client);
    }
    return owned.coverage.data.bytes() == domain.end - domain.begin;
}

} // namespace overlap
