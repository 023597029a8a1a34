// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "domains.h"

#include <numeric>

namespace overlap {

int TargetsOfDomain(int domains, int targets) { return targets / std::gcd(domains, targets); }

int StaticDomainCount(int limit, int targets) {
    if (targets <= 0) {
        return std::max(1, limit);
    }
    int count = 1;
    for (int domains = 2; domains <= limit; ++domains) {
        if (TargetsOfDomain(domains, targets) <= TargetsOfDomain(count, targets)) {
            count = domains;
        }
    }
    return count;
}

void EvenDomains(FileOffset first, FileOffset last, int limit, ByteCount alignment, ByteCount smallest,
                 std::vector<Domain> &domains) {
    domains.clear();
    if (first >= last) {
        return;
    }
    const FileOffset base = RoundDown(first, alignment);
    const auto count = std::clamp<std::int64_t>((last - base) / smallest, 1, limit);
    const ByteCount share = DivideUp(last - base, count);
    const std::int64_t blocks = DivideUp(share, alignment);
    // Compared as blocks: the width of a domain, and the end that it would give the last one, may not fit an offset.
    const ByteCount width = blocks <= (last - base) / alignment ? blocks * alignment : last - base;
    FileOffset begin = base;
    for (; last - begin > width; begin += width) {
        domains.push_back(Domain{std::max(first, begin), begin + width});
    }
    domains.push_back(Domain{std::max(first, begin), last});
}

void StaticDomains(FileOffset first, FileOffset last, int limit, const Striping &striping, ByteCount smallest,
                   std::vector<Domain> &domains) {
    domains.clear();
    if (first >= last) {
        return;
    }
    const std::int64_t stripes = DivideUp(last, striping.stripe) - first / striping.stripe;
    const auto worth = static_cast<int>(std::min<std::int64_t>(limit, DivideUp(last - first, smallest)));
    // With fewer stripes than domains each domain has one, and no number of domains lets it meet fewer targets.
    const auto count = std::min<std::int64_t>(StaticDomainCount(worth, striping.targets), stripes);
    for (std::int64_t domain = 0; domain < count; ++domain) {
        const StripeLayout layout{striping.stripe, count, domain};
        domains.push_back(Domain{layout.Own(first), layout.Own(last), layout});
    }
}

} // namespace overlap
