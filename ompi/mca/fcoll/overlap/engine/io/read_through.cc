// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "read_through.h"

#include <algorithm>

namespace overlap {
namespace {

// What readv(2) takes in one call.
constexpr std::size_t kAtOnce = 1024;

} // namespace

void ReadThrough::Prepare() {
    batch_.reserve(kAtOnce);
    if (dropped_ == nullptr) {
        dropped_.reset(new char[static_cast<std::size_t>(kLongestGap)]);
    }
}

Status ReadThrough::Read(const Extents &extents, ByteCount &done) noexcept {
    done = 0;
    ended_ = false;
    status_ = Status();
    batch_.clear();
    std::size_t listed = 0; // the extents from here to the next chunk stand alone
    const auto list_up_to = [&](std::size_t last) {
        for (; listed < last && !ended_; ++listed) {
            Add(extents[listed], done);
        }
    };
    ForEachReadThrough(extents, [&](const Chunk &chunk) {
        list_up_to(chunk.first);
        AddChunk(extents, chunk, done);
        listed = chunk.last;
    });
    list_up_to(extents.size());
    Flush(done);
    return status_;
}

void ReadThrough::Add(const overlap_extent &extent, ByteCount &done) {
    if (batch_.size() == kAtOnce) {
        Flush(done);
    }
    batch_.push_back(extent);
}

void ReadThrough::AddChunk(const Extents &extents, const Chunk &chunk, ByteCount &done) {
    FileOffset end = chunk.begin;
    for (std::size_t i = chunk.first; i < chunk.last && !ended_; ++i) {
        if (extents[i].offset > end) {
            Add(overlap_extent{end, dropped_.get(), static_cast<std::size_t>(extents[i].offset - end)}, done);
        }
        Add(extents[i], done);
        end = extents[i].offset + static_cast<ByteCount>(extents[i].length);
    }
}

// What was dropped does not count.
void ReadThrough::Flush(ByteCount &done) {
    std::size_t bytes = 0;
    if (!ended_ && !batch_.empty()) {
        status_ = Status(storage_.posix_transfer(storage_.self, OVERLAP_READ, batch_.data(), batch_.size(), &bytes));
    }
    for (const overlap_extent &extent : batch_) {
        const std::size_t of_this = std::min(bytes, extent.length);
        bytes -= of_this;
        done += extent.address == dropped_.get() ? 0 : static_cast<ByteCount>(of_this);
        ended_ = ended_ || of_this < extent.length;
    }
    ended_ = ended_ || !status_.ok();
    batch_.clear();
}

} // namespace overlap
