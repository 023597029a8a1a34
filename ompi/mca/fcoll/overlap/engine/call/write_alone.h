// The write of a file that one process has open: there is nobody to shuffle with.
#ifndef OVERLAP_ENGINE_CALL_WRITE_ALONE_H
#define OVERLAP_ENGINE_CALL_WRITE_ALONE_H

#include "../access/access.h"
#include "../file/resources.h"

namespace overlap {

/// Whether writing straight from memory takes no more, or only large, writes than going through the collective buffer.
bool WritesAlone(const Access &access);

/// Writes the access from where it lies in memory, by the storage or the sieve. `on_file` counts the bytes that are in the
/// file.
Status WriteAlone(FileResources &resources, const Access &access, ByteCount &on_file);

} // namespace overlap

#endif
