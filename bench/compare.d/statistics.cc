// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "statistics.h"

#include "../common/median.h"

#include <algorithm>

namespace compare {
namespace {

constexpr double kLeastGain = 0.02; // of the time without overlap

} // namespace

std::optional<Summary> Summarize(const std::vector<double> &seconds) {
    if (seconds.empty()) {
        return std::nullopt;
    }
    const auto [least, most] = std::minmax_element(seconds.begin(), seconds.end());
    return Summary{bench::Median(seconds), *least, *most};
}

std::optional<double> OverlapEfficiency(double none, double seconds, double bound) {
    const double gain = none - bound;
    if (gain <= 0 || gain < kLeastGain * none) {
        return std::nullopt;
    }
    return (none - seconds) / gain;
}

} // namespace compare
