// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "rate_model.h"

#include <algorithm>
#include <cerrno>
#include <ctime>

namespace storage {
namespace {

constexpr std::int64_t kSecond = 1000000000;

} // namespace

Instant Now() {
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * kSecond + now.tv_nsec;
}

void SleepUntil(Instant instant) {
    const timespec until{instant / kSecond, instant % kSecond};
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, nullptr) == EINTR) {
    }
}

RateModel::RateModel(std::vector<double> rates, std::int64_t stripe_size, double latency)
    : stripe_size_(stripe_size), latency_(latency * 1e9) {
    for (const double rate : rates) {
        targets_.push_back({1e9 / rate, 0});
    }
}

std::vector<std::int64_t> RateModel::Deal(std::int64_t offset, std::int64_t bytes) const {
    const auto stripes = static_cast<std::int64_t>(targets_.size());
    std::vector<std::int64_t> share(targets_.size());
    const std::int64_t end = offset + bytes;
    while (offset < end) {
        const std::int64_t stripe = offset / stripe_size_;
        const std::int64_t piece = std::min(end, (stripe + 1) * stripe_size_) - offset;
        share[static_cast<std::size_t>(stripe % stripes)] += piece;
        offset += piece;
    }
    return share;
}

Instant RateModel::Take(std::int64_t offset, std::int64_t bytes, Instant arrival) {
    const std::vector<std::int64_t> share = Deal(offset, bytes);
    auto done = static_cast<double>(arrival);
    const std::lock_guard<std::mutex> lock(mutex_);
    for (std::size_t i = 0; i < share.size(); ++i) {
        if (share[i] > 0) {
            Target &target = targets_[i];
            const double start = std::max(static_cast<double>(arrival), target.free_at);
            target.free_at = start + static_cast<double>(share[i]) * target.nanoseconds_per_byte;
            done = std::max(done, target.free_at);
        }
    }
    return static_cast<Instant>(done + latency_);
}

} // namespace storage
