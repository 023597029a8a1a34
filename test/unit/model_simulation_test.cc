// The model's choice against the best that the simulated cluster knows.
#include "predict_all.h"
#include "virtual_cluster.h"
#include "virtual_conditions.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace overlap::test {
namespace {

constexpr std::uint64_t kConditions = 1000;

// A change has to promise so much: less than this share of the time.
constexpr double kWorthIt = 0.9;

// All candidates would take four times as long and find nothing better.
constexpr std::size_t kBestPredicted = 32;
constexpr std::size_t kOfTheOthers = 8; // each so many-th

std::string NameOf(const Candidate &candidate) {
    return std::string(overlap_algorithm_names[candidate.algorithm]) + " " + overlap_shuffle_names[candidate.shuffle] + " " +
           overlap_writer_names[candidate.writer] + ", " + std::to_string(candidate.slots) + " of " +
           std::to_string(candidate.sub_buffer) + " bytes, " + std::to_string(candidate.aggregators) + " aggregators";
}

struct Regret {
    double value = 0;   // seconds of the choice by those of the best, less 1
    double staying = 0; // the same of the choice where a change has to be worth it
    std::string text;
};

Regret RegretOf(std::uint64_t number) {
    const Condition condition = ConditionOf(number);
    const std::vector<Prediction> all = PredictAll(condition.load, condition.rates, CandidatesOf(condition.open));
    const auto simulated = [&condition](const Prediction &one) {
        return SimulateWrite(condition.load, condition.rates, one.candidate, condition.unsteady);
    };
    const std::vector<Prediction> each = PredictEach(condition.load, condition.rates, CandidatesOf(condition.open));
    const double chosen = simulated(all.front());
    const double staying = simulated(each[BestOf(SecondsOf(each), 0, kWorthIt)]);
    double least = std::min(chosen, staying);
    const Prediction *best = &all.front();
    for (std::size_t i = 1; i < all.size(); ++i) {
        if (i < kBestPredicted || (i + number) % kOfTheOthers == 0) {
            const double seconds = simulated(all[i]);
            best = seconds < least ? &all[i] : best;
            least = std::min(least, seconds);
        }
    }
    return Regret{chosen / least - 1, staying / least - 1,
                  "condition " + std::to_string(number) + ": " + NameOf(all.front().candidate) + " takes " +
                      std::to_string(chosen) + " s, predicted " + std::to_string(all.front().seconds) + " s; " +
                      NameOf(best->candidate) + " takes " + std::to_string(least) + " s, predicted " +
                      std::to_string(best->seconds) + " s"};
}

TEST(SlowModelSimulation, TheChoiceIsCloseToTheSimulatedBest) {
    double sum = 0, sum_staying = 0, worst_staying = 0;
    Regret worst;
    for (std::uint64_t number = 0; number < kConditions; ++number) {
        const Regret regret = RegretOf(number);
        sum += regret.value;
        sum_staying += regret.staying;
        worst_staying = std::max(worst_staying, regret.staying);
        if (regret.value > worst.value) {
            worst = regret;
        }
    }
    RecordProperty("mean_regret", std::to_string(sum / kConditions));
    RecordProperty("worst_regret", std::to_string(worst.value));
    RecordProperty("mean_regret_where_a_change_has_to_be_worth_it", std::to_string(sum_staying / kConditions));
    RecordProperty("worst_regret_where_a_change_has_to_be_worth_it", std::to_string(worst_staying));
    EXPECT_LE(sum / kConditions, 0.03);
    EXPECT_LE(sum_staying / kConditions, 0.03);
    EXPECT_LE(worst.value, 0.13) << worst.text;
}

TEST(ModelSimulation, OneCycleOfOneAggregatorTakesWhatItsPartsTake) {
    Condition condition = ConditionOf(0);
    condition.load.nodes = 1;
    condition.load.ranks = 2;
    condition.load.remote = 0;
    condition.load.bytes = 1 << 20;
    Candidate candidate;
    candidate.writer = OVERLAP_WRITER_THREAD;
    candidate.slots = 4;
    candidate.sub_buffer = 1 << 20;
    for (const overlap_algorithm algorithm : condition.open.algorithms) {
        candidate.algorithm = algorithm;
        const double predicted = Predict(condition.load, condition.rates, candidate).seconds;
        EXPECT_NEAR(SimulateWrite(condition.load, condition.rates, candidate, 0), predicted, 0.05 * predicted)
            << NameOf(candidate);
    }
}

} // namespace
} // namespace overlap::test
