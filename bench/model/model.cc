#include "model.h"

#include <algorithm>

namespace overlap {
namespace {

constexpr double kAsGood = 1.01;

double OfAllCycles(const Cost &cost, const CycleLoad &load) noexcept {
    return static_cast<double>(load.cycles) * cost.constant + load.domain * cost.per_byte;
}

} // namespace

Prediction Predict(const Load &load, const Rates &rates, const Candidate &candidate) noexcept {
    const CycleLoad cycle = CycleOf(load, candidate);
    const Stages stages = StagesOf(cycle, rates, candidate);
    const Elapsed elapsed = ElapsedOf(cycle, stages, candidate, rates.progress.value);
    const Cost shuffle = InTurn({stages.prepare, stages.travel, stages.take});

    Prediction prediction;
    prediction.candidate = candidate;
    prediction.seconds = elapsed.seconds;
    prediction.shuffle = OfAllCycles(shuffle, cycle);
    prediction.write = OfAllCycles(stages.write, cycle);
    prediction.bound = elapsed.bound;
    prediction.guessed = shuffle.guessed || stages.write.guessed || stages.start.guessed;
    return prediction;
}

std::size_t BestOf(const std::vector<double> &seconds, std::size_t now, double worth_it) noexcept {
    const double best = *std::min_element(seconds.begin(), seconds.end());
    if (best >= worth_it * seconds[now]) {
        return now;
    }
    const auto as_good = [best](double one) { return one <= kAsGood * best; };
    return static_cast<std::size_t>(std::find_if(seconds.begin(), seconds.end(), as_good) - seconds.begin());
}

} // namespace overlap
