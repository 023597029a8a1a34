// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "operation.h"

namespace overlap {
namespace {

void AddPeer(ByteCount bytes, Stamp &stamp) noexcept {
    stamp.bytes += bytes;
    stamp.peers += bytes > 0 ? 1 : 0;
}

// What a rank has for itself is not sent: of a domain of its own its share is among the clients' as well.
void DescribeShuffle(const Plan &plan, Stamp &stamp) noexcept {
    const auto owns = [&plan](int domain) {
        for (const OwnedDomain &owned : plan.owned) {
            if (owned.domain == domain) {
                return true;
            }
        }
        return false;
    };
    Rank self = -1;
    for (const Share &share : plan.shares) {
        if (owns(share.domain)) {
            self = share.aggregator;
        } else {
            AddPeer(share.Last(stamp.cycle) - share.First(stamp.cycle), stamp);
        }
    }
    for (const OwnedDomain &owned : plan.owned) {
        for (const Client &client : owned.clients) {
            if (stamp.cycle < owned.cycles() && client.rank != self) {
                const ByteCount first = client.file.BytesBefore(owned.cuts.Begin(stamp.cycle));
                AddPeer(client.file.BytesBefore(owned.cuts.End(stamp.cycle)) - first, stamp);
            }
        }
    }
}

void DescribeFileAccess(const Plan &plan, std::int64_t distance, Stamp &stamp) noexcept {
    for (const OwnedDomain &owned : plan.owned) {
        if (stamp.cycle >= owned.cycles()) {
            continue;
        }
        const ByteCount first = owned.First(stamp.cycle);
        const ByteCount bytes = owned.Last(stamp.cycle) - first;
        if (bytes > 0 && stamp.offset < 0) {
            stamp.offset = owned.layout.InFile(owned.coverage.data.StartOf(first)) + distance;
        }
        stamp.bytes += bytes;
    }
}

} // namespace

void DescribeOperation(const Plan &plan, std::int64_t distance, Stamp &stamp) noexcept {
    stamp.plan = &plan;
    if (stamp.activity == Activity::kShuffle) {
        DescribeShuffle(plan, stamp);
    } else {
        DescribeFileAccess(plan, distance, stamp);
    }
}

} // namespace overlap
