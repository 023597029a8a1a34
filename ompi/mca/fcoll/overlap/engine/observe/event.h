// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// What happens in a call, for the counters and the timeline.
#ifndef OVERLAP_ENGINE_OBSERVE_EVENT_H
#define OVERLAP_ENGINE_OBSERVE_EVENT_H

#include "../base/types.h"
#include "../ports.h"

#include <cmath>
#include <cstdint>

namespace overlap {

/// What the thread of a call does: one thing at a time, and always one. In the order of overlap_time.
enum class Activity {
    kEntry,    // waits for the others to begin
    kPlanning, // decides who transfers what
    kCopy,     // packs, unpacks, copies
    kShuffle,  // starts a shuffle or waits for one
    kFile,     // starts a transfer of the file, does it or waits for it
    kFinish    // waits for the others to end
};
inline constexpr std::size_t kActivities = 6;

/// An activity of the thread, or a shuffle or file access that was under way, from its start until it was found complete.
/// Seconds of overlap_host::seconds.
struct Span {
    Activity activity;
    double start;
    double end;
    Cycle cycle = -1; // -1, as the slot: outside of the cycles
    Slot slot = -1;
};

using Nanoseconds = std::int64_t; // of a rank's clock, or between two readings

inline Nanoseconds NanosecondsOf(double seconds) noexcept { return static_cast<Nanoseconds>(std::llround(1e9 * seconds)); }

/// Of a timeline. The first are the activities, in their order.
enum class EventKind {
    kEntry,
    kPlan,
    kCopy,
    kWaitShuffle,
    kWaitFile,
    kFinish,
    kCall,       // a whole call
    kShuffle,    // of a cycle; bytes that this rank sends to and gets from others
    kFileAccess, // of the sub-buffers of a cycle, or where ranks transfer for themselves of this rank's bytes
    kSent,       // a message of a cycle to `peer`; an instant, at `begin`
    kReceived    // the same, from `peer`
};

/// An entry of the timeline.
struct Event {
    static constexpr Slot kNoSlot = -1;

    Nanoseconds begin = 0;
    Nanoseconds end = 0;
    EventKind kind = EventKind::kEntry;
    overlap_direction direction = OVERLAP_WRITE;
    std::int32_t call = 0;  // number of the call among those of its file
    Slot slot = kNoSlot;    // kNoSlot: on the track of the call
    Cycle cycle = -1;       // -1: none
    ByteCount bytes = 0;    // of operations and messages
    FileOffset offset = -1; // of the first of them in the file, -1: none
    Rank peer = -1;         // of a message
    int domain = -1;        // the same

    bool IsOperation() const noexcept { return kind == EventKind::kShuffle || kind == EventKind::kFileAccess; }
    bool IsMessage() const noexcept { return kind >= EventKind::kSent; }
};

} // namespace overlap

#endif
