// Rates on their way: from one rank to another, from a file to the next.
#ifndef OVERLAP_ENGINE_MODEL_RATES_WORDS_H
#define OVERLAP_ENGINE_MODEL_RATES_WORDS_H

#include "rates.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace overlap {

inline constexpr std::size_t kRates = sizeof(Rates) / sizeof(Rate);

inline constexpr std::size_t kRateWords = kRates + 1;

/// The bits of each rate's value, in the order of their declaration, and a word whose bit i says that rate i was measured.
/// Ranks whose words are the same predict the same. As they are bits they can be broadcast and compared, not added up.
using RatesWords = std::array<std::int64_t, kRateWords>;

RatesWords WordsOf(const Rates &rates) noexcept;

/// The rates again, whatever the words.
Rates RatesOf(const RatesWords &words) noexcept;

} // namespace overlap

#endif
