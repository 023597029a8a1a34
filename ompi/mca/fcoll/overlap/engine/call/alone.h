// A transfer without the other ranks: of a file that one process has open, or where there is nothing to gain from them.
#ifndef OVERLAP_ENGINE_CALL_ALONE_H
#define OVERLAP_ENGINE_CALL_ALONE_H

#include "../access/access.h"
#include "../file/resources.h"

namespace overlap {

/// Whether going straight to or from memory takes no more, or only large, calls than going through the collective buffer.
bool GoesAlone(const StridedList &file, const StridedList &memory);

/// Byte p of `memory` is written to byte p of `file`, or read from there, as far as it lies before `end`. Where `others` of
/// the file write at the same time no gap is sieved: what they write between reading it and writing it back would be lost,
/// as the extents of a rank that are not sieved take no lock. `done` counts the bytes that are transferred; a read that
/// meets the end of the file succeeds. In passing it does not block where POSIX calls reach the file.
Status TransferAlone(overlap_direction direction, FileResources &resources, const StridedList &file,
                     const StridedList &memory, FileOffset end, bool others, ByteCount &done);

/// The same where the memory is a device's: by way of a part of the host's.
Status TransferAloneStaged(overlap_direction direction, FileResources &resources, const StridedList &file,
                           const StridedList &memory, FileOffset end, bool others, ByteCount &done);

} // namespace overlap

#endif
