// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "throttle.h"

#include "../base/settings.h"

#include <algorithm>

namespace overlap {
namespace {

constexpr ByteCount kMost = 64;
// Some whose senders are not running, and some of which the transport asks whether they may come.
constexpr ByteCount kLeast = 8;
constexpr ByteCount kBytes = ByteCount{8} << 20;

std::size_t AtMost(const Plan &plan, int slots, ByteCount most) noexcept {
    ByteCount clients = 0;
    for (const OwnedDomain &domain : plan.owned) {
        clients += static_cast<ByteCount>(domain.clients.size());
    }
    const ByteCount there = clients * std::min<Cycle>(slots, plan.cycles);
    return static_cast<std::size_t>(std::max(std::min(most, there), ByteCount{1}));
}

} // namespace

std::size_t MostWords(const Plan &plan, int slots, int throttle) noexcept {
    return AtMost(plan, slots, throttle == OVERLAP_THROTTLE_AUTO ? kMost : throttle);
}

std::size_t MostSent(const Plan &plan, int slots, int throttle) noexcept {
    const ByteCount worth = std::clamp(kBytes / std::max(plan.usual_message, ByteCount{1}), kLeast, kMost);
    return AtMost(plan, slots, throttle == OVERLAP_THROTTLE_AUTO ? worth : throttle);
}

std::size_t MostReceived(const Plan &plan, int slots, int throttle) noexcept {
    return plan.overlap ? 1 : MostSent(plan, slots, throttle);
}

} // namespace overlap
