#include "rates_words.h"

#include <cstring>
#include <type_traits>

namespace overlap {
namespace {

// A rate that joins Rates travels as well, without a word here.
static_assert(std::is_trivially_copyable_v<Rates> && sizeof(Rates) % sizeof(Rate) == 0, "Rates are made of rates alone");
static_assert(kRates <= 63, "there is a bit for each of them");

using List = std::array<Rate, kRates>;

constexpr std::uint64_t BitOf(std::size_t rate) noexcept { return std::uint64_t{1} << rate; }

} // namespace

RatesWords WordsOf(const Rates &rates) noexcept {
    List list;
    std::memcpy(static_cast<void *>(list.data()), &rates, sizeof(rates));
    RatesWords words;
    std::uint64_t measured = 0;
    for (std::size_t i = 0; i < kRates; ++i) {
        std::memcpy(&words[i], &list[i].value, sizeof(words[i]));
        measured |= list[i].measured ? BitOf(i) : 0;
    }
    words.back() = static_cast<std::int64_t>(measured);
    return words;
}

Rates RatesOf(const RatesWords &words) noexcept {
    const auto measured = static_cast<std::uint64_t>(words.back());
    List list;
    for (std::size_t i = 0; i < kRates; ++i) {
        std::memcpy(&list[i].value, &words[i], sizeof(words[i]));
        list[i].measured = (measured & BitOf(i)) != 0;
    }
    Rates rates;
    std::memcpy(static_cast<void *>(&rates), list.data(), sizeof(rates));
    return rates;
}

} // namespace overlap
