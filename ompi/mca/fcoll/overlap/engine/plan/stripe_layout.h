// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// The round-robin striping of a file over its domains: how the offsets of a domain stand in the file.
#ifndef OVERLAP_ENGINE_PLAN_STRIPE_LAYOUT_H
#define OVERLAP_ENGINE_PLAN_STRIPE_LAYOUT_H

#include "../base/types.h"

#include <algorithm>

namespace overlap {

/// A contiguous domain counts its bytes as the file does. A domain of stripes counts its own alone, as if they stood one
/// after the other from the start of the file. So every domain is one interval of its own offsets, ascending file offsets
/// ascend in it too, and a multiple of the stripe (or of what divides it) is one in both.
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

} // namespace overlap

#endif
