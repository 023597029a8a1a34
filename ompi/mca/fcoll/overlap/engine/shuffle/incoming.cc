// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "incoming.h"

#include "../observe/watch.h"
#include "copy_pieces.h"
#include "scatter.h"

#include <algorithm>
#include <utility>

namespace overlap {
namespace {

// The part that `offset` of the data lies in. Needs: cuts begin with their first part, and have parts.
Cycle PartAt(const Cuts &cuts, FileOffset offset) {
    Cycle low = 0;
    for (Cycle high = cuts.cycles(); high - low > 1;) {
        const Cycle middle = low + (high - low) / 2;
        (cuts.Begin(middle) <= offset ? low : high) = middle;
    }
    return low;
}

} // namespace

ClientsOfCycles::ClientsOfCycles(const OwnedDomain &domain) : domain_(domain), before_(domain.clients.size(), -1) {
    Cuts in_order = domain.cuts;
    in_order.StartWith(0);
    spans_.reserve(domain.clients.size());
    for (const Client &client : domain.clients) {
        if (!client.file.empty()) {
            spans_.push_back(Span{&client, PartAt(in_order, client.file.begin()), PartAt(in_order, client.file.end() - 1)});
        }
    }
    std::sort(spans_.begin(), spans_.end(),
              [](const Span &a, const Span &b) { return a.first != b.first ? a.first < b.first : a.client < b.client; });
    active_.reserve(spans_.size());
    last_.reserve(spans_.size());
}

// The parts ascend from cycle to cycle, and begin again once.
void ClientsOfCycles::Begin(Cycle cycle, Rank first) noexcept {
    cycle_ = cycle;
    const Cycle to_last = domain_.cycles() - domain_.cuts.first_part();
    const Cycle part = cycle < to_last ? domain_.cuts.first_part() + cycle : cycle - to_last;
    if (part < part_) {
        next_ = 0;
        active_.clear();
        last_.clear();
    }
    part_ = part;
    for (; next_ < spans_.size() && spans_[next_].first <= part; ++next_) {
        if (spans_[next_].last < part) {
            continue;
        }
        const auto at = std::lower_bound(active_.begin(), active_.end(), spans_[next_].client) - active_.begin();
        active_.insert(active_.begin() + at, spans_[next_].client);
        last_.insert(last_.begin() + at, spans_[next_].last);
    }
    std::size_t kept = 0;
    for (std::size_t i = 0; i < active_.size(); ++i) {
        if (last_[i] >= part) {
            active_[kept] = active_[i];
            last_[kept++] = last_[i];
        }
    }
    active_.resize(kept);
    last_.resize(kept);
    const auto from = std::lower_bound(active_.begin(), active_.end(), first,
                                       [](const Client *client, Rank rank) { return client->rank < rank; });
    first_ = static_cast<std::size_t>(from - active_.begin());
    looked_at_ = 0;
}

bool ClientsOfCycles::Next(ClientPart &part) noexcept {
    while (looked_at_ < active_.size()) {
        const Client *const client = active_[(first_ + looked_at_++) % active_.size()];
        const ByteCount first = client->file.BytesBefore(domain_.cuts.Begin(cycle_));
        const ByteCount last = client->file.BytesBefore(domain_.cuts.End(cycle_));
        if (first < last) {
            Cycle &before = before_[static_cast<std::size_t>(client - domain_.clients.data())];
            part = ClientPart{client, first, last, std::exchange(before, cycle_)};
            return true;
        }
    }
    return false;
}

void PiecesOfClient(const ShuffleJob &job, std::size_t owned, const Client &client, ByteCount first, ByteCount last,
                    Cycle cycle, Slot slot, Pieces &pieces) {
    const OwnedDomain &domain = job.plan.owned[owned];
    PiecesInBuffer(client.file, first, last, domain.coverage.data, domain.First(cycle), job.buffers.At(slot, owned), pieces);
}

OwnShares::OwnShares(const ShuffleJob &job) : job_(job) {
    for (const OwnedDomain &domain : job.plan.owned) {
        Own &own = own_.emplace_back(Own{nullptr, nullptr});
        for (const Share &share : job.plan.shares) {
            own.share = share.domain == domain.domain ? &share : own.share;
        }
        for (const Client &client : domain.clients) {
            own.client = client.rank == job.team.rank() ? &client : own.client;
        }
    }
    in_memory_.reserve(job.most_pieces);
    in_buffer_.reserve(job.plan.most_client_pieces);
}

Status OwnShares::Copy(Cycle cycle, Slot slot) noexcept {
    Status status;
    for (std::size_t i = 0; i < own_.size(); ++i) {
        status.Merge(CopyTo(i, cycle, slot));
    }
    return status;
}

Status OwnShares::CopyTo(std::size_t owned, Cycle cycle, Slot slot) noexcept {
    return CopyOne(owned, cycle, slot, OVERLAP_WRITE);
}

Status OwnShares::CopyBack(Cycle cycle, Slot slot) noexcept {
    Status status;
    for (std::size_t i = 0; i < own_.size(); ++i) {
        status.Merge(CopyOne(i, cycle, slot, OVERLAP_READ));
    }
    return status;
}

Status OwnShares::CopyOne(std::size_t owned, Cycle cycle, Slot slot, overlap_direction direction) noexcept {
    const Own &own = own_[owned];
    if (own.share == nullptr || cycle >= job_.plan.owned[owned].cycles()) {
        return Status();
    }
    const ByteCount first = own.share->First(cycle);
    const ByteCount last = own.share->Last(cycle);
    if (first == last) {
        return Status();
    }
    const Interlude copying(job_.watch, Activity::kCopy);
    const OwnedDomain &domain = job_.plan.owned[owned];
    char *const buffer = job_.buffers.At(slot, owned);
    if (job_.pack.device() != nullptr) {
        return CopyOnDevice(*own.share, domain, cycle, slot, buffer, direction);
    }
    if (job_.pack.gathers() || own.client->scatters) {
        if (direction == OVERLAP_READ) {
            CopyShareBack(*own.share, first, last, job_.memory, domain.coverage.data, domain.First(cycle), buffer);
        } else {
            CopyShare(*own.share, first, last, job_.memory, domain.coverage.data, domain.First(cycle), buffer);
        }
        return Status();
    }
    PiecesInMemory(*own.share, first, last, job_.memory, in_memory_);
    PiecesOfClient(job_, owned, *own.client, first, last, cycle, slot, in_buffer_);
    if (direction == OVERLAP_READ) {
        CopyPieces(in_buffer_, in_memory_);
    } else {
        CopyPieces(in_memory_, in_buffer_);
    }
    return Status();
}

Status OwnShares::CopyOnDevice(const Share &share, const OwnedDomain &domain, Cycle cycle, Slot slot, char *buffer,
                               overlap_direction direction) noexcept {
    DeviceStage &device = *job_.pack.device();
    const ByteCount first = share.First(cycle);
    const ByteCount last = share.Last(cycle);
    char *const packed = device.PlaceOf(share, slot);
    if (direction == OVERLAP_READ) {
        GatherBytes(share.file, first, last, domain.coverage.data, domain.First(cycle), buffer, packed);
        return device.Scatter(share, first, last, slot);
    }
    const Status status = device.Gathered(slot);
    if (status.ok()) {
        ScatterBytes(packed, share.file, first, last, domain.coverage.data, domain.First(cycle), buffer);
    }
    return status;
}

} // namespace overlap
