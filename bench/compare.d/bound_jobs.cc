// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "bound_jobs.h"

#include "contenders.h"

#include <algorithm>
#include <memory>
#include <set>
#include <string>
#include <utility>

namespace compare {
namespace {

// The schedules that do nothing but shuffle where a write takes no time: `none` one cycle after the other, the other two
// with several under way, which is faster where a cycle alone does not fill the network.
const char *const kShuffles[] = {"none", "comm", "dataflow"};

void AddBound(Comparison &comparison, Role role, Contender contender, const std::string &label, const Job &job) {
    Entry entry;
    entry.role = role;
    entry.contender = std::move(contender);
    entry.contender.label = label;
    entry.job = job;
    // overlap-bench has nothing to compare a file with that was not written by the kernel's ranks.
    entry.verify = role != Role::kWrite;
    comparison.entries.push_back(entry);
}

void AddShuffles(Comparison &comparison, const Installation &installation, const std::string &memory) {
    const std::set<std::string> &known = installation.Enumerators("fcoll_overlap_algorithm");
    for (const std::string schedule : kShuffles) {
        if (known.empty() || known.count(schedule) != 0) {
            const Contender contender = ParseContenders({"overlap:algorithm=" + schedule}).front();
            const Job job{McaArguments(contender, installation), {}, memory};
            AddBound(comparison, Role::kComm, contender, "T_comm " + schedule, job);
        }
    }
}

} // namespace

void AddBounds(Comparison &comparison, const Installation &installation, Testbed &testbed) {
    if (const auto missing = Missing(Baseline(), installation, comparison.options.gio)) {
        comparison.left_out.push_back({"the bounds", *missing});
        comparison.options.bounds = false;
        return;
    }
    const Words mca = McaArguments(Baseline(), installation);
    const auto is_baseline = [](const Entry &entry) { return entry.contender.baseline(); };
    if (std::none_of(comparison.entries.begin(), comparison.entries.end(), is_baseline)) {
        AddBound(comparison, Role::kNone, Baseline(), "T_none", Job{mca, {}, testbed.target});
    }
    comparison.comm_is_none = !comparison.options.storage && OnTmpfs(testbed.target);
    if (!comparison.comm_is_none) {
        testbed.memory = std::make_unique<Folder>("/dev/shm");
        AddShuffles(comparison, installation, testbed.memory->path());
    }
    AddBound(comparison, Role::kWrite, Baseline(), "T_write", Job{mca, {"--only-write"}, testbed.target});
}

} // namespace compare
