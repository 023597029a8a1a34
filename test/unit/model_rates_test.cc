// Rates on their way.
#include "model/rates_words.h"

#include <gtest/gtest.h>

#include <cmath>

namespace overlap::test {
namespace {

// Whatever their names are.
Rate &RateAt(Rates &rates, std::size_t i) { return reinterpret_cast<Rate *>(&rates)[i]; }

Rates AllDifferent() {
    Rates rates;
    for (std::size_t i = 0; i < kRates; ++i) {
        RateAt(rates, i) = Rate{1e-9 / (3 + static_cast<double>(i)), i % 3 == 0};
    }
    return rates;
}

TEST(ModelRatesWords, GiveTheRatesBack) {
    Rates there = AllDifferent();
    Rates back = RatesOf(WordsOf(there));
    for (std::size_t i = 0; i < kRates; ++i) {
        EXPECT_EQ(RateAt(back, i).value, RateAt(there, i).value) << "rate " << i;
        EXPECT_EQ(RateAt(back, i).measured, RateAt(there, i).measured) << "rate " << i;
    }
    EXPECT_EQ(WordsOf(back), WordsOf(there));
}

TEST(ModelRatesWords, AreOthersWhereAnyRateIsAnother) {
    const RatesWords words = WordsOf(AllDifferent());
    for (std::size_t i = 0; i < kRates; ++i) {
        Rates changed = AllDifferent();
        double &value = RateAt(changed, i).value;
        value = std::nextafter(value, 1);
        EXPECT_NE(WordsOf(changed), words) << "value " << i;
        changed = AllDifferent();
        RateAt(changed, i).measured = !RateAt(changed, i).measured;
        EXPECT_NE(WordsOf(changed), words) << "measured " << i;
    }
}

TEST(ModelRatesWords, KeepTheirOrder) {
    Rates rates;
    rates.between.latency = Rate{1, false};
    rates.progress = Rate{2, true};
    const RatesWords words = WordsOf(rates);
    EXPECT_NE(words.front(), 0);
    EXPECT_EQ(RatesOf(words).progress.value, 2);
    EXPECT_EQ(words.back(), std::int64_t{1} << (kRates - 1)) << "progress is the last";
}

} // namespace
} // namespace overlap::test
