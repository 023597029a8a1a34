// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Bytes of a write that are sent with the description of the share that they are, in the place of messages of their own.
#ifndef OVERLAP_ENGINE_PLAN_ENCLOSED_H
#define OVERLAP_ENGINE_PLAN_ENCLOSED_H

#include "plan.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <vector>

namespace overlap {

/// Copies the bytes of a share of this rank, one behind the other, to `packed`. Takes no memory, throws nothing. Empty: this
/// rank encloses nothing.
using PackShare = std::function<void(const Share &share, char *packed)>;

/// The first word of a share's message: its domain, and how many bytes are enclosed, in whole words at the message's end.
struct ShareWord {
    int domain = 0;
    ByteCount enclosed = 0;

    static constexpr int kDomainBits = 32;

    std::int64_t word() const noexcept { return domain + (enclosed << kDomainBits); }
    static ShareWord Of(std::int64_t word) noexcept {
        return ShareWord{static_cast<int>(word & ((std::int64_t{1} << kDomainBits) - 1)), word >> kDomainBits};
    }
    std::size_t words() const noexcept {
        return static_cast<std::size_t>(DivideUp(enclosed, static_cast<ByteCount>(sizeof(std::int64_t))));
    }
};

/// Whether and how bytes are enclosed.
struct Enclosing {
    /// Of a share. UnsizedMessages are heard one by one: what is longer had better come while others do (bench/RESULTS.md,
    /// "Bytes sent with their description").
    static constexpr ByteCount kMostOfShare = ByteCount{1} << 10;

    PackShare pack;
    ByteCount most = 0; // that are enclosed for a domain; the same on all ranks

    /// Bytes that a share may have, where messages of so many ranks come to its domain.
    ByteCount OfShare(std::int64_t messages) const noexcept {
        return std::min(kMostOfShare, most / std::max<std::int64_t>(1, messages));
    }
};

/// What was enclosed when a plan was made, for the call that it was made for. All bytes of a share or none of them: an
/// aggregator keeps them until the cycles that they belong to.
class Enclosed {
  public:
    /// Room for so many shares that are sent. Throws std::bad_alloc.
    void ReserveSent(std::size_t shares) { sent_.reserve(shares); }

    /// This rank's share of a domain was sent. Needs: room.
    void AddSent(int domain) noexcept { sent_.push_back(domain); }
    /// After Sort.
    bool IsSent(int domain) const noexcept { return std::binary_search(sent_.begin(), sent_.end(), domain); }

    /// A client's share of a domain of this rank has come. Throws std::bad_alloc.
    void Add(int domain, Rank client, const char *bytes, ByteCount count);

    /// All have been sent and have come.
    void Sort() noexcept;

    /// After Sort: the bytes of that share, one behind the other; null where they come by themselves.
    const char *Of(int domain, Rank client) const noexcept;

  private:
    struct Arrived {
        int domain;
        Rank client;
        const char *bytes; // in a chunk
    };

    static bool IsBefore(const Arrived &a, const Arrived &b) noexcept {
        return a.domain != b.domain ? a.domain < b.domain : a.client < b.client;
    }

    std::vector<int> sent_;
    std::vector<Arrived> arrived_;
    std::vector<std::unique_ptr<char[]>> chunks_; // so that nothing that has come is moved to make room
    char *room_ = nullptr;                        // in the last chunk,
    ByteCount left_ = 0;                          // so much
};

} // namespace overlap

#endif
