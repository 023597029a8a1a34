// The static partition: the stripes of the file are dealt round-robin to the domains, so that an aggregator keeps to few
// storage targets (Liu, Zhou and Guo, Topology-aware strategy for MPI-IO operations in clusters, section 3; Jha and Gabriel,
// Performance Models for Communication in Collective I/O).
#ifndef OVERLAP_ENGINE_PLAN_STATIC_DOMAINS_H
#define OVERLAP_ENGINE_PLAN_STATIC_DOMAINS_H

#include "../access/strided.h"

#include <vector>

namespace overlap {

/// The stripes of a range of the file, and to which domain each belongs.
struct StaticPartition {
    FileOffset first = 0;
    FileOffset last = 0;  // one past the range
    ByteCount stripe = 1; // bytes; stripes count from the start of the file
    int domains = 0;

    /// Stripe s of the file belongs to domain s mod `domains`, so that the stripes of a storage target stay with the same
    /// domains whatever the range. Needs: offset in [first, last).
    int DomainOf(FileOffset offset) const { return static_cast<int>(offset / stripe % domains); }

    /// The bytes of a domain: a few runs, however many stripes it has. May be empty where the range is short.
    StridedList BytesOf(int domain) const;
};

/// How many domains to make, at least 1 and at most `limit`. With as many storage targets as `targets` (0: not known) domain
/// d meets targets / gcd(domains, targets) of them; the most domains of those numbers that divide the targets or are a
/// multiple of them.
int StaticDomainCount(int limit, int targets);

/// Needs: 0 <= first <= last, stripe at least 1. A range without bytes has no domains.
StaticPartition MakeStaticPartition(FileOffset first, FileOffset last, int limit, ByteCount stripe, int targets);

} // namespace overlap

#endif
