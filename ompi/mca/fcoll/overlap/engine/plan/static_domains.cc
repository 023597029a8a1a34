#include "static_domains.h"

#include <algorithm>

namespace overlap {

StridedList StaticPartition::BytesOf(int domain) const {
    StridedList bytes;
    const std::int64_t first_stripe = first / stripe;
    const std::int64_t end_stripe = DivideUp(last, stripe);
    const std::int64_t ahead = ((domain - first_stripe) % domains + domains) % domains;
    std::int64_t own = first_stripe + ahead;
    if (own >= end_stripe) {
        return bytes;
    }
    const std::int64_t count = (end_stripe - own - 1) / domains + 1;
    for (std::int64_t done = 0; done < count;) {
        const FileOffset begin = std::max(first, own * stripe);
        const FileOffset end = std::min(last, (own + 1) * stripe);
        // Only the first and the last stripe of the range can be cut.
        const std::int64_t whole = end - begin == stripe ? std::max<std::int64_t>(1, count - done - 1) : 1;
        bytes.Append(Run{begin, end - begin, stripe * domains, whole});
        own += whole * domains;
        done += whole;
    }
    return bytes;
}

int StaticDomainCount(int limit, int targets) {
    if (targets <= 0) {
        return std::max(1, limit);
    }
    if (limit >= targets) {
        return limit / targets * targets;
    }
    int count = 1;
    for (int domains = 1; domains <= limit; ++domains) {
        count = targets % domains == 0 ? domains : count;
    }
    return count;
}

StaticPartition MakeStaticPartition(FileOffset first, FileOffset last, int limit, ByteCount stripe, int targets) {
    StaticPartition partition{first, last, stripe, 0};
    if (first < last) {
        const std::int64_t stripes = DivideUp(last, stripe) - first / stripe;
        const int wanted = StaticDomainCount(limit, targets);
        // Fewer stripes than domains leave domains empty; no number smaller than `wanted` would give a target fewer domains.
        partition.domains = static_cast<int>(std::min<std::int64_t>(wanted, stripes));
    }
    return partition;
}

} // namespace overlap
