// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// The standard cases: what a job writes or reads, and on how many ranks and where it runs. One table for bench/against and
// bench/never-slower.
#ifndef BENCH_AGAINST_CASES_H
#define BENCH_AGAINST_CASES_H

#include "../compare.d/options.h"

#include <string>
#include <vector>

namespace against {

using compare::Words;

/// Which of overlap-bench's times counts.
enum class Part { kCalls, kOpenClose, kAll };

struct Case {
    std::string name;
    Words kernel; // overlap-bench's words, without the file
    int repetitions = 3;
    int warm_ups = 1;
    Part part = Part::kCalls;

    bool reads() const;
    bool nonblocking() const;
    /// What only MPI-IO does: reads, nonblocking calls, several communicators.
    bool only_mpiio() const;
};

struct Setting {
    int ranks = 0;
    std::string place;     // tmpfs, ext4, cluster
    std::string directory; // of the file
    std::vector<Case> cases = {};
    int hosts = 1; // of the emulated cluster
};

/// Of bench/against: every case on every setting that `wanted` names, the usual ones where it is empty: NAME, or
/// NAME:RANKS:PLACE. Throws std::invalid_argument where a word names nothing.
std::vector<Setting> SettingsOf(const Words &wanted, bool cluster);

/// Of bench/never-slower: those whose full name has the regular expression `only`. Throws std::invalid_argument where none
/// has, or where it is none.
std::vector<Setting> WatchedSettings(const std::string &only);

std::string FullName(const Case &one, const Setting &setting);

} // namespace against

#endif
