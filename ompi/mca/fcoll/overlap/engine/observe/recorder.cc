// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "recorder.h"

#include "../plan/plan.h"
#include "chrome_text.h"

#include <algorithm>
#include <new>

namespace overlap {
namespace {

// What the thread did for less than that, between two readings of the clock, nobody sees.
constexpr Nanoseconds kShort = 1000;

// Calls visit(peer, domain, to_aggregator, bytes) for each share of another rank, which may have no bytes in the cycle.
template <typename Visit> void ForEachMessage(const Plan &plan, Cycle cycle, Rank own, Visit visit) noexcept {
    for (const Share &share : plan.shares) {
        if (share.aggregator != own) {
            visit(share.aggregator, share.domain, true, share.In(cycle).bytes());
        }
    }
    for (const OwnedDomain &domain : plan.owned) {
        for (const Client &client : domain.clients) {
            if (client.rank != own) {
                visit(client.rank, domain.domain, false, domain.cuts.PositionsOf(client.file, cycle).bytes());
            }
        }
    }
}

} // namespace

Recorder::Recorder(Rank own, ByteCount bytes)
    : own_(own), most_(std::max<std::size_t>(1, static_cast<std::size_t>(std::max<ByteCount>(0, bytes)) / sizeof(Event))) {
    try {
        events_.reserve(most_);
    } catch (const std::bad_alloc &) { // the timeline misses events, the file is opened all the same
        events_.reserve(most_ = 1);
    }
}

void Recorder::Begin(overlap_direction direction, double now) noexcept {
    direction_ = direction;
    began_ = now;
    ++call_;
}

void Recorder::End(double now) noexcept { Add(EventOf(EventKind::kCall, Span{Activity::kFinish, began_, now}), most_); }

void Recorder::AddActivity(const Span &span) noexcept {
    static_assert(static_cast<int>(EventKind::kFinish) == static_cast<int>(Activity::kFinish), "the same order");
    Event event = EventOf(static_cast<EventKind>(span.activity), span);
    event.slot = Event::kNoSlot;
    if (event.end - event.begin >= kShort) {
        Add(event);
    }
}

void Recorder::AddOperation(const Span &span, const Plan &plan, std::int64_t distance) noexcept {
    if (span.activity == Activity::kFile) {
        AddFileAccess(span, plan, distance);
    } else {
        AddShuffle(span, plan);
    }
}

void Recorder::AddIndependent(double start, double end, ByteCount bytes, FileOffset offset) noexcept {
    Event event = EventOf(EventKind::kFileAccess, Span{Activity::kFile, start, end});
    event.bytes = bytes;
    event.offset = offset;
    Add(event);
}

void Recorder::Clear() noexcept {
    events_.clear();
    dropped_ = 0;
}

Event Recorder::EventOf(EventKind kind, const Span &span) const noexcept {
    Event event;
    event.begin = NanosecondsOf(span.start);
    event.end = NanosecondsOf(span.end);
    event.cycle = span.cycle;
    event.slot = span.slot;
    event.kind = kind;
    event.direction = direction_;
    event.call = call_;
    return event;
}

// In the cycles after the last of its own an aggregator has nothing to transfer, and others never have.
void Recorder::AddFileAccess(const Span &span, const Plan &plan, std::int64_t distance) noexcept {
    Event event = EventOf(EventKind::kFileAccess, span);
    for (const OwnedDomain &owned : plan.owned) {
        const Range data = owned.In(span.cycle);
        if (!data.empty() && event.offset < 0) {
            event.offset = owned.layout.InFile(owned.coverage.data.StartOf(data.first)) + distance;
        }
        event.bytes += data.bytes();
    }
    if (event.bytes > 0) {
        Add(event);
    }
}

void Recorder::AddShuffle(const Span &span, const Plan &plan) noexcept {
    Event shuffle = EventOf(EventKind::kShuffle, span);
    ForEachMessage(plan, span.cycle, own_, [&](Rank, int, bool, ByteCount bytes) { shuffle.bytes += bytes; });
    if (shuffle.bytes > 0) {
        Add(shuffle);
    }
    const bool writes = direction_ == OVERLAP_WRITE;
    ForEachMessage(plan, span.cycle, own_, [&](Rank peer, int domain, bool to_aggregator, ByteCount bytes) {
        const bool sent = to_aggregator == writes;
        Event message = shuffle;
        message.kind = sent ? EventKind::kSent : EventKind::kReceived;
        // Within the slice that a viewer ties it to: at its end, as the text has it, the next one may begin.
        message.begin = sent ? shuffle.begin : std::max(shuffle.begin, shuffle.end - ChromeText::kResolution);
        message.end = message.begin;
        message.bytes = bytes;
        message.peer = peer;
        message.domain = domain;
        if (bytes > 0) {
            Add(message);
        }
    });
}

void Recorder::Add(const Event &event, std::size_t most) noexcept {
    if (events_.size() < most) {
        events_.push_back(event);
    } else {
        ++dropped_;
    }
}

} // namespace overlap
