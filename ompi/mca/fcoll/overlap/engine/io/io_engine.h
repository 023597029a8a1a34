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
#include <utility>
#include <vector>

namespace overlap {

using Extents = std::vector<overlap_extent>;

/// Of the bytes of a list, in the order of its extents: those that were written while one before them could not be.
using WrittenRanges = std::vector<Range>;

/// A part of a list. `done`: how many of its first bytes are transferred; less than all only after an error or at the end of
/// the file.
struct Piece {
    ByteCount length;
    ByteCount done;
};

/// The bytes of these pieces before the first one that is not transferred. Those that are transferred behind it are added to
/// `behind`, counted from `base`; at most one range of each piece but the first. Takes no memory where it has room for them.
template <typename Pieces> ByteCount CountDone(const Pieces &pieces, ByteCount base, WrittenRanges &behind) {
    ByteCount done = 0;
    ByteCount begin = base; // of the piece
    bool lacks = false;
    for (const Piece &piece : pieces) {
        if (!lacks) {
            done += piece.done;
        } else if (piece.done > 0 && !behind.empty() && behind.back().last == begin) {
            behind.back().last += piece.done;
        } else if (piece.done > 0) {
            behind.push_back(Range{begin, begin + piece.done});
        }
        lacks = lacks || piece.done < piece.length;
        begin += piece.length;
    }
    return done;
}

/// How lists are written.
struct WriteRule {
    overlap_holes holes = OVERLAP_HOLES_LIST; // gaps between their extents
    ByteCount stripe = 0;                     // bytes, where what lies between two stripes is not this aggregator's, else 0
    bool parallel = false;                    // with several requests under way (list_writer.h)
};

/// Up to `requests` transfers may be under way, each named by a number below that. `done` counts bytes in the order of the
/// extents: after an error these are transferred and the byte that follows them is not; a read that meets the end of the
/// file succeeds with what lies before it. Lives with the file. Memory is taken by Prepare, none in a transfer.
class IoEngine {
  public:
    virtual ~IoEngine() = default;

    /// For the writes to come; until then lists are written extent by extent. No transfer is under way.
    virtual void SetRule(const WriteRule & /*rule*/) {}

    /// Makes room for requests below this number with lists of this many extents, written by the rule that is set or
    /// extent by extent; no transfer is under way. Throws std::bad_alloc.
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

    /// Of the transfer that Transfer or Wait completed last, where it was a write and failed; ascending. Its capacity, once
    /// the engine is prepared, is the most of them.
    const WrittenRanges &WrittenBehind() const noexcept { return written_behind_; }

  protected:
    WrittenRanges written_behind_; // within what Prepare has reserved
};

/// How long a call may still wait for locks of the file: a second in all, as whoever holds one may be stopped. What is left
/// of the call is then written without reading gaps back. From any thread.
class LockPatience {
  public:
    void BeginCall() noexcept { left_ = kInACall.count(); }
    bool ended() const noexcept { return left_ <= 0; }
    void Spend(std::chrono::microseconds waited) noexcept { left_ -= waited.count(); }

  private:
    static constexpr std::chrono::microseconds kInACall{1000000};
    std::atomic<std::int64_t> left_{kInACall.count()};
};

/// All of it outlives the engine.
struct IoPorts {
    const overlap_storage &storage;
    const overlap_transport &transport;
    const overlap_host &host;
    LockPatience &patience;
};

/// What is known of the file now.
inline overlap_file_facts FactsOf(const overlap_storage &storage) {
    overlap_file_facts facts{};
    storage.facts(storage.self, &facts);
    return facts;
}

// One function per engine, each in the file of its name. The thread is started with the first transfer that needs it.
std::shared_ptr<IoEngine> MakeThreadEngine(const IoPorts &ports);
std::shared_ptr<IoEngine> MakeFbtlEngine(const IoPorts &ports);
std::shared_ptr<IoEngine> MakeLibaioEngine(const IoPorts &ports, std::shared_ptr<IoEngine> thread);

/// `thread` is the engine of the file's I/O thread, for writers that use it. Needs: a writer, not OVERLAP_WRITER_AUTO.
inline std::shared_ptr<IoEngine> MakeIoEngine(overlap_writer writer, const IoPorts &ports,
                                              std::shared_ptr<IoEngine> thread) {
    if (writer == OVERLAP_WRITER_FBTL) {
        return MakeFbtlEngine(ports);
    }
    return writer == OVERLAP_WRITER_LIBAIO ? MakeLibaioEngine(ports, std::move(thread)) : thread;
}

} // namespace overlap

#endif
