#include "verdict.h"

#include "../common/median.h"

#include <algorithm>
#include <cmath>
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

// The times between which the median of all jobs lies with 95 % confidence, whatever their distribution: as many are left
// out at either end as the median is beyond in 2.5 % of draws (David & Nagaraja, Order Statistics, section 7.1). None of 5,
// one of 10, five of 20.
std::pair<double, double> Range(Times times) {
    std::sort(times.begin(), times.end());
    std::size_t out = 0;
    while (AtMost(out + 1, times.size()) <= 0.025) {
        ++out;
    }
    return {times[out], times[times.size() - 1 - out]};
}

} // namespace

bool Verdict::slower() const { return least > 1 && ratio > kTolerated; }

std::string Verdict::text() const {
    if (!differs()) {
        return "no difference seen";
    }
    return slower() ? "SLOWER" : least > 1 ? "slower by 3 % or less" : "faster";
}

Verdict Judge(const Times &before, const Times &now) {
    const auto [least_before, most_before] = Range(before);
    const auto [least_now, most_now] = Range(now);
    Verdict verdict;
    verdict.before = bench::Median(before);
    verdict.now = bench::Median(now);
    verdict.ratio = verdict.now / verdict.before;
    verdict.least = least_now / most_before;
    verdict.most = most_now / least_before;
    return verdict;
}

} // namespace against
