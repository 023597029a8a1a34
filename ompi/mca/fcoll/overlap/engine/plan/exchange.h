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

/// What came of a step that all ranks take together.
struct Exchanged {
    Status status;
    bool agreed = false; // the error is that of all ranks; else this rank's alone
};

/// Collective. Each rank describes its shares to their aggregators; plan.owned becomes the domains of this rank with their
/// clients. The bytes of shares that are so small that the message stays one message go with it, as far as `enclosing` says.
/// `local`: what kept this rank from making its shares; nothing is sent then. `words` has room for a word of each of
/// `domains` and one more.
Exchanged ExchangeShares(const Team &team, Status local, std::size_t domains, const Enclosing &enclosing, Words &words,
                         Plan &plan, Enclosed &enclosed);

/// What an aggregator tells its clients of the cuts of its domains: the parts that they have data in, and where bytes are
/// put into a domain with gaps, where in its data theirs go.
class CutDescriptions {
  public:
    explicit CutDescriptions(const Team &team) : team_(team), messages_(team.transport()) {}

    /// Writes the messages where a domain of this rank has gaps, and takes room for them in any case. Throws std::bad_alloc.
    void Prepare(const Plan &plan, bool with_positions);

    /// Collective, after Prepare. Gives the shares of this rank their cuts. The status is this rank's.
    Status Exchange(Plan &plan);

  private:
    void Write(const OwnedDomain &domain, bool with_positions, UnsizedMessage *messages);
    void Read(const Words &words, Plan &plan);

    const Team &team_;
    std::vector<UnsizedMessage> descriptions_; // of each domain and client, this rank itself included
    Messages messages_;                        // behind what it sends
    bool written_ = false;
};

} // namespace overlap

#endif
