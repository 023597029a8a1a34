// A queue of the kernel that takes transfers and answers later, in any order.
#ifndef OVERLAP_ENGINE_IO_QUEUE_H
#define OVERLAP_ENGINE_IO_QUEUE_H

#include "../ports.h"
#include "../types.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace overlap {

/// At most 2 GiB - 1 page, as write(2) and read(2) take no more.
struct QueuedTransfer {
    std::uint64_t tag; // comes back with the answer
    overlap_direction direction;
    int descriptor;
    bool buffered; // through the page cache
    overlap_extent extent;
};

/// `result` is what write(2) or read(2) returns, but -errno for an error.
struct QueuedAnswer {
    std::uint64_t tag;
    std::int64_t result;
};

/// Used by one thread. Destroyed only where nothing is under way.
class Queue {
  public:
    /// The most that may be under way.
    static constexpr std::size_t kDepth = 256;

    virtual ~Queue() = default;

    /// Takes the first transfers of a list: returns how many, at least one, or -errno, which is that of the first one;
    /// -EAGAIN where the kernel has no room now. Of the others it knows nothing. The list may be reused when the call
    /// returns, the bytes may not.
    virtual std::int64_t Submit(const std::vector<QueuedTransfer> &transfers, std::size_t first) = 0;

    /// Memory, in ascending order, that most transfers to come take their bytes from, or put them into; forgets what came
    /// before. Nothing is under way. Returns whether the kernel keeps it ready, which it may refuse, and which lasts until
    /// it is forgotten: the kernel keeps pages, wherever the addresses lead later. Of an empty list it throws nothing.
    virtual bool Register(const MemoryRanges & /*memory*/) { return true; }

    /// Adds the answers that have come; where there is none sleeps until one comes, at most for `patience`.
    virtual void Reap(std::chrono::microseconds patience, std::vector<QueuedAnswer> &answers) = 0;
};

/// What QueuedEngine has to know of a kind of queue.
struct QueueKind {
    const char *name;
    bool built_in;                    // its library was there when this was built
    bool buffered;                    // a transfer through the page cache does not block in Submit
    std::unique_ptr<Queue> (*make)(); // NULL where the kernel refuses
};

QueueKind LibaioKind();
QueueKind IoUringKind();

} // namespace overlap

#endif
