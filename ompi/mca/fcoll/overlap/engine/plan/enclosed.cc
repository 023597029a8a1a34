// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "enclosed.h"

namespace overlap {
namespace {

constexpr ByteCount kChunk = ByteCount{64} << 10;

} // namespace

void Enclosed::Add(int domain, Rank client, const char *bytes, ByteCount count) {
    if (count > left_) {
        const ByteCount room = std::max(kChunk, count);
        chunks_.push_back(std::make_unique<char[]>(static_cast<std::size_t>(room)));
        left_ = room;
        room_ = chunks_.back().get();
    }
    arrived_.push_back(Arrived{domain, client, room_});
    room_ = std::copy_n(bytes, count, room_);
    left_ -= count;
}

void Enclosed::Sort() noexcept {
    std::sort(sent_.begin(), sent_.end());
    std::sort(arrived_.begin(), arrived_.end(), IsBefore);
}

const char *Enclosed::Of(int domain, Rank client) const noexcept {
    const Arrived wanted{domain, client, nullptr};
    const auto found = std::lower_bound(arrived_.begin(), arrived_.end(), wanted, IsBefore);
    return found == arrived_.end() || IsBefore(wanted, *found) ? nullptr : found->bytes;
}

} // namespace overlap
