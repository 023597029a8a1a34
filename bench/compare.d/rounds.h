// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// The measuring: rounds in which everybody has one turn, in an order that is drawn anew each time, so that a change of the
// machine's pace meets all of them.
#ifndef BENCH_COMPARE_ROUNDS_H
#define BENCH_COMPARE_ROUNDS_H

#include "contenders.h"
#include "jobs.h"
#include "statistics.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace compare {

enum class Role {
    kContender,
    kNone,  // the baseline, where it is no contender
    kComm,  // the shuffle: a schedule with a file in memory
    kWrite, // the aggregators' writes alone
};

struct Entry {
    Role role = Role::kContender;
    Contender contender;
    Job job;
    bool verify = true;
    bool may_drop = false; // where it is much slower than others of this kind, see Options::drop_above
    bool dropped = false;
    std::vector<Measured> runs;       // of the rounds that count, further ones as well
    std::vector<int> rounds;          // their numbers
    std::optional<Measured> first;    // of the round that does not count
    std::optional<Failed> wrong_file; // with --keep-wrong: what verification found, all else is measured
    std::optional<Failed> failed;
};

/// Of the rounds that count; nothing where the entry failed or was dropped.
std::optional<Summary> SummaryOf(const Entry &entry);

/// Labels in the order in which they ran, per round.
using Order = std::vector<Words>;

/// One round that does not count, in which files are verified, then those that do. Who fails or is dropped has no more
/// turns. Progress goes to standard error.
Order RunRounds(std::vector<Entry> &entries, const Options &options, const Place &place);

/// After RunRounds a further round that counts, of the entries at the positions `chosen` but those that have failed; none
/// was dropped. `more` is its number, from 1 to Options::settle; seed and number decide the order.
void RunAgain(std::vector<Entry> &entries, const std::vector<std::size_t> &chosen, int more, const Options &options,
              const Place &place);

} // namespace compare

#endif
