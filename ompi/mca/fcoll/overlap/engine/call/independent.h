// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// The transfer of one rank's own bytes between where they lie and the file, without an aggregator.
#ifndef OVERLAP_ENGINE_CALL_INDEPENDENT_H
#define OVERLAP_ENGINE_CALL_INDEPENDENT_H

#include "file_state.h"

namespace overlap {

/// Byte p of the memory is written to byte p of `bytes`, or read from there, as far as it lies before `end`. Where `others`
/// write at the same time no gap is written back: their own writes take no lock, and would be lost. `done` counts the bytes
/// that are transferred; a read that meets the end of the file succeeds. In a nonblocking call the I/O thread transfers,
/// where POSIX calls reach the file.
Status TransferOwnBytes(FileState &file, overlap_direction direction, const StridedList &bytes, const StridedList &memory,
                        bool on_device, FileOffset end, bool others, ByteCount &done);

} // namespace overlap

#endif
