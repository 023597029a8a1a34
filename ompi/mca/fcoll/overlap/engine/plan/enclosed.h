// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Bytes of a write that are sent with the description of the share that they are, in the place of messages of their own.
#ifndef OVERLAP_ENGINE_PLAN_ENCLOSED_H
#define OVERLAP_ENGINE_PLAN_ENCLOSED_H

#include "plan.h"

#include <algorithm>
#include <functional>
#include <map>
#include <utility>
#include <vector>

namespace overlap {

/// The first word of a share's message has its domain in these lowest bits, and above them how many of its bytes are
/// enclosed, in whole words at the message's end.
constexpr int kShareDomainBits = 32;
inline std::size_t WordsOf(ByteCount bytes) noexcept {
    return static_cast<std::size_t>(DivideUp(bytes, static_cast<ByteCount>(sizeof(std::int64_t))));
}

/// Whether and how bytes are enclosed.
struct Enclosing {
    /// Of a share. UnsizedMessages are heard one by one: what is longer had better come while others do (bench/RESULTS.md,
    /// "Bytes sent with their description").
    static constexpr ByteCount kMostOfShare = ByteCount{1} << 10;

    /// Copies the bytes of a share of this rank, one behind the other, to `packed`. Takes no memory, throws nothing. Empty:
    /// this rank encloses nothing.
    std::function<void(const Share &share, char *packed)> pack;
    ByteCount most = 0; // that are enclosed for a domain; the same on all ranks

    /// Bytes that a share may have, where messages of so many ranks come to its domain.
    ByteCount OfShare(std::int64_t messages) const noexcept {
        return std::min(kMostOfShare, most / std::max<std::int64_t>(1, messages));
    }
};

/// What was enclosed when a plan was made, for the call that it was made for: all bytes of a share or none of them.
struct Enclosed {
    std::vector<bool> sent;                                  // of this rank's shares; empty: none
    std::map<std::pair<int, Rank>, std::vector<char>> bytes; // of domains of this rank, by domain and client

    bool IsSent(const Plan &plan, const Share &share) const noexcept {
        return !sent.empty() && sent[static_cast<std::size_t>(&share - plan.shares.data())];
    }

    /// The bytes of a client's share of a domain, one behind the other; null where they come by themselves.
    const char *Of(int domain, Rank client) const noexcept {
        const auto found = bytes.find({domain, client});
        return found == bytes.end() ? nullptr : found->second.data();
    }
};

} // namespace overlap

#endif
