// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "intake.h"

#include "../observe/watch.h"
#include "scatter.h"
#include "throttle.h"

#include <algorithm>

namespace overlap {
namespace {

constexpr overlap_piece kNothing{nullptr, 0, 0, 1}; // a message without bytes

} // namespace

Intake::Intake(const ShuffleJob &job, OwnShares &own)
    : job_(job), backpressure_(job.slots), own_(own), sequence_(job, job.plan.overlap ? 0 : job.plan.rotation.FirstClient()),
      receives_(job.team.transport(), MostReceived(job.plan, job.slots, job.throttle)),
      calls_(job.team.transport(), MostWords(job.plan, job.slots, job.throttle)) {
    job_.staging.BeginFrames();
    pieces_.reserve(std::max(job_.plan.most_client_pieces, std::size_t{1}));
}

Status Intake::Start(Cycle cycle) noexcept {
    sequence_.StartCycle(cycle);
    return StartReceives();
}

Status Intake::Progress() noexcept {
    Status status = receives_.Test([this](const Arriving &arrived) { Take(arrived); });
    status.Merge(StartReceives());
    return status;
}

Status Intake::Wait(Cycle cycle, Slot slot) noexcept {
    Status status;
    while (!Done(cycle, slot)) {
        if (receives_.empty()) {
            status.Merge(calls_.WaitForOldest([](Call) {}));
        } else {
            status.Merge(receives_.WaitForOldest([this](const Arriving &arrived) { Take(arrived); }));
        }
        status.Merge(sequence_.Next() != nullptr ? Progress() : Status());
    }
    return status;
}

Status Intake::Test(Cycle cycle, Slot slot, bool &done) noexcept {
    Status status = receives_.Test([slot](const Arriving &arriving) { return arriving.message.slot == slot; },
                                   [this](const Arriving &arrived) { Take(arrived); });
    status.Merge(StartReceives());
    done = Done(cycle, slot);
    return status;
}

Status Intake::Finish() noexcept {
    Status status;
    while (!calls_.empty()) {
        status.Merge(calls_.WaitForOldest([](Call) {}));
    }
    return status;
}

Status Intake::StartReceives() noexcept {
    Status status;
    while (const ClientMessage *const next = sequence_.Next()) {
        const char *const enclosed = job_.enclosed.Of(job_.plan.owned[next->owned].domain, next->part.client->rank);
        const bool own = next->part.client->rank == job_.team.rank();
        if (own || enclosed != nullptr) {
            if (job_.plan.overlap && !receives_.empty()) {
                break;
            }
            if (enclosed != nullptr) {
                Unpack(*next, enclosed + next->part.first);
            } else if (job_.plan.overlap) {
                status.Merge(own_.CopyTo(next->owned, next->cycle, next->slot));
            }
        } else if (!StartReceive(*next, status)) {
            break;
        }
        sequence_.Pop();
    }
    return status;
}

bool Intake::StartReceive(const ClientMessage &message, Status &status) noexcept {
    const ClientPart &part = message.part;
    const bool called = backpressure_.IsCalledFor(message.cycle, part.before, part.bytes());
    if (called && calls_.full()) {
        status.Merge(calls_.Test([](Call) {}));
    }
    if (receives_.full() || (called && calls_.full())) {
        return false;
    }
    bool staged = part.client->scatters;
    if (!staged) {
        PiecesOfClient(job_, message.owned, *part.client, part.first, part.last, message.cycle, message.slot, pieces_);
        const bool several = pieces_.size() > 1 || (pieces_.size() == 1 && pieces_.front().count > 1);
        staged = several && job_.staging.Holds(*part.client);
    }
    char *packed = nullptr;
    if (staged) {
        packed = job_.staging.Take(message.slot, part.bytes());
        pieces_.assign(1, overlap_piece{packed, static_cast<std::size_t>(part.bytes()), 0, 1});
    }
    ++of_slot_[static_cast<std::size_t>(message.slot)];
    status.Merge(receives_.Receive(part.client->rank, kTagData, pieces_.data(), pieces_.size(), Arriving{message, packed}));
    if (called) {
        status.Merge(calls_.Send(part.client->rank, kTagCall, &kNothing, 1, OVERLAP_SEND_STANDARD, Call()));
    }
    return true;
}

void Intake::Unpack(const ClientMessage &message, const char *packed) noexcept {
    const Interlude copying(job_.watch, Activity::kCopy);
    const OwnedDomain &domain = job_.plan.owned[message.owned];
    ScatterBytes(packed, message.part.client->file, message.part.first, message.part.last, domain.coverage.data,
                 domain.First(message.cycle), job_.buffers.At(message.slot, message.owned));
}

// Ranks that overlap come one after the other, each into the same room.
void Intake::Take(const Arriving &arrived) noexcept {
    const ClientMessage &message = arrived.message;
    if (arrived.packed != nullptr) {
        Unpack(message, arrived.packed);
        job_.staging.GiveBack(arrived.packed);
    }
    if (job_.plan.overlap) {
        job_.staging.Leave(message.slot);
    }
    --of_slot_[static_cast<std::size_t>(message.slot)];
}

bool Intake::Done(Cycle cycle, Slot slot) const noexcept {
    return sequence_.Past(cycle) && of_slot_[static_cast<std::size_t>(slot)] == 0;
}

} // namespace overlap
