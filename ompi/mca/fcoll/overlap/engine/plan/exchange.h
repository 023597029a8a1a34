// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// What ranks tell each other so that aggregators and clients hold the same plan. Nothing goes to a rank that is not
// concerned. Whatever a rank lacks memory for, it answers every other rank and takes every message that is sent to it.
#ifndef OVERLAP_ENGINE_PLAN_EXCHANGE_H
#define OVERLAP_ENGINE_PLAN_EXCHANGE_H

#include "../team/team.h"
#include "enclosed.h"
#include "plan.h"

namespace overlap {

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
    struct ToClient {
        Rank client;
        UnsizedMessage message;
    };

    const Team &team_;
    std::vector<ToClient> descriptions_;
    Messages messages_; // behind what it sends
};

} // namespace overlap

#endif
