// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Turns what is seen of a call into events.
#ifndef OVERLAP_ENGINE_OBSERVE_RECORDER_H
#define OVERLAP_ENGINE_OBSERVE_RECORDER_H

#include "event_store.h"
#include "observer.h"

namespace overlap {

/// Of all calls of a file. Takes no memory.
class Recorder final : public Observer {
  public:
    /// `own`: this rank. The store outlives the recorder.
    Recorder(EventStore &store, Rank own) noexcept : store_(store), own_(own) {}

    void Begins(overlap_direction direction, double now) noexcept override;
    void Saw(const Stamp &stamp) noexcept override;
    void Ended(double now) noexcept override;
    void SawIndependent(double start, double end, ByteCount bytes, FileOffset offset) noexcept override;

    /// Whether this rank has written or read sub-buffers of others.
    bool aggregates() const noexcept { return aggregates_; }

    /// The most sub-buffers that were used.
    int slots() const noexcept { return slots_; }

    /// Of the last call; they are counted from 1.
    std::int32_t calls() const noexcept { return call_; }

  private:
    void AddOperation(const Stamp &stamp) noexcept;
    void AddMessages(const Stamp &stamp) noexcept;
    void AddMessage(const Stamp &stamp, bool sent, Rank peer, int domain, ByteCount bytes) noexcept;

    EventStore &store_;
    const Rank own_;
    overlap_direction direction_ = OVERLAP_WRITE;
    std::int32_t call_ = 0;
    Nanoseconds began_ = 0;
    bool aggregates_ = false;
    int slots_ = 0;
};

} // namespace overlap

#endif
