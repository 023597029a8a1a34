// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Who looks at a call while it runs.
#ifndef OVERLAP_ENGINE_OBSERVE_OBSERVER_H
#define OVERLAP_ENGINE_OBSERVE_OBSERVER_H

#include "../base/types.h"
#include "../ports.h"

namespace overlap {

struct Plan;

/// What the thread of a call does: one thing at a time, and always one.
enum class Activity {
    kEntry,    // waits for the others to begin
    kPlanning, // decides who transfers what
    kCopy,     // packs, unpacks, copies
    kShuffle,  // starts a shuffle or waits for one
    kFile,     // starts a transfer of the file, does it or waits for it
    kFinish    // waits for the others to end
};
inline constexpr std::size_t kActivities = 6;

/// What was done from `start` to `end`, in seconds of overlap_host::seconds. Cycle and slot are -1 outside of the steps.
struct Stamp {
    Activity activity = Activity::kEntry;
    /// False: what the thread did; such stamps of a call follow each other without a gap. True: an operation, kShuffle or
    /// kFile, from its start until it was found complete, beside other stamps.
    bool operation = false;
    overlap_direction direction = OVERLAP_WRITE;
    double start = 0;
    double end = 0;
    Cycle cycle = -1;
    Slot slot = -1;
    // Of an operation:
    ByteCount bytes = 0;        // of the file of the cycle, of all domains of this rank; of a shuffle those that it sends
                                // to other ranks and gets from them
    FileOffset offset = -1;     // of a file operation: of its first byte; -1 where this rank transfers nothing
    int peers = 0;              // of a shuffle: other ranks that this one sends to or receives from
    const Plan *plan = nullptr; // valid while Saw runs; who sends what to whom in the cycle: Share::First and Last, Cuts
};

/// Is called in the order in which things end, by the thread of the call. Takes no memory there and does not wait.
class Observer {
  public:
    /// A call of this direction begins, or has ended; all stamps come between the two.
    virtual void Begins(overlap_direction direction, double now) noexcept = 0;
    virtual void Saw(const Stamp &stamp) noexcept = 0;
    virtual void Ended(double now) noexcept = 0;
    /// In a call: this rank has transferred bytes of its own without an aggregator, from the byte at `offset` on.
    virtual void SawIndependent(double /*start*/, double /*end*/, ByteCount /*bytes*/, FileOffset /*offset*/) noexcept {}

  protected:
    ~Observer() = default;
};

} // namespace overlap

#endif
