// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// What ranks tell each other so that aggregators and clients hold the same plan. Nothing goes to a rank that is not
// concerned. Of a write small shares take their bytes along, in the place of messages of their own. Whatever a rank lacks
// memory for, it answers every other rank and takes every message that is sent to it.
#ifndef OVERLAP_ENGINE_PLAN_EXCHANGE_H
#define OVERLAP_ENGINE_PLAN_EXCHANGE_H

#include "../team/team.h"
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

/// Whether and how bytes are enclosed.
struct Enclosing {
    /// Of a share. UnsizedMessages are heard one by one: what is longer had better come while others do (docs/results,
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
    std::vector<bool> sent;                         // of this rank's shares; empty: none
    std::map<std::pair<int, Rank>, Words> messages; // with their bytes, of domains of this rank, by domain and client

    bool IsSent(const Plan &plan, const Share &share) const noexcept {
        return !sent.empty() && sent[static_cast<std::size_t>(&share - plan.shares.data())];
    }

    /// The bytes of a client's share of a domain, one behind the other; null where they come by themselves.
    const char *Of(int domain, Rank client) const noexcept {
        const auto found = messages.find({domain, client});
        if (found == messages.end()) {
            return nullptr;
        }
        const Words &words = found->second;
        return reinterpret_cast<const char *>(words.data() + words.size() - WordsOf(words[0] >> kShareDomainBits));
    }
};

/// Collective. Each rank describes its shares to their aggregators; plan.owned becomes the domains of this rank with their
/// clients. The bytes of shares that are so small that the message stays one message go with it, as far as `enclosing` says.
/// `local`: what kept this rank from making its shares; if any rank has one, no rank sends. `words` has room for a word of
/// each of `domains` and one more. The status is this rank's: the next agreement tells the others.
Status ExchangeShares(const Team &team, Status local, std::size_t domains, const Enclosing &enclosing, Words &words,
                      Plan &plan, Enclosed &enclosed);

/// What an aggregator tells its clients of the cuts of its domains: the parts that they have data in.
class CutDescriptions {
  public:
    explicit CutDescriptions(const Team &team) : team_(team), messages_(team.transport()) {}

    /// Writes the messages. Throws std::bad_alloc.
    void Prepare(const Plan &plan);

    /// Collective, after Prepare. Gives the shares of this rank their cuts. The status is this rank's.
    Status Exchange(Plan &plan);

  private:
    const Team &team_;
    std::vector<std::pair<Rank, UnsizedMessage>> descriptions_; // by client
    Messages messages_;                                         // behind what it sends
};

} // namespace overlap

#endif
