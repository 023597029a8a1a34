// A transfer without the other ranks: of a file that one process has open, or where there is nothing to gain from them.
#ifndef OVERLAP_ENGINE_CALL_ALONE_H
#define OVERLAP_ENGINE_CALL_ALONE_H

#include "../access/access.h"
#include "../file/resources.h"

namespace overlap {

/// Whether going straight to or from memory takes no more, or only large, calls than going through the collective buffer.
bool GoesAlone(const StridedList &file, const StridedList &memory);

/// Writes the access from where it lies in memory, by the storage or the sieve, or reads it to there, as far as it lies
/// before `end`. `done` counts the bytes that are transferred; a read that meets the end of the file succeeds.
Status TransferAlone(overlap_direction direction, FileResources &resources, const Access &access, FileOffset end,
                     ByteCount &done);

} // namespace overlap

#endif
