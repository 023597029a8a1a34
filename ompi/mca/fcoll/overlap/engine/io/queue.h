// A queue of the kernel that takes writes and answers later, in any order.
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

/// At most 2 GiB - 1 page, as write(2) takes no more.
struct QueuedWrite {
    std::uint64_t tag; // comes back with the answer
    int descriptor;
    bool buffered; // through the page cache
    overlap_extent extent;
};

/// `result` is what write(2) returns, but -errno for an error.
struct QueuedAnswer {
    std::uint64_t tag;
    std::int64_t result;
};

/// Used by one thread. Destroyed only where no write is under way.
class Queue {
  public:
    /// The most writes that may be under way.
    static constexpr std::size_t kDepth = 256;

    virtual ~Queue() = default;

    /// Takes the first writes of a list: returns how many, at least one, or -errno, which is that of the first write;
    /// -EAGAIN where the kernel has no room now. Of the others it knows nothing. The list may be reused when the call
    /// returns, the bytes may not.
    virtual std::int64_t Submit(const std::vector<QueuedWrite> &writes, std::size_t first) = 0;

    /// Memory, in ascending order, that most writes to come take their bytes from; forgets what came before. No write is
    /// under way. Returns whether the kernel keeps it ready, which it may refuse, and which lasts until it is forgotten: the
    /// kernel keeps pages, wherever the addresses lead later. Of an empty list it throws nothing.
    virtual bool Register(const MemoryRanges & /*memory*/) { return true; }

    /// Adds the answers that have come; where there is none sleeps until one comes, at most for `patience`.
    virtual void Reap(std::chrono::microseconds patience, std::vector<QueuedAnswer> &answers) = 0;
};

/// What QueuedWriter has to know of a kind of queue.
struct QueueKind {
    const char *name;
    bool built_in;                    // its library was there when this was built
    bool buffered;                    // a write through the page cache does not block in Submit
    std::unique_ptr<Queue> (*make)(); // NULL where the kernel refuses
};

QueueKind LibaioKind();
QueueKind IoUringKind();

} // namespace overlap

#endif
