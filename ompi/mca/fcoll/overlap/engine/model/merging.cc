#include "merging.h"

namespace overlap {
namespace {

// Memory has to be made, and another plan: little is not worth it, and rates are guesses in the first calls of a file.
constexpr double kWorthMerging = 0.7;

} // namespace

bool IsWorthMerging(const Crowd &crowd, const Rates &rates, overlap_writer writer) noexcept {
    const double message = rates.message.value;
    const double bytes = static_cast<double>(crowd.bytes);
    const WriterRates &write = rates.Of(writer);
    const double either =
        rates.between.latency.value + rates.between.byte.value * bytes + write.latency.value + write.byte.value * bytes;
    const double apart = message * static_cast<double>(crowd.clients);
    // Who leads a node sends for all of its ranks, and aggregates as a rule.
    const double together = message * static_cast<double>(2 * DivideUp(crowd.clients, crowd.ranks) + 2 * (crowd.ranks - 1));
    return together + either < kWorthMerging * (apart + either);
}

} // namespace overlap
