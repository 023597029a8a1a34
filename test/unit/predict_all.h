// Every candidate with its prediction: the one that is taken first, the others as they take longer.
#ifndef OVERLAP_TEST_PREDICT_ALL_H
#define OVERLAP_TEST_PREDICT_ALL_H

#include "bench/model/model.h"

#include <algorithm>
#include <vector>

namespace overlap::test {

inline std::vector<double> SecondsOf(const std::vector<Prediction> &all) {
    std::vector<double> seconds;
    for (const Prediction &one : all) {
        seconds.push_back(one.seconds);
    }
    return seconds;
}

/// In the order of `candidates`.
inline std::vector<Prediction> PredictEach(const Load &load, const Rates &rates, const std::vector<Candidate> &candidates) {
    std::vector<Prediction> all;
    for (const Candidate &candidate : candidates) {
        all.push_back(Predict(load, rates, candidate));
    }
    return all;
}

/// Needs a candidate.
inline std::vector<Prediction> PredictAll(const Load &load, const Rates &rates, const std::vector<Candidate> &candidates) {
    std::vector<Prediction> all = PredictEach(load, rates, candidates);
    const auto taken = all.begin() + static_cast<std::ptrdiff_t>(BestOf(SecondsOf(all), 0, 1));
    std::rotate(all.begin(), taken, taken + 1);
    std::stable_sort(all.begin() + 1, all.end(),
                     [](const Prediction &a, const Prediction &b) { return a.seconds < b.seconds; });
    return all;
}

} // namespace overlap::test

#endif
