// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "data_map.h"

#include <algorithm>
#include <cstring>

namespace overlap {
namespace {

// Of a range that is in more parts than this the rest is read with its holes.
constexpr int kMostParts = 8;

} // namespace

bool DataMap::At(FileOffset offset, FileOffset &until) {
    for (std::size_t data = 0; data < known_.size(); ++data) {
        if (known_[data].begin <= offset && offset < known_[data].end) {
            until = known_[data].end;
            return data != 0;
        }
    }
    const bool data = storage_.posix_holds_data(storage_.self, offset, &until) != 0;
    known_[data ? 1 : 0] = Interval{offset, until};
    return data;
}

Status DataMap::Read(FileOffset offset, char *address, ByteCount length) {
    const FileOffset end = offset + length;
    Status status;
    for (int part = 1; offset < end && status.ok(); ++part) {
        FileOffset until = end;
        const bool data = part > kMostParts || At(offset, until);
        until = std::min(until, end);
        const auto bytes = static_cast<std::size_t>(until - offset);
        if (data) {
            status = Status(storage_.posix_read(storage_.self, offset, address, bytes));
        } else {
            std::memset(address, 0, bytes);
        }
        address += bytes;
        offset = until;
    }
    return status;
}

} // namespace overlap
