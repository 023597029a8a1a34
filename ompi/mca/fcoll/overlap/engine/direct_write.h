// The write of a file that one process has open: there is nobody to shuffle with.
#ifndef OVERLAP_ENGINE_DIRECT_WRITE_H
#define OVERLAP_ENGINE_DIRECT_WRITE_H

#include "access/access.h"
#include "status.h"
#include "writer/sieve.h"

namespace overlap {

/// Whether writing straight from memory takes no more, or only large, writes than going through the collective buffer.
bool DirectWritePays(const Access &access);

/// Writes the access from where it lies in memory, by the storage or the sieve. `on_file` counts the bytes that are in the
/// file.
Status WriteDirectly(const overlap_storage &storage, Sieve &sieve, const Access &access, ByteCount &on_file);

} // namespace overlap

#endif
