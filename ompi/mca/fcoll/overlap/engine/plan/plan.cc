#include "plan.h"

#include <algorithm>
#include <map>

namespace overlap {
namespace {

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
    std::map<std::int64_t, Share> by_domain;
    const StripeLayout &any = domains.front().layout;
    for (ByteCount from = 0; from < file.bytes();) {
        const std::int64_t stripe = file.StartOf(from) / any.stripe;
        const bool last = stripe >= kLastOffset / any.stripe; // no offset lies behind it
        const ByteCount to = last ? file.bytes() : file.BytesBefore((stripe + 1) * any.stripe);
        const std::int64_t domain = stripe % any.domains;
        Share &share = by_domain[domain];
        share.domain = static_cast<int>(domain);
        const std::int64_t shift = (stripe / any.domains - stripe) * any.stripe;
        file.ForEach(from, to, [&](Run run, ByteCount) {
            run.start += shift;
            share.file.Append(run);
        });
        share.stream.Append(Run{from, to - from, 0, 1});
        from = to;
    }
    std::vector<Share> shares;
    shares.reserve(by_domain.size());
    for (auto &[domain, share] : by_domain) {
        shares.push_back(std::move(share));
    }
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

ByteCount Plan::OwnBytes() const {
    ByteCount bytes = 0;
    for (const OwnedDomain &domain : owned) {
        bytes += domain.coverage.data.bytes();
    }
    return bytes;
}

Cycle Plan::IdleCycles() const {
    Cycle idle = 0;
    for (Cycle cycle = 0; cycle < cycles; ++cycle) {
        const bool sends = std::any_of(shares.begin(), shares.end(),
                                       [cycle](const Share &share) { return share.First(cycle) < share.Last(cycle); });
        const bool receives =
            std::any_of(owned.begin(), owned.end(), [cycle](const OwnedDomain &domain) { return cycle < domain.cycles(); });
        idle += sends || receives ? 0 : 1;
    }
    return idle;
}

std::vector<Share> CutByDomains(const StridedList &file, const std::vector<Domain> &domains) {
    const bool striped = !domains.empty() && domains.front().layout.domains > 1;
    return striped ? CutStripes(file, domains) : CutContiguous(file, domains);
}

std::vector<Share> MakeShares(const StridedList &file, const std::vector<Domain> &domains,
                              const std::vector<Rank> &aggregators) {
    std::vector<Share> shares = CutByDomains(file, domains);
    for (Share &share : shares) {
        share.aggregator = aggregators[static_cast<std::size_t>(share.domain)];
        share.owned =
            static_cast<std::size_t>(std::count(aggregators.begin(), aggregators.begin() + share.domain, share.aggregator));
    }
    return shares;
}

bool CoverDomain(const Domain &domain, ByteCount capacity, ByteCount alignment, OwnedDomain &owned) {
    std::vector<const StridedList *> files;
    for (const Client &client : owned.clients) {
        files.push_back(&client.file);
    }
    owned.layout = domain.layout;
    owned.coverage = Cover(files);
    owned.cuts = CutsOf(owned.coverage.data, capacity, alignment);
    return owned.coverage.data.bytes() == domain.end - domain.begin;
}

} // namespace overlap
