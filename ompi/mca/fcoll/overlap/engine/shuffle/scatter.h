// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Bytes of many small pieces, gathered from memory and scattered over a sub-buffer without a list of the pieces.
#ifndef OVERLAP_ENGINE_SHUFFLE_SCATTER_H
#define OVERLAP_ENGINE_SHUFFLE_SCATTER_H

#include "../base/status.h"
#include "../plan/plan.h"
#include "../ports.h"

namespace overlap {

/// Copies the bytes [from, to) of a share from this rank's memory to `packed`, one behind the other.
void GatherShare(const Share &share, ByteCount from, ByteCount to, const StridedList &memory, char *packed) noexcept;

/// Starts the same where the memory is a device's (AwaitCopies).
Status StartGatherFrom(const overlap_host &device, const Share &share, ByteCount from, ByteCount to,
                       const StridedList &memory, char *packed) noexcept;

/// Copies the bytes [from, to) of the list `file`, which lie one behind the other at `packed`, to where they belong in a
/// sub-buffer that holds the bytes of `data` from position `base` on. Needs: every byte of `file` is one of `data`.
void ScatterBytes(const char *packed, const StridedList &file, ByteCount from, ByteCount to, const StridedList &data,
                  ByteCount base, char *buffer) noexcept;

/// Both at once, for the bytes that a rank sends to itself; `data`, `base` and `buffer` as above.
void CopyShare(const Share &share, ByteCount from, ByteCount to, const StridedList &memory, const StridedList &data,
               ByteCount base, char *buffer) noexcept;

/// The three the other way, of a read: from `packed` to memory, from the sub-buffer to `packed`, from the one to the other.
void ScatterShare(const char *packed, const Share &share, ByteCount from, ByteCount to, const StridedList &memory) noexcept;
Status StartScatterTo(const overlap_host &device, char *packed, const Share &share, ByteCount from, ByteCount to,
                      const StridedList &memory) noexcept;
void GatherBytes(const StridedList &file, ByteCount from, ByteCount to, const StridedList &data, ByteCount base,
                 const char *buffer, char *packed) noexcept;
void CopyShareBack(const Share &share, ByteCount from, ByteCount to, const StridedList &memory, const StridedList &data,
                   ByteCount base, const char *buffer) noexcept;

} // namespace overlap

#endif
