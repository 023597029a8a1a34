// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// A collective write or read from its access to its status: the way of every call that no stage has held back.
#ifndef OVERLAP_ENGINE_CALL_TRANSFER_H
#define OVERLAP_ENGINE_CALL_TRANSFER_H

#include "../access/access.h"
#include "cycles.h"
#include "file_state.h"

#include <array>
#include <memory>
#include <string>

namespace overlap {

/// The most ranks whose ranges a summary compares: two words of each fit into a message that is sent before its receiver
/// asks for it.
constexpr int kMostRanges = 128;

/// What all ranks know of a call before they plan it. Before Agree what this rank offers, behind it what is said of all
/// ranks.
struct CallSummary {
    bool has_data = false; // a rank has some
    Range range;           // of it, as far as the file goes
    CallSize size;
    bool same_as_plan = false;                     // every rank has the access of the plan,
    std::int64_t distance = 0;                     // which lies so far further on
    FileOffset end = 0;                            // of the file, the farthest that a rank sees; of a write the last offset
    overlap_gaps gaps = OVERLAP_GAPS_WRITTEN_BACK; // of a write: why they are not written back, the most of all ranks
    bool as_fast_alone = false;                    // every rank that has data is (IsAsFastAlone)
    bool has_duplicates = false;                   // a rank reads a byte of the file more than once
    bool common = false;                           // the ranks that read ask for the same bytes, which are one run;
    bool all_read = false;                         // every rank reads, where it is common; out only
    bool transferred = false;                      // every rank has moved all of its bytes already
    bool disjoint = false;                         // of a write: the ranges of the ranks do not meet; out only
    bool whole = false;                            // nothing lies behind the end of the file; out only
    Independence independence = Independence::kNo; // not agreed on: it follows from the others

    /// Collective, one allreduce. All ranks return the same error, `local` of any of them included. `compares`, all ranks or
    /// none and kMostRanges at most: it finds out whether their ranges are disjoint.
    Status Agree(const Team &team, Status local, bool compares);
};

/// A bit for each rank, 32 a word: whether it asks for the bytes that are read in common. All bits are set where all do.
using Readers = std::array<std::int64_t, kMostInARing / 32>;

struct CallState {
    explicit CallState(KindState &of) : kind(&of) {}

    // What this rank asks for.
    KindState *kind;
    Access access;              // its file goes to `key` when the ranks begin
    ByteCount bytes = 0;        // of the program, which may have named one of the file more than once
    std::int64_t calls = 1;     // of the program
    bool several_calls = false; // that follow each other: of two ranks that write a byte the later call's is to be kept

    // What the steps find out.
    Status status; // why this rank cannot take part, also before the first step; behind an agreement that of all ranks
    PlanKey key;
    CallSummary summary;
    Readers readers{};              // of a read in common
    std::unique_ptr<Cycles> cycles; // with all memory that they need
    bool overlaps = false;          // of several calls: two ranks write the same byte, so nothing was done
    bool independent = false;       // the last transfer was of this rank's own bytes
    bool ended = false;             // there is no further step
    ByteCount done = 0;             // bytes of this rank that are in the file, or were read from it
};

/// Collective; all ranks return the same error.
Status TransferCall(FileState &file, CallState &call);

/// independent.cc, local. Byte p of the memory is written to byte p of `bytes`, or read from there, as far as it lies before
/// `end`. Where `others` write at the same time no gap is written back: their own writes take no lock, and would be lost.
/// `done` counts the bytes that are transferred; a read that meets the end of the file succeeds. In a nonblocking call the
/// I/O thread transfers, where POSIX calls reach the file.
Status TransferOwnBytes(FileState &file, overlap_direction direction, const StridedList &bytes, const StridedList &memory,
                        bool on_device, FileOffset end, bool others, ByteCount &done);

/// common_read.cc. Behind the summary: whether the call is a read in common, and of whom. Collective where some of the ranks
/// read the same and the others nothing. All ranks return the same.
Status DecideOnCommonRead(FileState &file, CallState &call);
/// Collective; all ranks return the same error. What was read counts up to the first byte that a rank could not read.
Status ReadInCommon(FileState &file, CallState &call);

/// summary.cc, local: what is known of the call before it is summarised; and the end of the file as this rank sees it, whose
/// part of it is `own`; of a write the last offset.
CallMeans MeansOf(const FileState &file, const CallState &call);
Status EndOfFile(const FileState &file, const CallState &call, const StridedList &own, FileOffset &end);

/// short_calls.cc. Local, of a call before its summary: this rank moves its bytes now. Other ranks may decide otherwise.
bool BeginsWithTransfer(const FileState &file, const CallState &call);
/// The same on all ranks: the summary tells whether their ranges are disjoint, as the way of the call depends on it.
bool ComparesRanges(const FileState &file, const CallState &call);
/// The same on all ranks, behind the summary and what was decided from it: this was such a call.
bool IsShort(const FileState &file, const CallState &call);
/// Local, of a rank with data; `own`: its part of the file.
bool IsAsFastAlone(const FileState &file, const CallState &call, const StridedList &own);

/// explain.cc, for verbose lines and the report: what the last call of a direction that transferred something did; empty
/// where there was none.
std::string ExplainLast(const FileState &file, overlap_direction direction);

/// explain.cc. Tells the user, on rank 0, what the first call of a kind did: one line for calls with aggregators, which has
/// its times, one for those without, and the same for merged nodes. Without memory for the line there is none. Warns once of
/// sub-buffers that are so small that cycles take long.
void ExplainFirst(FileState &file, KindState &kind, const Timing &timing);

} // namespace overlap

#endif
