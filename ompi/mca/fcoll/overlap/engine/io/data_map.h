// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Where a file holds data and where nothing, as far as that has been asked for.
#ifndef OVERLAP_ENGINE_IO_DATA_MAP_H
#define OVERLAP_ENGINE_IO_DATA_MAP_H

#include "../base/status.h"
#include "../base/types.h"
#include "../ports.h"

#include <array>

namespace overlap {

/// Remembers the last interval with data and the last one without. To read a hole would fill the page cache with zeros, a
/// page for each that is written next; to ask for every chunk whether there is one makes writers of some file systems wait
/// for each other. What is remembered is true as long as nobody else writes, and of ranges that have not been written since.
class DataMap {
  public:
    explicit DataMap(const overlap_storage &storage) : storage_(storage) {}

    void Forget() { known_ = {}; }

    /// Whether there may be data in [begin, end).
    bool MayHoldData(FileOffset begin, FileOffset end) {
        FileOffset until = 0;
        return At(begin, until) || until < end;
    }

    /// Reads, with zeros for holes and for what lies behind the end of the file.
    Status Read(FileOffset offset, char *address, ByteCount length);

  private:
    struct Interval {
        FileOffset begin = 0;
        FileOffset end = 0;
    };

    // Whether there may be data at `offset`, and up to where.
    bool At(FileOffset offset, FileOffset &until);

    const overlap_storage &storage_;
    std::array<Interval, 2> known_{}; // without data, and with
};

} // namespace overlap

#endif
