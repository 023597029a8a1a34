// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// What a timeline is made of.
#ifndef OVERLAP_ENGINE_OBSERVE_EVENT_H
#define OVERLAP_ENGINE_OBSERVE_EVENT_H

#include "../base/types.h"

#include <cstdint>

namespace overlap {

using Nanoseconds = std::int64_t; // of a rank's clock, or between two readings

enum class EventKind : std::int32_t {
    kWriteCall = 0, // a whole call
    kReadCall,
    kEntry,       // waits for the others to come to the call
    kPlan,        // decides who transfers what
    kCopy,        // packs, unpacks, copies
    kWaitShuffle, // starts a shuffle or waits for one
    kWaitWrite,   // starts a write, does it or waits for it
    kWaitRead,
    kFinish,   // agrees on how the call went
    kShuffle,  // of a cycle, from its start until it is found complete; bytes that this rank sends to and gets from others
    kWrite,    // of the sub-buffers of a cycle, or where ranks write for themselves of this rank's bytes
    kRead,     // the same
    kSent,     // a message of a cycle to `peer`; an instant, at `begin`
    kReceived, // the same, from `peer`
};

/// What begins and ends on one rank. It is sent to rank 0 as words.
struct Event {
    static constexpr Slot kNoSlot = -1;

    Nanoseconds begin = 0;
    Nanoseconds end = 0;
    Cycle cycle = -1;       // -1: none
    ByteCount bytes = 0;    // of operations and messages
    FileOffset offset = -1; // of the first of them in the file, -1: none
    EventKind kind = EventKind::kEntry;
    Slot slot = kNoSlot;   // kNoSlot: on the track of the call
    std::int32_t call = 0; // number of the call among those of its file
    Rank peer = -1;        // of a message
    int domain = -1;       // the same
    std::int32_t unused = 0;

    bool IsCall() const noexcept { return kind <= EventKind::kReadCall; }
    bool IsOperation() const noexcept { return kind >= EventKind::kShuffle && !IsMessage(); }
    bool IsMessage() const noexcept { return kind >= EventKind::kSent; }
};

static_assert(sizeof(Event) % sizeof(std::int64_t) == 0);

constexpr std::size_t kWordsOfAnEvent = sizeof(Event) / sizeof(std::int64_t);

} // namespace overlap

#endif
