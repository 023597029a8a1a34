// What calls have shown of a storage: how much it takes in from several aggregators, as far as the time of a write tells.
//
// That time alone does not say what it is made of: the latency of a write, of which each aggregator has one under way; a
// rate of each aggregator's own; or one that all share. More aggregators help with the first two only. So of each the
// worst is taken that calls leave possible, and a promise rests on that (chooser.cc).
#ifndef OVERLAP_ENGINE_MODEL_SHOWN_H
#define OVERLAP_ENGINE_MODEL_SHOWN_H

#include "load.h"
#include "rates.h"
#include "took.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace overlap {

/// By one kind of writer. The same on all ranks.
struct Shown {
    std::int64_t writer = -1;          // overlap_writer; -1: nothing was shown
    std::int64_t tells_latency = 0;    // 1: writes of different lengths have told it apart
    std::int64_t latencies_add_up = 0; // 1: they did, where more aggregators wrote
    double latency = 0;                // seconds of a write, beside those of other aggregators; at most that
    double alone = 0;                  // seconds of each byte beside the latency, of one aggregator,
    double fewest_at_once = 0;         // where so many wrote at once on average
    double together = 0;               // the same, of all together,
    double most_at_once = 0;           // where so many did
    // Of the last call:
    double bytes = 0;       // of a cycle,
    double seconds = 0;     // that its write took
    double aggregators = 0; // that it had
    double at_once = 0;     // of which so many wrote on average, at least 1
};

inline constexpr std::size_t kShownWords = sizeof(Shown) / sizeof(std::int64_t);
using ShownWords = std::array<std::int64_t, kShownWords>;

/// As bits, like RatesWords.
ShownWords WordsOf(const Shown &shown) noexcept;
Shown ShownOf(const ShownWords &words) noexcept;

/// A call of these cycles took so long, and its writes were measured.
void Show(const CycleLoad &cycle, overlap_writer writer, const Took &took, Shown &shown) noexcept;

/// The rates with a storage that does no more than was shown, whatever was guessed of how its time divides. What they
/// predict is to be compared with what they predict of another number of aggregators. Needs: shown.writer is `writer`.
Rates NoBetterThan(const Shown &shown, overlap_writer writer, const CycleLoad &cycle, const Rates &rates) noexcept;

} // namespace overlap

#endif
