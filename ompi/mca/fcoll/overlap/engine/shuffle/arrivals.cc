// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "arrivals.h"

#include "throttle.h"

#include <utility>

namespace overlap {

Arrivals::Arrivals(const ShuffleJob &job)
    : job_(job), clients_(job_), receives_(job_.team.transport(), MostWords(job_.plan, job_.slots, job_.throttle)) {
    outgoing_.reserve(static_cast<std::size_t>(job_.slots));
    for (int slot = 0; slot < job_.slots; ++slot) {
        outgoing_.push_back(Outgoing{0, Messages(job_.team.transport())});
        outgoing_.back().words.Reserve(job_.plan.shares.size());
    }
}

Status Arrivals::Expect(Cycle cycle) noexcept {
    clients_.StartCycle(cycle);
    return StartReceives();
}

Status Arrivals::StartReceives() noexcept {
    Status status;
    while (const RankInCycle *const next = clients_.Next()) {
        if (receives_.full()) {
            break;
        }
        ++of_slot_[IndexOf(job_.SlotOf(next->cycle))];
        status.Merge(receives_.Receive(next->rank, kTagArrived, next->cycle));
        clients_.Pop();
    }
    return status;
}

void Arrivals::Take(Cycle cycle, std::int64_t word) noexcept {
    const std::size_t slot = IndexOf(job_.SlotOf(cycle));
    heard_[slot].Merge(Status(static_cast<int>(word)));
    --of_slot_[slot];
}

Status Arrivals::Tell(Slot slot, const std::vector<Rank> &targets, Status puts) noexcept {
    Outgoing &own = outgoing_[IndexOf(slot)];
    Status status = own.words.Wait();
    own.said = puts.error();
    for (const Rank target : targets) {
        status.Merge(own.words.Send(target, kTagArrived, &own.said, 1));
    }
    return status;
}

bool Arrivals::Done(Cycle cycle, Slot slot) const noexcept { return clients_.Past(cycle) && of_slot_[IndexOf(slot)] == 0; }

Status Arrivals::Wait(Cycle cycle, Slot slot) noexcept {
    Status status;
    while (!Done(cycle, slot)) {
        status.Merge(receives_.WaitForOldest([this](Cycle of, std::int64_t word) { Take(of, word); }));
        status.Merge(StartReceives());
    }
    status.Merge(std::exchange(heard_[IndexOf(slot)], Status()));
    return status;
}

Status Arrivals::Test(Cycle cycle, Slot slot, bool &done) noexcept {
    Status status = receives_.Test([this](Cycle of, std::int64_t word) { Take(of, word); });
    status.Merge(StartReceives());
    done = Done(cycle, slot);
    if (done) {
        status.Merge(std::exchange(heard_[IndexOf(slot)], Status()));
    }
    return status;
}

Status Arrivals::Finish() noexcept {
    Status status;
    while (!receives_.empty()) {
        status.Merge(receives_.WaitForOldest([this](Cycle of, std::int64_t word) { Take(of, word); }));
        status.Merge(StartReceives());
    }
    for (Outgoing &own : outgoing_) {
        status.Merge(own.words.Wait());
    }
    return status;
}

} // namespace overlap
