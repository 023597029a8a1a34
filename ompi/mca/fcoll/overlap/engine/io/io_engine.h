// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// How bytes get from a sub-buffer into the file, and from the file into a sub-buffer.
#ifndef OVERLAP_ENGINE_IO_IO_ENGINE_H
#define OVERLAP_ENGINE_IO_IO_ENGINE_H

#include "../base/settings.h"
#include "../base/status.h"
#include "../base/types.h"
#include "../ports.h"

#include <atomic>
#include <chrono>
#include <memory>
#include <vector>

namespace overlap {

using Extents = std::vector<overlap_extent>;

/// Bytes [from, to) of a list, in the order of its extents, that were written while one before them could not be.
struct WrittenRange {
    ByteCount from;
    ByteCount to;
};
using WrittenRanges = std::vector<WrittenRange>;

/// Up to `requests` transfers may be under way, each named by a number below that. `done` counts bytes in the order of the
/// extents: after an error these are transferred and the byte that follows them is not; a read that meets the end of the
/// file succeeds with what lies before it. Lives as long as the file, so that what it holds (a thread, a queue) is made
/// once. Memory is taken by Prepare; nothing fails for want of it in a transfer.
class IoEngine {
  public:
    virtual ~IoEngine() = default;

    /// Makes room for this many requests and for lists of this many extents; no transfer is under way. Throws
    /// std::bad_alloc.
    virtual void Prepare(std::size_t requests, std::size_t extents) = 0;

    /// Of the engine that serves, which may be another than the one asked for.
    virtual const char *name() const = 0;

    virtual Status Transfer(overlap_direction direction, const Extents &extents, ByteCount &done) noexcept = 0;

    /// Starts a transfer as `request`, which is complete; the bytes may not be touched until it is complete. The extent list
    /// may. Does not fail: what goes wrong is reported by Wait.
    virtual void Start(std::size_t request, overlap_direction direction, const Extents &extents) noexcept = 0;

    /// Waits until the transfer of a request is complete; returns at once where there is none. Messages progress meanwhile.
    virtual Status Wait(std::size_t request, ByteCount &done) noexcept = 0;

    /// Whether Wait would return at once.
    virtual bool Done(std::size_t request) noexcept = 0;

    /// Of the transfer that Transfer or Wait completed last, where it was a write and failed; ascending.
    virtual const WrittenRanges &WrittenBehind() const noexcept;

    /// The most of them.
    virtual std::size_t MostWrittenRanges() const { return 0; }

    /// These extents will be written next; what has to be read for that may be fetched now. Only where ReadsGaps.
    virtual void Expect(const Extents & /*extents*/) noexcept {}

    /// Whether gaps between extents that are written may be read.
    virtual bool ReadsGaps() const { return false; }

    /// Whether they may in the calls to come, as far as the rule allows; yes, until it is said. No write is under way.
    virtual void AllowSieve(bool /*allowed*/) {}
};

/// How gaps between extents are written. Where the file is dealt out by stripes of `stripe` bytes (else 0), what lies
/// between two of them is not this aggregator's.
struct HolesRule {
    overlap_holes holes = OVERLAP_HOLES_LIST;
    ByteCount stripe = 0;

    bool operator!=(const HolesRule &other) const { return holes != other.holes || stripe != other.stripe; }
};

/// How long a call may still wait for locks of the file: a second in all. Whoever holds a lock that long may be stopped, and
/// must not stop this job as well; what is left of the call is then written without reading gaps back. From any thread.
class LockPatience {
  public:
    void BeginCall() noexcept { left_ = kInACall.count(); }
    bool ended() const noexcept { return left_ <= 0; }
    void Spend(std::chrono::microseconds waited) noexcept { left_ -= waited.count(); }

  private:
    static constexpr std::chrono::microseconds kInACall{1000000};
    std::atomic<std::int64_t> left_{kInACall.count()};
};

/// `patience` outlives the engine. `parallel_lists`: lists are written with several requests under way (list_writer.h).
struct IoPorts {
    const overlap_storage &storage;
    const overlap_transport &transport;
    const overlap_host &host;
    HolesRule holes;
    LockPatience &patience;
    bool parallel_lists = false;
};

std::unique_ptr<IoEngine> MakeIoEngine(overlap_writer writer, const IoPorts &ports);

// One function per engine, each in the file of its name.
std::unique_ptr<IoEngine> MakeFbtlEngine(const IoPorts &ports);
std::unique_ptr<IoEngine> MakeThreadEngine(const IoPorts &ports);
std::unique_ptr<IoEngine> MakeLibaioEngine(const IoPorts &ports); // ports.parallel_lists has to be false

} // namespace overlap

#endif
