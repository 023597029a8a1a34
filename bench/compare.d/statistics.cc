#include "statistics.h"

#include <algorithm>

namespace compare {
namespace {

constexpr double kLeastGain = 0.02; // of the time without overlap

} // namespace

std::optional<Summary> Summarize(std::vector<double> seconds) {
    if (seconds.empty()) {
        return std::nullopt;
    }
    std::sort(seconds.begin(), seconds.end());
    const std::size_t half = seconds.size() / 2;
    const double median = seconds.size() % 2 == 1 ? seconds[half] : (seconds[half - 1] + seconds[half]) / 2;
    return Summary{median, seconds.front(), seconds.back()};
}

std::optional<double> OverlapEfficiency(double none, double seconds, double bound) {
    const double gain = none - bound;
    if (gain <= 0 || gain < kLeastGain * none) {
        return std::nullopt;
    }
    return (none - seconds) / gain;
}

} // namespace compare
