// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Who goes on when the rounds of all are over: few rounds leave it open whether what looks faster than the default is so.
#ifndef BENCH_COMPARE_REGRET_SETTLE_H
#define BENCH_COMPARE_REGRET_SETTLE_H

#include "regret.h"

#include <cstddef>
#include <vector>

namespace compare {

/// Positions in `timed`, ascending: those whose median is below the default's while the two intervals from least to most
/// overlap, and the default. Empty: it is settled, as it is without times of the default. Who failed or was dropped is
/// never among them; an other that --keep-wrong lets go on may be.
///
/// Asked once. Rounds that ended as soon as the default looks no slower would favour it, the more the more of them there
/// may be.
std::vector<std::size_t> Unsettled(const std::vector<Timed> &timed);

} // namespace compare

#endif
