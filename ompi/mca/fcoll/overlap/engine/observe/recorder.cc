// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "recorder.h"

#include "../plan/plan.h"
#include "chrome_text.h"

#include <algorithm>
#include <cmath>

namespace overlap {
namespace {

// What the thread did for less than that, between two readings of the clock, nobody sees.
constexpr Nanoseconds kShort = 1000;

Nanoseconds NanosecondsOf(double seconds) noexcept { return static_cast<Nanoseconds>(std::llround(1e9 * seconds)); }

EventKind KindOf(Activity activity, overlap_direction direction) noexcept {
    switch (activity) {
    case Activity::kEntry:
        return EventKind::kEntry;
    case Activity::kPlanning:
        return EventKind::kPlan;
    case Activity::kCopy:
        return EventKind::kCopy;
    case Activity::kShuffle:
        return EventKind::kWaitShuffle;
    case Activity::kFile:
        return direction == OVERLAP_READ ? EventKind::kWaitRead : EventKind::kWaitWrite;
    case Activity::kFinish:
        break;
    }
    return EventKind::kFinish;
}

} // namespace

void Recorder::Begins(overlap_direction direction, double now) noexcept {
    direction_ = direction;
    began_ = NanosecondsOf(now);
    ++call_;
}

void Recorder::Ended(double now) noexcept {
    Event event;
    event.begin = began_;
    event.end = NanosecondsOf(now);
    event.kind = direction_ == OVERLAP_READ ? EventKind::kReadCall : EventKind::kWriteCall;
    event.call = call_;
    store_.AddCall(event);
}

void Recorder::Saw(const Stamp &stamp) noexcept {
    if (stamp.operation) {
        AddOperation(stamp);
        return;
    }
    Event event;
    event.begin = NanosecondsOf(stamp.start);
    event.end = NanosecondsOf(stamp.end);
    event.cycle = stamp.cycle;
    event.kind = KindOf(stamp.activity, direction_);
    event.call = call_;
    if (event.end - event.begin >= kShort) {
        store_.Add(event);
    }
}

void Recorder::SawIndependent(double start, double end, ByteCount bytes, FileOffset offset) noexcept {
    Event event;
    event.begin = NanosecondsOf(start);
    event.end = NanosecondsOf(end);
    event.bytes = bytes;
    event.offset = offset;
    event.kind = direction_ == OVERLAP_READ ? EventKind::kRead : EventKind::kWrite;
    event.call = call_;
    store_.Add(event);
}

// In the cycles after the last of its own an aggregator has nothing to transfer, and others never have.
void Recorder::AddOperation(const Stamp &stamp) noexcept {
    const bool of_file = stamp.activity == Activity::kFile;
    aggregates_ = aggregates_ || (of_file && stamp.bytes > 0);
    slots_ = std::max(slots_, stamp.slot + 1);
    if (stamp.bytes > 0) {
        Event event;
        event.begin = NanosecondsOf(stamp.start);
        event.end = NanosecondsOf(stamp.end);
        event.cycle = stamp.cycle;
        event.bytes = stamp.bytes;
        event.offset = stamp.offset;
        event.kind = !of_file ? EventKind::kShuffle : direction_ == OVERLAP_READ ? EventKind::kRead : EventKind::kWrite;
        event.slot = stamp.slot;
        event.call = call_;
        store_.Add(event);
    }
    if (!of_file && stamp.plan != nullptr) {
        AddMessages(stamp);
    }
}

void Recorder::AddMessages(const Stamp &stamp) noexcept {
    const bool writes = direction_ == OVERLAP_WRITE;
    for (const Share &share : stamp.plan->shares) {
        if (share.aggregator != own_) {
            AddMessage(stamp, writes, share.aggregator, share.domain, share.Last(stamp.cycle) - share.First(stamp.cycle));
        }
    }
    for (const OwnedDomain &domain : stamp.plan->owned) {
        if (stamp.cycle >= domain.cycles()) {
            continue;
        }
        const FileOffset begin = domain.cuts.Begin(stamp.cycle);
        const FileOffset end = domain.cuts.End(stamp.cycle);
        for (const Client &client : domain.clients) {
            if (client.rank != own_) {
                AddMessage(stamp, !writes, client.rank, domain.domain,
                           client.file.BytesBefore(end) - client.file.BytesBefore(begin));
            }
        }
    }
}

void Recorder::AddMessage(const Stamp &stamp, bool sent, Rank peer, int domain, ByteCount bytes) noexcept {
    if (bytes == 0) {
        return;
    }
    // Within the slice that a viewer ties it to: at its end, as the text has it, the next one may begin.
    const Nanoseconds start = NanosecondsOf(stamp.start);
    Event event;
    event.begin = event.end = sent ? start : std::max(start, NanosecondsOf(stamp.end) - ChromeText::kResolution);
    event.cycle = stamp.cycle;
    event.bytes = bytes;
    event.kind = sent ? EventKind::kSent : EventKind::kReceived;
    event.slot = stamp.slot;
    event.call = call_;
    event.peer = peer;
    event.domain = domain;
    store_.Add(event);
}

} // namespace overlap
