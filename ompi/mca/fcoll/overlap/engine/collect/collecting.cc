#include "collecting.h"

#include <algorithm>
#include <array>
#include <limits>

namespace overlap {
namespace {

constexpr std::int64_t kNothing = std::numeric_limits<std::int64_t>::min();

std::int64_t MultiplyUpTo(std::int64_t a, std::int64_t b) {
    std::int64_t product = 0;
    return __builtin_mul_overflow(a, b, &product) ? std::numeric_limits<std::int64_t>::max() : product;
}

// Bytes of the file between two ranges; less than 0 where they have some in common.
std::int64_t Between(const Range &a, const Range &b) { return std::max(a.first - b.last, b.first - a.last); }

} // namespace

CollectLimits LimitsOf(ByteCount of_aggregator, ByteCount cycle, int aggregators, int ranks) noexcept {
    CollectLimits limits;
    limits.near = MultiplyUpTo(of_aggregator, aggregators);
    limits.room = limits.near / ranks;
    limits.large = MultiplyUpTo(cycle, aggregators);
    return limits;
}

Status AgreeOnCollecting(const Team &team, const CollectLimits &limits, const CollectOffer &offer, const Range &held,
                         Status local, CollectAgreement &agreement) noexcept {
    enum Word : std::size_t { kFull, kTooMuch, kEnds, kBytes, kBegin, kEnd, kKept, kWords };
    std::array<std::int64_t, kWords> values{};
    values[kFull] = offer.fits ? 0 : 1;
    values[kTooMuch] = offer.alone_fits ? 0 : 1;
    values[kEnds] = offer.ends ? 1 : 0;
    values[kBytes] = offer.bytes;
    values[kBegin] = offer.range.empty() ? kNothing : -offer.range.first;
    values[kEnd] = offer.range.empty() ? kNothing : offer.range.last;
    values[kKept] = offer.kept;
    const Status status = team.Agree(values, local);
    agreement = CollectAgreement();
    agreement.kept = static_cast<int>(values[kKept]);
    agreement.ends = values[kEnds] != 0;
    if (values[kEnd] != kNothing) {
        agreement.range = Range{-values[kBegin], values[kEnd]};
    }
    const bool large = MultiplyUpTo(values[kBytes], team.size()) >= limits.large;
    const bool far = !held.empty() && !agreement.range.empty() && Between(held, agreement.range) > limits.near;
    agreement.then_collected = values[kTooMuch] == 0 && !large;
    if (far) {
        agreement.becomes = Becomes::kWrittenAfter;
    } else if (values[kFull] == 0 && !large) {
        agreement.becomes = Becomes::kCollected;
    }
    return status;
}

} // namespace overlap
