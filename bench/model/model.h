// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// How long a collective write will take, by what is chosen for it: no clock, no message, no file. The cost of a schedule
// comes from the cost of its parts, as that of a protocol does in openucx (ucx, src/ucp/proto).
//
//   load      what there is to move                      load.h
//   rates     how fast the machine is                    rates.h
//   candidate what may be chosen                         candidate.h
//   stages    what the parts of a cycle cost             stages.h, of cost.h
//   elapsed   what a schedule makes of them              elapsed.h
//
// loggp.h is the paper's own model of a shuffle without overlap, with which the parts are compared.
#ifndef OVERLAP_BENCH_MODEL_MODEL_H
#define OVERLAP_BENCH_MODEL_MODEL_H

#include "candidate.h"
#include "elapsed.h"
#include "load.h"
#include "rates.h"

namespace overlap {

struct Prediction {
    Candidate candidate;
    double seconds = 0;          // of the call
    double shuffle = 0;          // of its shuffles, one after the other
    double write = 0;            // of its writes, likewise
    Bound bound = Bound::kTurns; // what holds up most of its cycles
    bool guessed = false;        // a rate that nobody measured is a part of it
};

Prediction Predict(const Load &load, const Rates &rates, const Candidate &candidate) noexcept;

} // namespace overlap

#endif
