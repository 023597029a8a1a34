// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Writes the extents of a list with several requests under way, so that the latency of a server is paid once for many of
// them.
#ifndef OVERLAP_ENGINE_IO_LIST_WRITER_H
#define OVERLAP_ENGINE_IO_LIST_WRITER_H

#include "io_engine.h"
#include "workers.h"

namespace overlap {

/// The caller and helper threads take the extents one after the other: two requests for each processor of the node, at
/// least 4 and at most 16. On the emulated cluster (2 processors, FUSE) 4 write 32,768 pieces in 2.0 s, 16 in 4.4 s
/// and one at a time in 3.3 s; with 1 ms a request 4 are as fast as 16. The caller writes the list alone where each write
/// takes a lock of the file, and where no thread can be had. Used by one thread at a time.
class ListWriter {
  public:
    static constexpr std::size_t kFewestRequests = 4, kMostRequests = 16;

    explicit ListWriter(const overlap_storage &storage);

    /// Takes memory for lists of so many extents that are written in parallel. Throws std::bad_alloc.
    void Prepare(std::size_t extents);

    /// Adds to `written`, which is what was written before this list, the bytes before the first that is not. `parallel`
    /// needs Prepare; else one request after the other. Behind an error no request starts; those under way complete, and
    /// `behind` takes what they have written, counted as `written` is: kMostRequests ranges at most.
    Status Write(const overlap_extent *extents, std::size_t count, bool parallel, ByteCount &written,
                 WrittenRanges &behind) noexcept;

  private:
    void Help(Workers::Lock &lock);
    void WriteSome(Workers::Lock &lock) noexcept;

    const overlap_storage &storage_;
    // All that follows is under the lock of the helpers.
    std::condition_variable done_; // no helper is at work
    std::size_t at_work_ = 0;      // helpers
    const overlap_extent *extents_ = nullptr;
    std::vector<Piece> pieces_; // of these extents
    std::size_t next_ = 0;      // of them; behind the last: none
    Status status_;
    Workers helpers_;
};

} // namespace overlap

#endif
