// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#ifndef BENCH_STORAGE_BYTE_RANGES_H
#define BENCH_STORAGE_BYTE_RANGES_H

#include <cstdint>
#include <map>

namespace storage {

/// The bytes of a file that occupy space.
class ByteRanges {
  public:
    /// The end of the longest piece of [begin, end) from `begin` on that adds at most `room` bytes.
    std::int64_t Reach(std::int64_t begin, std::int64_t end, std::int64_t room) const;
    /// Returns how many bytes it adds.
    std::int64_t Add(std::int64_t begin, std::int64_t end);
    /// Removes what lies at `size` and behind; returns how many bytes that were.
    std::int64_t Cut(std::int64_t size);

  private:
    std::map<std::int64_t, std::int64_t> ranges_; // begin and end; neither overlapping nor touching
};

} // namespace storage

#endif
