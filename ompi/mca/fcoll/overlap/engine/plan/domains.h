// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// How the written range of the file is cut into file domains, one per aggregator.
#ifndef OVERLAP_ENGINE_PLAN_DOMAINS_H
#define OVERLAP_ENGINE_PLAN_DOMAINS_H

#include "../base/types.h"
#include "stripe_layout.h"

#include <vector>

namespace overlap {

/// The bytes [begin, end) of the domain's own offsets, which are those of the file where the domain is contiguous.
struct Domain {
    FileOffset begin;
    FileOffset end;
    StripeLayout layout = {};
};

/// Cuts [first, last) into at most `limit` contiguous domains, disjoint and ascending, whose inner boundaries are multiples
/// of `alignment` (stripe, else block; at least 1). No domain is shorter than `smallest`, unless it is the only one or the
/// last behind cuts that alignment has moved: a small request takes fewer domains than it may. None is empty. Replaces the
/// contents of `domains`, and takes no memory where that has room for `limit`.
void EvenDomains(FileOffset first, FileOffset last, int limit, ByteCount alignment, ByteCount smallest,
                 std::vector<Domain> &domains);

} // namespace overlap

#endif
