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
            queues_.push_back(MessageQueue{i, i, i});
        }
        queues_.back().end = i + 1;
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
    for (MessageQueue &queue : queues_) {
        status.Merge(Advance(queue));
    }
    status.Merge(Progress());
    return status;
}

Status Outgoing::Progress() noexcept {
    if (calls_.empty()) {
        return Status();
    }
    Status status = calls_.Test([this](std::size_t queue) { queues_[queue].call = MessageQueue::Call::kHeard; });
    for (MessageQueue &queue : queues_) {
        status.Merge(queue.call == MessageQueue::Call::kHeard ? Advance(queue) : Status());
    }
    return status;
}

bool Outgoing::Past(Cycle cycle) const noexcept {
    return calls_.empty() ||
           std::all_of(queues_.begin(), queues_.end(), [cycle](const MessageQueue &queue) { return queue.cycle > cycle; });
}

// Up to a message that has to be called for.
Status Outgoing::Advance(MessageQueue &queue) noexcept {
    Status status;
    for (; queue.cycle < started_; ++queue.cycle, queue.at = queue.begin) {
        for (; queue.at < queue.end; ++queue.at) {
            if (!MaySend(queue, status)) {
                return status;
            }
            status.Merge(Send(shares_[queue.at], queue.cycle));
        }
    }
    return status;
}

bool Outgoing::MaySend(MessageQueue &queue, Status &status) noexcept {
    if (queue.call == MessageQueue::Call::kNone) {
        const OfShare &to = shares_[queue.at];
        const ByteCount bytes = to.share->Last(queue.cycle) - to.share->First(queue.cycle);
        if (bytes > 0 && backpressure_.IsCalledFor(queue.cycle, to.last, bytes)) {
            queue.call = MessageQueue::Call::kAwaited;
            status.Merge(calls_.Receive(to.share->aggregator, kTagCall, &kNothing, 1,
                                        static_cast<std::size_t>(&queue - queues_.data())));
        }
    }
    if (queue.call == MessageQueue::Call::kAwaited) {
        return false;
    }
    if (queue.call == MessageQueue::Call::kHeard) {
        queue.call = MessageQueue::Call::kNone;
        shares_[queue.at].synchronous = queue.cycle;
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
