// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Keeps the events of a rank until they are collected.
#ifndef OVERLAP_ENGINE_OBSERVE_RECORDER_H
#define OVERLAP_ENGINE_OBSERVE_RECORDER_H

#include "event.h"

#include <vector>

namespace overlap {

struct Plan;

/// Of all calls of a file. Bounded: what finds no room is dropped and counted, so that the beginning of what happened stays
/// whole; the last place is kept for the call itself. Takes its memory when it is made, of which only what is used becomes
/// resident.
class Recorder {
  public:
    /// `own`: this rank. Room for as many events as `bytes` hold, or for one where there is no memory for them. Throws
    /// std::bad_alloc.
    Recorder(Rank own, ByteCount bytes);

    /// A call begins, or has ended; the others come between the two, in the order in which things end.
    void Begin(overlap_direction direction, double now) noexcept;
    void End(double now) noexcept;

    /// Spans of the thread follow each other without a gap.
    void AddActivity(const Span &span) noexcept;

    /// A shuffle or a file access of a cycle. The plan lies `distance` further on in the file. Time grows with this rank's
    /// shares and clients.
    void AddOperation(const Span &span, const Plan &plan, std::int64_t distance) noexcept;

    /// This rank has transferred bytes of its own without an aggregator, from the byte at `offset` on.
    void AddIndependent(double start, double end, ByteCount bytes, FileOffset offset) noexcept;

    const std::vector<Event> &events() const noexcept { return events_; }
    std::int64_t dropped() const noexcept { return dropped_; }
    bool HasLittleRoom() const noexcept { return events_.size() > most_ / 2; }

    /// Forgets events and what was dropped.
    void Clear() noexcept;

  private:
    Event EventOf(EventKind kind, const Span &span) const noexcept;
    void AddShuffle(const Span &span, const Plan &plan) noexcept;
    void AddFileAccess(const Span &span, const Plan &plan, std::int64_t distance) noexcept;
    void Add(const Event &event, std::size_t most) noexcept;
    void Add(const Event &event) noexcept { Add(event, most_ - 1); }

    const Rank own_;
    std::size_t most_;
    std::vector<Event> events_;
    std::int64_t dropped_ = 0;
    overlap_direction direction_ = OVERLAP_WRITE;
    std::int32_t call_ = 0; // counted from 1
    double began_ = 0;
};

} // namespace overlap

#endif
