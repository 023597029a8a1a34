// What a rank writes in one collective call: where its bytes lie in memory and in the file.
#ifndef OVERLAP_ENGINE_ACCESS_ACCESS_H
#define OVERLAP_ENGINE_ACCESS_ACCESS_H

#include "../entry.h"
#include "strided.h"

namespace overlap {

/// Byte p of `memory` goes to byte p of `file`. `file` is ascending.
struct Access {
    StridedList file;
    StridedList memory;
};

/// The access as strided runs. Time grows with the number of blocks of one datatype instance, and with the number of
/// instances only where an instance is irregular. A file layout whose displacements do not ascend (MPI 4.1 section 14.3
/// forbids it for writing) is sorted; where it writes a byte twice the later byte of the stream is kept.
/// Throws std::range_error where an offset or a length cannot be represented, std::invalid_argument where a layout of
/// no bytes is to hold some or an offset is negative.
Access BuildAccess(const overlap_access &access);

} // namespace overlap

#endif
