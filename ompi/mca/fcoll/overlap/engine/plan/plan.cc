#include "plan.h"

namespace overlap {

ByteCount Plan::LargestCycle() const {
    ByteCount largest = 0;
    for (const OwnedDomain &domain : owned) {
        for (Cycle cycle = 0; cycle < domain.cycles(); ++cycle) {
            largest = std::max(largest, domain.Last(cycle) - domain.First(cycle));
        }
    }
    return largest;
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
