#include "plan.h"

#include <algorithm>

namespace overlap {

ByteCount Plan::FullestOwnCycle() const {
    ByteCount fullest = 0;
    for (const OwnedDomain &domain : owned) {
        for (Cycle cycle = 0; cycle < domain.cycles(); ++cycle) {
            fullest = std::max(fullest, domain.Last(cycle) - domain.First(cycle));
        }
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

std::vector<Share> MakeShares(const StridedList &file, const std::vector<Domain> &domains,
                              const std::vector<Rank> &aggregators) {
    std::vector<Share> shares;
    for (std::size_t i = 0; i < domains.size(); ++i) {
        const ByteCount from = file.BytesBefore(domains[i].begin);
        const ByteCount to = file.BytesBefore(domains[i].end);
        if (from < to) {
            Share &share = shares.emplace_back();
            share.domain = static_cast<int>(i);
            share.aggregator = aggregators[i];
            share.owned = static_cast<std::size_t>(
                std::count(aggregators.begin(), aggregators.begin() + static_cast<std::ptrdiff_t>(i), aggregators[i]));
            share.file = file.Part(from, to);
            share.stream.Append(Run{from, to - from, 0, 1});
        }
    }
    return shares;
}

bool CoverDomain(const Domain &domain, ByteCount capacity, ByteCount alignment, OwnedDomain &owned) {
    std::vector<const StridedList *> files;
    for (const Client &client : owned.clients) {
        files.push_back(&client.file);
    }
    owned.coverage = Cover(files);
    owned.cuts = CutByBytes(owned.coverage.data, capacity, alignment);
    return owned.coverage.data.bytes() == domain.end - domain.begin;
}

} // namespace overlap
