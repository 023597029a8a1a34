#include "shown.h"

#include <algorithm>
#include <cstring>
#include <type_traits>

namespace overlap {
namespace {

static_assert(std::is_trivially_copyable_v<Shown> && sizeof(Shown) % sizeof(std::int64_t) == 0, "words are all it has");

// Writes whose lengths, or whose numbers, are nearer to each other than that tell nothing apart from noise.
constexpr double kApart = 2;
constexpr double kMore = 1.6;
constexpr double kAlike = 1.25;

// Of a write: what is left is never nothing, whatever a clock says.
constexpr double kMostLatency = 0.95;

struct Call {
    double bytes;
    double seconds;
    double aggregators;
    double at_once;
};

// The line through two writes of different lengths. More aggregators at once make the longer one slower, and the latency
// seem less than it is; where they wrote the shorter one, nothing can be said.
void CompareLengths(const Call &a, const Call &b, Shown &shown) noexcept {
    const Call &shorter = a.bytes < b.bytes ? a : b;
    const Call &longer = a.bytes < b.bytes ? b : a;
    if (shown.latencies_add_up != 0 || longer.bytes < kApart * shorter.bytes || shorter.at_once > kAlike * longer.at_once) {
        return;
    }
    const double byte = std::max(0.0, longer.seconds - shorter.seconds) / (longer.bytes - shorter.bytes);
    shown.latency = std::max(0.0, std::min(shorter.seconds, longer.seconds) - byte * shorter.bytes);
    shown.tells_latency = 1;
}

// What grows with the number of aggregators, beside the bytes, is no latency, but something that they share.
void CompareNumbers(const Call &a, const Call &b, Shown &shown) noexcept {
    const Call &few = a.aggregators < b.aggregators ? a : b;
    const Call &many = a.aggregators < b.aggregators ? b : a;
    if (shown.latency <= 0 || many.aggregators < kMore * few.aggregators) {
        return;
    }
    const double of_few = few.seconds - shown.alone * few.bytes;
    const double of_many = many.seconds - shown.alone * many.bytes;
    const double each = std::max(0.0, of_many - of_few) / (many.aggregators - few.aggregators);
    const double rest = std::max(0.0, of_few - each * few.aggregators);
    if (rest * kAlike < shown.latency) {
        shown.latency = rest;
        shown.latencies_add_up = 1;
    }
}

// What was better once is forgotten where it does not come again.
constexpr double kForgets = 1.25;

double Latest(double known, double now) noexcept { return known > 0 ? std::min(kForgets * known, now) : now; }

// Calls of more aggregators at once cannot show what one of them can do, nor those of fewer what they can together.
void TakeBytes(const Call &call, Shown &shown) noexcept {
    const double rest = call.seconds - std::min(shown.latency, kMostLatency * call.seconds);
    const double alone = rest / call.bytes;
    if (shown.alone <= 0 || call.at_once <= kAlike * shown.fewest_at_once || alone <= shown.alone) {
        shown.alone = Latest(shown.alone, alone);
        shown.fewest_at_once = call.at_once;
    }
    const double together = rest / (call.bytes * call.at_once);
    if (kAlike * call.at_once >= shown.most_at_once || together <= shown.together) {
        shown.together = Latest(shown.together, together);
        shown.most_at_once = call.at_once;
    }
}

} // namespace

ShownWords WordsOf(const Shown &shown) noexcept {
    ShownWords words;
    std::memcpy(words.data(), &shown, sizeof(shown));
    return words;
}

Shown ShownOf(const ShownWords &words) noexcept {
    Shown shown;
    std::memcpy(static_cast<void *>(&shown), words.data(), sizeof(shown));
    return shown;
}

void Show(const CycleLoad &cycle, overlap_writer writer, const Took &took, Shown &shown) noexcept {
    if (cycle.cycles == 0 || took.write_cycle <= 0 || took.call <= 0) {
        return;
    }
    if (shown.writer != writer) {
        shown = Shown();
        shown.writer = writer;
    }
    const double busy = cycle.cycles == 1 ? 1 : std::min(1.0, took.write / took.call);
    const Call now{cycle.domain / static_cast<double>(cycle.cycles), took.write_cycle,
                   static_cast<double>(cycle.aggregators), std::max(1.0, cycle.aggregators * busy)};
    if (shown.bytes > 0) {
        const Call before{shown.bytes, shown.seconds, shown.aggregators, shown.at_once};
        const double latency = shown.latency;
        CompareNumbers(before, now, shown);
        CompareLengths(before, now, shown);
        if (shown.latency < latency) { // the bytes took more than was thought
            shown.alone = 0;
            shown.together = 0;
            shown.fewest_at_once = 0;
            shown.most_at_once = 0;
            TakeBytes(before, shown);
        }
    }
    TakeBytes(now, shown);
    shown.bytes = now.bytes;
    shown.seconds = now.seconds;
    shown.aggregators = now.aggregators;
    shown.at_once = now.at_once;
}

Rates NoBetterThan(const Shown &shown, overlap_writer writer, const CycleLoad &cycle, const Rates &rates) noexcept {
    Rates worst = rates;
    WriterRates &own = worst.Of(writer);
    own.latency.value = shown.latency;
    own.byte.value = std::max(own.byte.value, shown.alone - cycle.extents * own.extent.value);
    worst.byte_together.value = std::max(worst.byte_together.value, shown.together);
    return worst;
}

} // namespace overlap
