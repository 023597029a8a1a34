// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// The static partition: the stripes of the file are dealt round-robin to the domains, so that an aggregator keeps to few
// storage targets (Liu, Zhou and Guo, Topology-aware strategy for MPI-IO operations in clusters, section 3; Jha and Gabriel,
// Performance Models for Communication in Collective I/O).
#ifndef OVERLAP_ENGINE_PLAN_STATIC_DOMAINS_H
#define OVERLAP_ENGINE_PLAN_STATIC_DOMAINS_H

#include "../ports.h"
#include "domains.h"

#include <vector>

namespace overlap {

/// What is dealt. No stripe: nothing is, the domains are contiguous.
struct Striping {
    ByteCount stripe = 0; // bytes
    int targets = 0;      // storage targets that the stripes go to in turn, 0 where not known

    bool operator==(const Striping &other) const { return stripe == other.stripe && targets == other.targets; }
};

/// The stripes of the file system; where it has none those that the user gave, made of whole blocks, so that no two
/// aggregators write to one; else the whole blocks of a sub-buffer, whose cycles are then contiguous in the file.
Striping StripingOf(const overlap_file_facts &facts, ByteCount sub_buffer);

/// How many of `targets` storage targets each of `domains` domains meets at most.
int TargetsOfDomain(int domains, int targets);

/// How many domains to make, at least 1 and at most `limit`: those that let a domain meet the fewest targets, and of these
/// numbers the largest, which is more than half the limit.
int StaticDomainCount(int limit, int targets);

/// Deals the stripes of [first, last) to at most `limit` domains. Stripe s of the file goes to domain s mod domains, so that
/// the stripes of a storage target stay with the same domains whatever the range. A request below `limit` times `smallest`
/// bytes takes fewer domains than it may. None is empty. Replaces the contents of `domains`, and takes no memory where that
/// has room for `limit`.
void StaticDomains(FileOffset first, FileOffset last, int limit, const Striping &striping, ByteCount smallest,
                   std::vector<Domain> &domains);

} // namespace overlap

#endif
