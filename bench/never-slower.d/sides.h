// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
// Who takes part in bench/never-slower.
#ifndef BENCH_NEVER_SLOWER_SIDES_H
#define BENCH_NEVER_SLOWER_SIDES_H

#include "../against.d/trial.h"
#include "../compare.d/contenders.h"

#include <string>
#include <vector>

namespace never_slower {

/// overlap with nothing set comes first; behind it its other settings, vulcan, ROMIO and GIO, those that are there.
std::vector<compare::Contender> Contenders(const compare::Installation &installation, const std::string &gio);

against::Side MakeSide(const compare::Contender &contender, const compare::Installation &installation,
                       const std::string &component_path);

/// Why the contender has no turn in the case, empty if it has.
std::string LeftOut(const compare::Contender &contender, const against::Case &one);

/// The round that does not count. Out of the rounds behind it is who fails, or takes more than 1.5 times as long as the
/// fastest.
void TryAll(const std::vector<compare::Contender> &contenders, const std::vector<against::Side> &sides,
            against::Trial &trial, const against::Programs &programs);

/// Makes the fastest of the others the base of each case, overlap itself where there is none. The bytes of both are
/// verified: who writes or reads wrong ones has failed, and the next one takes its place.
void ChooseBest(const std::vector<against::Side> &sides, against::Trial &trial, const against::Programs &programs);

} // namespace never_slower

#endif
