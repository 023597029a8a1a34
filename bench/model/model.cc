// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "model.h"

namespace overlap {
namespace {

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

} // namespace overlap
