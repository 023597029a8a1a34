// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// The events of a rank until they are collected.
#ifndef OVERLAP_ENGINE_OBSERVE_EVENT_STORE_H
#define OVERLAP_ENGINE_OBSERVE_EVENT_STORE_H

#include "event.h"

#include <vector>

namespace overlap {

/// Bounded: what finds no room is dropped and counted, so that the beginning of what happened stays whole; the last place is
/// kept for the call itself. Takes its memory when it is made, of which only what is used becomes resident.
class EventStore {
  public:
    /// Room for as many events as `bytes` hold, or for as many as there is memory for, that of a call at least. Throws
    /// std::bad_alloc.
    explicit EventStore(ByteCount bytes);

    void Add(const Event &event) noexcept { AddUpTo(most_ - 1, event); }

    /// Of a call as a whole, which is known when all else of it is.
    void AddCall(const Event &event) noexcept { AddUpTo(most_, event); }

    /// Less than a half of it.
    bool HasLittleRoom() const noexcept { return events_.size() > most_ / 2; }

    const std::vector<Event> &events() const noexcept { return events_; }
    std::int64_t dropped() const noexcept { return dropped_; }

    /// Nothing is kept, and nothing was dropped.
    void Clear() noexcept {
        events_.clear();
        dropped_ = 0;
    }

  private:
    void AddUpTo(std::size_t most, const Event &event) noexcept {
        if (events_.size() < most) {
            events_.push_back(event);
        } else {
            ++dropped_;
        }
    }

    std::size_t most_;
    std::vector<Event> events_;
    std::int64_t dropped_ = 0;
};

} // namespace overlap

#endif
