// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "clients_in_turn.h"

namespace overlap {
namespace {

void Advance(ClientsOfCycles &clients, ClientPart &next) noexcept {
    if (!clients.Next(next)) {
        next.client = nullptr;
    }
}

} // namespace

ClientsInTurn::ClientsInTurn(const ShuffleJob &job, Cycle first) : job_(job), cycle_(first) {
    domains_.reserve(job_.plan.owned.size());
    for (const OwnedDomain &domain : job_.plan.owned) {
        domains_.push_back(OfDomain{ClientsOfCycles(domain), ClientPart()});
    }
}

const RankInCycle *ClientsInTurn::Next() noexcept {
    while (!there_ && cycle_ < started_) {
        GoOn();
    }
    return there_ ? &next_ : nullptr;
}

void ClientsInTurn::BeginCycle() noexcept {
    begun_ = true;
    for (std::size_t i = 0; i < domains_.size(); ++i) {
        domains_[i].next.client = nullptr;
        if (cycle_ < job_.plan.owned[i].cycles()) {
            domains_[i].clients.Begin(cycle_);
            Advance(domains_[i].clients, domains_[i].next);
        }
    }
}

void ClientsInTurn::GoOn() noexcept {
    if (!begun_) {
        BeginCycle();
    }
    const Client *lowest = nullptr;
    for (const OfDomain &domain : domains_) {
        const Client *const client = domain.next.client;
        if (client != nullptr && (lowest == nullptr || client->rank < lowest->rank)) {
            lowest = client;
        }
    }
    if (lowest == nullptr) {
        begun_ = false;
        ++cycle_;
        return;
    }
    next_ = RankInCycle{cycle_, lowest->rank};
    there_ = next_.rank != job_.team.rank();
    for (OfDomain &domain : domains_) {
        if (domain.next.client != nullptr && domain.next.client->rank == next_.rank) {
            Advance(domain.clients, domain.next);
        }
    }
}

} // namespace overlap
