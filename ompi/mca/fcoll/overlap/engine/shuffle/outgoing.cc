// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "outgoing.h"

#include <algorithm>
#include <tuple>

namespace overlap {
namespace {

constexpr overlap_piece kNothing{nullptr, 0, 0, 1}; // a message without bytes

std::size_t AggregatorsOf(const Plan &plan) {
    std::vector<Rank> ranks;
    for (const Share &share : plan.shares) {
        ranks.push_back(share.aggregator);
    }
    std::sort(ranks.begin(), ranks.end());
    return static_cast<std::size_t>(std::unique(ranks.begin(), ranks.end()) - ranks.begin());
}

} // namespace

Outgoing::Outgoing(const ShuffleJob &job)
    : job_(job), backpressure_(job.slots), calls_(job.team.transport(), AggregatorsOf(job.plan)) {
    shares_.reserve(job_.plan.shares.size());
    for (const Share &share : job_.plan.shares) {
        if (share.aggregator != job_.team.rank() && !job_.enclosed.IsSent(share.domain)) {
            shares_.push_back(OfShare{&share});
        }
    }
    const auto place = [&rotation = job_.plan.rotation](const OfShare &one) {
        return std::make_tuple(rotation.PlaceOf(one.share->aggregator), one.share->aggregator, one.share->domain);
    };
    std::sort(shares_.begin(), shares_.end(), [&place](const OfShare &a, const OfShare &b) { return place(a) < place(b); });
    for (std::size_t i = 0; i < shares_.size(); ++i) {
        if (i == 0 || shares_[i].share->aggregator != shares_[i - 1].share->aggregator) {
            lanes_.push_back(Lane{i, i, i});
        }
        lanes_.back().end = i + 1;
    }
    messages_.reserve(static_cast<std::size_t>(job_.slots));
    for (int slot = 0; slot < job_.slots; ++slot) {
        messages_.emplace_back(job_.team.transport()).Reserve(shares_.size());
    }
    pieces_.reserve(std::max(job_.most_pieces, std::size_t{1}));
}

Status Outgoing::Start(Cycle cycle) noexcept {
    Status status;
    started_ = cycle + 1;
    for (Lane &lane : lanes_) {
        status.Merge(Advance(lane));
    }
    status.Merge(Progress());
    return status;
}

Status Outgoing::Progress() noexcept {
    if (calls_.empty()) {
        return Status();
    }
    Status status = calls_.Test([this](std::size_t lane) { lanes_[lane].call = Lane::Call::kHeard; });
    for (Lane &lane : lanes_) {
        status.Merge(lane.call == Lane::Call::kHeard ? Advance(lane) : Status());
    }
    return status;
}

bool Outgoing::Past(Cycle cycle) const noexcept {
    return calls_.empty() ||
           std::all_of(lanes_.begin(), lanes_.end(), [cycle](const Lane &lane) { return lane.cycle > cycle; });
}

// Up to a message that has to be called for.
Status Outgoing::Advance(Lane &lane) noexcept {
    Status status;
    for (; lane.cycle < started_; ++lane.cycle, lane.at = lane.begin) {
        for (; lane.at < lane.end; ++lane.at) {
            if (!MaySend(lane, status)) {
                return status;
            }
            status.Merge(Send(shares_[lane.at], lane.cycle));
        }
    }
    return status;
}

bool Outgoing::MaySend(Lane &lane, Status &status) noexcept {
    if (lane.call == Lane::Call::kNone) {
        const OfShare &to = shares_[lane.at];
        const ByteCount bytes = to.share->Last(lane.cycle) - to.share->First(lane.cycle);
        if (bytes > 0 && backpressure_.IsCalledFor(lane.cycle, to.last, bytes)) {
            lane.call = Lane::Call::kAwaited;
            status.Merge(calls_.Receive(to.share->aggregator, kTagCall, &kNothing, 1,
                                        static_cast<std::size_t>(&lane - lanes_.data())));
        }
    }
    if (lane.call == Lane::Call::kAwaited) {
        return false;
    }
    if (lane.call == Lane::Call::kHeard) {
        lane.call = Lane::Call::kNone;
        shares_[lane.at].synchronous = lane.cycle;
    }
    return true;
}

Status Outgoing::Send(OfShare &to, Cycle cycle) noexcept {
    const ByteCount first = to.share->First(cycle);
    const ByteCount last = to.share->Last(cycle);
    if (first == last) {
        return Status();
    }
    const Slot slot = job_.SlotOf(cycle);
    Status status = job_.pack.PiecesOf(*to.share, first, last, job_.memory, slot, pieces_);
    to.last = cycle;
    status.Merge(MessagesOf(slot).Send(to.share->aggregator, kTagData, pieces_.data(), pieces_.size(),
                                       backpressure_.ModeOf(cycle, last - first, to.synchronous)));
    return status;
}

} // namespace overlap
