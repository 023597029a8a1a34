// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// The transfer of one rank's own bytes between where they lie and the file, without an aggregator.
#ifndef OVERLAP_ENGINE_CALL_INDEPENDENT_H
#define OVERLAP_ENGINE_CALL_INDEPENDENT_H

#include "../access/access.h"
#include "../base/kept_memory.h"
#include "../team/team.h"
#include "resources.h"

namespace overlap {

/// Keeps what such transfers need as long as the file is open.
class Independent {
  public:
    /// All of it outlives this.
    Independent(const Team &team, const overlap_storage &storage, const overlap_host &host, FileResources &resources)
        : team_(team), storage_(storage), host_(host), resources_(resources) {}

    /// Byte p of the memory is written to byte p of the file, or read from there, as far as it lies before `end`. Where
    /// `others` write at the same time no gap is written back: their own writes take no lock, and would be lost. `done`
    /// counts the bytes that are transferred; a read that meets the end of the file succeeds. In a nonblocking call the I/O
    /// thread transfers, where POSIX calls reach the file.
    Status Transfer(overlap_direction direction, const StridedList &file, const StridedList &memory, bool on_device,
                    FileOffset end, bool others, ByteCount &done);

  private:
    class Batches;

    WriteRule RuleAlone(bool gaps);
    Status OnHost(overlap_direction direction, const StridedList &file, const StridedList &memory, FileOffset end,
                  bool others, ByteCount &done);
    Status OnDevice(overlap_direction direction, const StridedList &file, const StridedList &memory, FileOffset end,
                    bool others, ByteCount &done);

    const Team &team_;
    const overlap_storage &storage_;
    const overlap_host &host_;
    FileResources &resources_;
    KeptMemory stage_; // of bytes on their way to or from a device
};

} // namespace overlap

#endif
