#include "verdict.h"

#include "../common/median.h"

#include <algorithm>
#include <utility>

namespace against {
namespace {

constexpr double kTolerated = 1.03;

// Least and most. Of ten times or more the fastest and the slowest tenth are left out: something else on the machine can
// have hit one of many.
std::pair<double, double> Range(Times times) {
    std::sort(times.begin(), times.end());
    const std::size_t out = times.size() / 10;
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
