// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// How the range of a call is cut into file domains, one per aggregator: contiguous ones, or the stripes of the file dealt
// round-robin, so that an aggregator keeps to few storage targets (Liu, Zhou and Guo, Topology-aware strategy for MPI-IO
// operations in clusters, section 3; Jha and Gabriel, Performance Models for Communication in Collective I/O).
#ifndef OVERLAP_ENGINE_PLAN_DOMAINS_H
#define OVERLAP_ENGINE_PLAN_DOMAINS_H

#include "../base/types.h"
#include "../ports.h"

#include <algorithm>
#include <vector>

namespace overlap {

/// How the offsets of a domain stand in the file. A contiguous domain counts its bytes as the file does. A domain of stripes
/// counts its own alone, as if they stood one after the other from the start of the file. So every domain is one interval
/// of its own offsets, ascending file offsets ascend in it too, and a multiple of the stripe (or of what divides it) is one
/// in both.
struct StripeLayout {
    ByteCount stripe = 1;     // bytes; stripes count from the start of the file
    std::int64_t domains = 1; // that the stripes are dealt to; 1: the domain is contiguous
    std::int64_t domain = 0;  // stripe s of the file belongs to this one where s mod domains is this

    /// How many bytes of the domain lie before `offset` of the file, which is the domain's own offset of that byte where the
    /// byte is the domain's.
    FileOffset Own(FileOffset offset) const {
        if (domains == 1) {
            return offset;
        }
        const std::int64_t index = offset / stripe;
        const std::int64_t turn = index % domains;
        const ByteCount inside = turn == domain ? offset % stripe : 0;
        return (index / domains + (turn > domain ? 1 : 0)) * stripe + inside;
    }

    /// The file offset of the byte `own` of the domain. Needs: the file has that byte, whose offset fits.
    FileOffset InFile(FileOffset own) const {
        return domains == 1 ? own : (own / stripe * domains + domain) * stripe + own % stripe;
    }

    /// Calls visit(file offset, length, bytes before it) for the pieces of the file that the domain's bytes
    /// [own, own + length) are, ascending.
    template <typename Visit> void ForEachPiece(FileOffset own, ByteCount length, Visit visit) const {
        for (ByteCount done = 0; done < length;) {
            const ByteCount left = length - done;
            const ByteCount piece = domains == 1 ? left : std::min(left, stripe - (own + done) % stripe);
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

/// How many domains of stripes to make, at least 1 and at most `limit`: those that let a domain meet the fewest targets, and
/// of these numbers the largest, which is more than half the limit.
int StaticDomainCount(int limit, int targets);

/// Both cut [first, last) into at most `limit` domains. None is empty. They replace the contents of `domains`, and take no
/// memory where that has room for `limit`.
///
/// Contiguous domains, disjoint and ascending, whose inner boundaries are multiples of `alignment` (stripe, else block; at
/// least 1). No domain is shorter than `smallest`, unless it is the only one or the last behind cuts that alignment has
/// moved: a small request takes fewer domains than it may.
void EvenDomains(FileOffset first, FileOffset last, int limit, ByteCount alignment, ByteCount smallest,
                 std::vector<Domain> &domains);

/// Domains of stripes: stripe s of the file goes to domain s mod domains, so that the stripes of a storage target stay with
/// the same domains whatever the range. A request below `limit` times `smallest` bytes takes fewer domains than it may.
void StaticDomains(FileOffset first, FileOffset last, int limit, const Striping &striping, ByteCount smallest,
                   std::vector<Domain> &domains);

} // namespace overlap

#endif
