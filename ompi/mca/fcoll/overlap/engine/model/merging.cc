#include "merging.h"

#include "guess.h"

#include <algorithm>
#include <cmath>

namespace overlap {
namespace {

// Memory has to be made, and another plan: little is not worth it, and rates are guesses in the first calls of a file.
constexpr std::int64_t kWorthMergingPercent = 70;

// More than the sockets, NICs and dies of a node are.
constexpr std::int64_t kMostLeaders = 64;

// Whole numbers, as processors and compilers round sums of products differently. A second at most, so that products fit.
constexpr double kPicoseconds = 1e12;
std::int64_t PicosecondsOf(const Rate &rate) noexcept {
    return std::llround(std::clamp(rate.value, 0.0, 1.0) * kPicoseconds);
}

std::int64_t Times(const Rate &rate, std::int64_t count) noexcept {
    constexpr std::int64_t kMost = std::int64_t{1} << 53;
    std::int64_t product = 0;
    return __builtin_mul_overflow(PicosecondsOf(rate), count, &product) ? kMost : std::min(product, kMost);
}

// That an aggregator which leads sends and receives.
std::int64_t MessagesOf(const Crowd &crowd, const RanksOfNodes &nodes, int leaders) noexcept {
    const std::int64_t groups = std::clamp<std::int64_t>(leaders, 1, nodes.most);
    // Who leads sends for all of its ranks, and aggregates as a rule.
    const std::int64_t clients = 2 * groups * DivideUp(crowd.clients, std::max<std::int64_t>(1, nodes.mean));
    return clients + 2 * (DivideUp(nodes.most, groups) - 1);
}

// A call that tells of the network takes the rest for right, and marks it as measured: the guess is no less a guess for
// that.
bool IsCopyKnown(const Rates &rates) noexcept {
    return rates.copy.measured && rates.copy.value != GuessedRates(1, "", 0, 0).copy.value; // the same whatever is given
}

} // namespace

bool IsWorthMerging(const Crowd &crowd, const RanksOfNodes &nodes, int leaders, const Rates &rates,
                    overlap_writer writer) noexcept {
    const WriterRates &write = rates.Of(writer);
    const std::int64_t either = Times(rates.between.latency, 1) + Times(rates.between.byte, crowd.bytes) +
                                Times(write.latency, 1) + Times(write.byte, crowd.bytes);
    const std::int64_t apart = Times(rates.message, crowd.clients) + either;
    const std::int64_t together = Times(rates.message, MessagesOf(crowd, nodes, leaders)) + either;
    return together < apart / 100 * kWorthMergingPercent;
}

int LeadersOfNodes(const Crowd &crowd, const RanksOfNodes &nodes, ByteCount of_node, std::int64_t fewest,
                   const Rates &rates) noexcept {
    const std::int64_t copies = Times(rates.copy, of_node);
    const std::int64_t network = Times(rates.between.byte, of_node);
    if (!IsCopyKnown(rates) || !rates.between.byte.measured || copies <= network) {
        return 1;
    }
    const auto takes = [&](int leaders) {
        return Times(rates.message, MessagesOf(crowd, nodes, leaders)) + std::max(DivideUp(copies, leaders), network);
    };
    const std::int64_t most = std::min<std::int64_t>(nodes.mean / fewest, kMostLeaders);
    int best = 1;
    for (int leaders = 2; leaders <= most; ++leaders) {
        best = takes(leaders) < takes(best) ? leaders : best;
    }
    return takes(best) < takes(1) / 100 * kWorthMergingPercent ? best : 1;
}

} // namespace overlap
