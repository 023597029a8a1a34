// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// How many messages an aggregator has under way with its clients.
#ifndef OVERLAP_ENGINE_SHUFFLE_THROTTLE_H
#define OVERLAP_ENGINE_SHUFFLE_THROTTLE_H

#include "../plan/plan.h"

namespace overlap {

/// All three: the most that are to be under way at the same time, at least 1; no more than there can be in `slots` cycles.
/// `throttle`: as in settings.h. Where nobody says, words are kept to a number, and data to as many messages as keep the
/// NIC busy: what more of them would do is stand in its queue, and with them what their senders are to receive
/// (bench/RESULTS.md, "How many messages an aggregator has under way"; Kang et al., SC20, on all-to-many messages).

/// Words that go to clients or come from them.
std::size_t MostWords(const Plan &plan, int slots, int throttle) noexcept;

/// Data that clients are sent.
std::size_t MostSent(const Plan &plan, int slots, int throttle) noexcept;

/// Data that they send: ranks that overlap come one after the other.
std::size_t MostReceived(const Plan &plan, int slots, int throttle) noexcept;

} // namespace overlap

#endif
