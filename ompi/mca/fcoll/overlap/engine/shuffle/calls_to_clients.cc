// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "calls_to_clients.h"

#include "throttle.h"

namespace overlap {
namespace {

void Sent(Cycle /*cycle*/, std::int64_t /*word*/) {}

} // namespace

CallsToClients::CallsToClients(const ShuffleJob &job, Cycle first)
    : job_(job), clients_(job_, first), sends_(job_.team.transport(), MostWords(job_.plan, job_.slots, job_.throttle)) {}

Status CallsToClients::Start(Cycle cycle, std::int64_t word) noexcept {
    said_[static_cast<std::size_t>(job_.SlotOf(cycle))] = word;
    clients_.StartCycle(cycle);
    return Progress();
}

// A word is often complete when it is sent: then nobody comes back for those behind it before the file has been waited for.
Status CallsToClients::Progress() noexcept {
    Status status;
    bool some = true;
    while (some) {
        some = false;
        status.Merge(sends_.Test([&some](Cycle /*cycle*/, std::int64_t /*word*/) { some = true; }));
        some = some && clients_.Next() != nullptr;
        status.Merge(StartSends());
    }
    return status;
}

Status CallsToClients::StartSends() noexcept {
    Status status;
    while (const RankInCycle *const next = clients_.Next()) {
        if (sends_.full()) {
            break;
        }
        const std::int64_t word = said_[static_cast<std::size_t>(job_.SlotOf(next->cycle))];
        status.Merge(sends_.Send(next->rank, kTagFree, next->cycle, word));
        clients_.Pop();
    }
    return status;
}

Status CallsToClients::Finish() noexcept {
    Status status;
    while (!sends_.empty()) {
        status.Merge(sends_.WaitForOldest(Sent));
        status.Merge(StartSends());
    }
    return status;
}

} // namespace overlap
