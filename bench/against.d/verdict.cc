// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "verdict.h"

#include "../common/median.h"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

namespace against {
namespace {

// Of `count` fair coins the chance that at most `heads` show heads.
double AtMost(std::size_t heads, std::size_t count) {
    double sum = 0, ways = 1; // to have i heads
    for (std::size_t i = 0; i <= heads; ++i) {
        sum += ways;
        ways = ways * static_cast<double>(count - i) / static_cast<double>(i + 1);
    }
    return sum / std::pow(2.0, static_cast<double>(count));
}

// The ratios between which the median of all alternations lies with 99 % confidence, whatever their distribution (David &
// Nagaraja, Order Statistics, section 7.1): at either end as many are left out as the median lies beyond in 0.5 % of
// draws, three of 20. Of 5 none is left out, and the confidence is 94 %.
std::pair<double, double> Range(std::vector<double> ratios) {
    std::sort(ratios.begin(), ratios.end());
    std::size_t out = 0;
    while (AtMost(out + 1, ratios.size()) <= 0.005) {
        ++out;
    }
    return {ratios[out], ratios[ratios.size() - 1 - out]};
}

} // namespace

bool Verdict::slower() const { return least > 1 && ratio > tolerated; }

std::string Verdict::text() const {
    if (!differs()) {
        return "no difference seen";
    }
    if (least <= 1) {
        return "faster";
    }
    return slower() ? "SLOWER" : "slower by " + std::to_string(std::lround((tolerated - 1) * 100)) + " % or less";
}

// What changes slowly on the machine hits both of an alternation.
Verdict Judge(const Times &before, const Times &now, double tolerated) {
    std::vector<double> ratios;
    for (std::size_t i = 0; i < before.size(); ++i) {
        ratios.push_back(now[i] / before[i]);
    }
    Verdict verdict;
    verdict.tolerated = tolerated;
    verdict.before = bench::Median(before);
    verdict.now = bench::Median(now);
    verdict.ratio = bench::Median(ratios);
    std::tie(verdict.least, verdict.most) = Range(std::move(ratios));
    return verdict;
}

} // namespace against
