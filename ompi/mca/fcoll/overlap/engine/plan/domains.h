// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// How the range of a call is cut into file domains, one per aggregator: contiguous ones, or the stripes of the file dealt
// round-robin, so that an aggregator keeps to few storage targets (Liu, Zhou and Guo, Topology-aware strategy for MPI-IO
// operations in clusters, section 3; Jha and Gabriel, Performance Models for Communication in Collective I/O).
#ifndef OVERLAP_ENGINE_PLAN_DOMAINS_H
#define OVERLAP_ENGINE_PLAN_DOMAINS_H

#include "../policy/choice.h"

#include <algorithm>
#include <vector>

namespace overlap {

/// How the offsets of a domain stand in the file. A contiguous domain counts its bytes as the file does, a domain of stripes
/// its own alone. So every domain is one interval of its own offsets, ascending file offsets ascend in it too, and a
/// multiple of the stripe (or of what divides it) is one in both.
struct StripeLayout {
    ByteCount stripe = kLastOffset; // bytes; stripes count from the start of the file
    std::int64_t domains = 1;       // that the stripes are dealt to; 1: the domain is contiguous
    std::int64_t domain = 0;        // stripe s of the file belongs to this one where s mod domains is this

    /// How many bytes of the domain lie before `offset` of the file, which is the domain's own offset of that byte where the
    /// byte is the domain's.
    FileOffset Own(FileOffset offset) const {
        const std::int64_t index = offset / stripe;
        const std::int64_t turn = index % domains;
        const ByteCount inside = turn == domain ? offset % stripe : 0;
        return (index / domains + (turn > domain ? 1 : 0)) * stripe + inside;
    }

    /// The file offset of the byte `own` of the domain. Needs: the file has that byte, whose offset fits.
    FileOffset InFile(FileOffset own) const { return (own / stripe * domains + domain) * stripe + own % stripe; }

    /// Calls visit(file offset, length, bytes before it) for the pieces of the file that the domain's bytes
    /// [own, own + length) are, ascending.
    template <typename Visit> void ForEachPiece(FileOffset own, ByteCount length, Visit visit) const {
        for (ByteCount done = 0; done < length;) {
            const ByteCount piece = std::min(length - done, stripe - (own + done) % stripe);
            visit(InFile(own + done), piece, done);
            done += piece;
        }
    }
};

/// The bytes [begin, end) of the domain's own offsets, which are those of the file where the domain is contiguous.
struct Domain {
    FileOffset begin;
    FileOffset end;
    StripeLayout layout = {};
};

/// How many of `targets` storage targets each of `domains` domains meets at most.
int TargetsOfDomain(int domains, int targets);

/// How many domains of stripes to make, at least 1 and at most `limit`: those that let a domain meet the fewest targets, and
/// of these numbers the largest, which is more than half the limit.
int StaticDomainCount(int limit, int targets);

/// Cuts [first, last) into at most `limit` contiguous domains, none empty, whose inner boundaries are multiples of
/// `alignment` (stripe, else block; at least 1). None is shorter than `smallest`, unless it is the only one or the last
/// behind cuts that alignment has moved. Takes no memory where `domains` has room for `limit`.
void EvenDomains(FileOffset first, FileOffset last, int limit, ByteCount alignment, ByteCount smallest,
                 std::vector<Domain> &domains);

/// The same into domains of stripes: stripe s of the file goes to domain s mod domains, so that the stripes of a storage
/// target stay with the same domains whatever the range. Fewer than `limit` where these would have less than `smallest`.
void StaticDomains(FileOffset first, FileOffset last, int limit, const Striping &striping, ByteCount smallest,
                   std::vector<Domain> &domains);

} // namespace overlap

#endif
