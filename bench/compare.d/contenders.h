// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Who competes: specifications from the command line, and the MCA parameters that they mean.
#ifndef BENCH_COMPARE_CONTENDERS_H
#define BENCH_COMPARE_CONTENDERS_H

#include "installation.h"
#include "process.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace compare {

struct Contender {
    std::string label;
    std::string component; // an fcoll component, romio or gio
    std::vector<std::pair<std::string, std::string>> parameters;

    bool plain(const std::string &name) const { return component == name && parameters.empty(); }
    /// overlap's schedule without overlap and nothing else changed, the baseline of the overlap efficiency.
    bool baseline() const;
    /// overlap with any other schedule, its default included.
    bool overlaps() const;
};

/// The words of an option that takes a list with commas or spaces and may be repeated.
Words SplitList(const Words &values);

/// LABEL=COMPONENT:NAME=VALUE:... Throws std::invalid_argument, also for a label that is there twice.
std::vector<Contender> ParseContenders(const Words &specifications);

/// Those of a comparison that names none. `gio`: as in Options.
Words UsualContenders(int openmpi, const std::string &gio);

/// Of those the ones that are not overlap.
Words OtherContenders(int openmpi, const std::string &gio);

/// overlap with algorithm none.
Contender Baseline();

/// Why the contender cannot run with this Open MPI, nothing if it can.
std::optional<std::string> Missing(const Contender &contender, const Installation &installation, const std::string &gio);

/// Why the contender has no nonblocking collective calls, nothing if it has.
std::optional<std::string> MissingNonblocking(const Contender &contender);

/// mpirun's arguments. Throws std::invalid_argument for a parameter, or a value of an enumeration, that this Open MPI does
/// not know: it would ignore it, and another configuration would be measured than the one that is reported.
Words McaArguments(const Contender &contender, const Installation &installation);

/// overlap-bench's arguments.
Words BenchArguments(const Contender &contender);

} // namespace compare

#endif
