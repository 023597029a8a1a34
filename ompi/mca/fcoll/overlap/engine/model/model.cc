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

std::vector<Prediction> PredictAll(const Load &load, const Rates &rates, const std::vector<Candidate> &candidates) {
    std::vector<Prediction> all;
    all.reserve(candidates.size());
    for (const Candidate &candidate : candidates) {
        all.push_back(Predict(load, rates, candidate));
    }
    const auto faster = [](const Prediction &a, const Prediction &b) { return a.seconds < b.seconds; };
    const auto best = std::min_element(all.begin(), all.end(), faster);
    if (best != all.end()) {
        const double as_good = best->seconds * kAsGood;
        const auto others = std::stable_partition(all.begin(), all.end(),
                                                  [as_good](const Prediction &one) { return one.seconds <= as_good; });
        std::stable_sort(others, all.end(), faster);
    }
    return all;
}

} // namespace overlap
