// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// What a rank writes or reads in one collective call: where its bytes lie in memory and in the file.
#ifndef OVERLAP_ENGINE_ACCESS_ACCESS_H
#define OVERLAP_ENGINE_ACCESS_ACCESS_H

#include "../entry.h"
#include "strided.h"

namespace overlap {

/// Byte p of `memory` goes to byte p of `file`, or comes from there. `file` is ascending, unless it repeats.
struct Access {
    StridedList file;
    StridedList memory;
    bool on_device = false; // some of the memory is reached by copies of the host port alone
    bool repeats = false;   // a read asks for a byte of the file more than once; its bytes stand in the order of the view
};

/// What a rank asks for in a call: accesses that follow each other, one as a rule.
struct Request {
    const overlap_access *const *accesses;
    std::size_t count;
};

/// Time grows with the blocks of one datatype instance, and with the instances only where an instance is irregular. A file
/// layout whose displacements do not ascend (MPI 4.1 section 14.3 forbids it for writing) is sorted; where it writes a byte
/// more than once the last one of the stream is kept, and where it reads one more than once the access repeats. Throws
/// std::range_error where an offset or a length cannot be represented, std::invalid_argument where a layout of no bytes is
/// to hold some or an offset is negative.
Access BuildAccess(const Request &request, overlap_direction direction);
Access BuildAccess(const overlap_access &access, overlap_direction direction = OVERLAP_WRITE);

/// Bytes in any order, by their place in the file; of those that name the same byte of it the last of the stream is kept.
/// Time: the logarithm of the number of blocks for each. Throws std::bad_alloc.
Access Ascending(const Access &unsorted);

} // namespace overlap

#endif
