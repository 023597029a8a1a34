// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// The job that the options describe: its ranks on their nodes in their network, and what they write.
#ifndef BENCH_PLACEMENT_JOB_H
#define BENCH_PLACEMENT_JOB_H

#include "link_load.h"
#include "options.h"

#include "placement/placement.h"

namespace placement {

struct Job {
    std::shared_ptr<const bench::WiredNetwork> network;
    std::unique_ptr<overlap::Topology> topology; // of that network
    overlap::CommunicationMatrix matrix;
    overlap::PlacementProblem problem; // refers to the above

    Job() = default;
    Job(const Job &) = delete;
};

/// Throws std::invalid_argument with a sentence for the user.
std::unique_ptr<Job> MakeJob(const Options &options);

/// What a strategy answers and what that costs.
struct Result {
    std::string strategy;
    std::vector<Rank> aggregators; // of each domain
    double hop_bytes = 0;
    LinkLoad load;
    double seconds = 0; // to find the placement
};

Result Evaluate(const Job &job, const std::string &strategy);

} // namespace placement

#endif
