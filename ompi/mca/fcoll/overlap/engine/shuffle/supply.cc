// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "supply.h"

#include "../observe/watch.h"
#include "scatter.h"
#include "throttle.h"

#include <algorithm>

namespace overlap {

Supply::Supply(const ShuffleJob &job)
    : job_(job), backpressure_(job.slots), sequence_(job, job.plan.rotation.FirstClient()),
      sends_(job.team.transport(), MostSent(job.plan, job.slots, job.throttle)) {
    synchronous_.reserve(job_.plan.owned.size());
    for (const OwnedDomain &domain : job_.plan.owned) {
        synchronous_.emplace_back(domain.clients.size(), Cycle{-1});
    }
    pieces_.reserve(std::max(job_.plan.most_client_pieces, std::size_t{1}));
}

Status Supply::Start(Cycle cycle) noexcept {
    sequence_.StartCycle(cycle);
    return StartSends();
}

Status Supply::Progress() noexcept {
    Status status = sends_.Test([this](Slot slot) { HasLeft(slot); });
    status.Merge(StartSends());
    return status;
}

Status Supply::Wait(Slot slot) noexcept {
    Status status;
    while (of_slot_[static_cast<std::size_t>(slot)] > 0) {
        status.Merge(sends_.WaitForOldest([this](Slot one) { HasLeft(one); }));
    }
    job_.staging.Leave(slot);
    return status;
}

Status Supply::Test(Cycle cycle, Slot slot, bool &done) noexcept {
    Status status = sends_.Test([slot](Slot one) { return one == slot; }, [this](Slot one) { HasLeft(one); });
    status.Merge(StartSends());
    done = Past(cycle) && of_slot_[static_cast<std::size_t>(slot)] == 0;
    if (done) {
        job_.staging.Leave(slot);
    }
    return status;
}

Status Supply::StartSends() noexcept {
    Status status;
    while (const ClientMessage *const next = sequence_.Next()) {
        if (next->part.client->rank != job_.team.rank()) {
            if (!HasRoomFor(*next)) {
                break;
            }
            status.Merge(StartSend(*next));
        }
        sequence_.Pop();
    }
    return status;
}

bool Supply::HasRoomFor(const ClientMessage &message) noexcept {
    if (message.part.client->scatters && !job_.staging.HasRoom(message.slot, message.part.bytes())) {
        if (of_slot_[static_cast<std::size_t>(message.slot)] > 0) {
            return false;
        }
        job_.staging.Leave(message.slot);
    }
    return !sends_.full();
}

Status Supply::StartSend(const ClientMessage &message) noexcept {
    const ClientPart &part = message.part;
    if (part.client->scatters) {
        Pack(message);
    } else {
        PiecesOfClient(job_, message.owned, *part.client, part.first, part.last, message.cycle, message.slot, pieces_);
    }
    const auto index = static_cast<std::size_t>(part.client - job_.plan.owned[message.owned].clients.data());
    const overlap_send_mode mode = backpressure_.ModeOf(message.cycle, part.bytes(), synchronous_[message.owned][index]);
    ++of_slot_[static_cast<std::size_t>(message.slot)];
    return sends_.Send(part.client->rank, kTagData, pieces_.data(), pieces_.size(), mode, message.slot);
}

void Supply::Pack(const ClientMessage &message) noexcept {
    const Interlude copying(job_.watch, Activity::kCopy);
    const ClientPart &part = message.part;
    const OwnedDomain &domain = job_.plan.owned[message.owned];
    char *const packed = job_.staging.Take(message.slot, part.bytes());
    GatherBytes(part.client->file, part.first, part.last, domain.coverage.data, domain.First(message.cycle),
                job_.buffers.At(message.slot, message.owned), packed);
    pieces_.assign(1, overlap_piece{packed, static_cast<std::size_t>(part.bytes()), 0, 1});
}

} // namespace overlap
