// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Collective writes in which one thing fails: each thing, on each rank, in the first write and in one that uses the plan
// again.
#ifndef TEST_UNIT_FAULT_SWEEP_H
#define TEST_UNIT_FAULT_SWEEP_H

#include "write_cases.h"

#include <iosfwd>
#include <string>
#include <vector>

namespace overlap::test {

struct SweepCase {
    enum Data { kDense = 0, kListedGaps, kSievedGaps, kOverlap, kScattered, kScatteredOverlap, kDevice, kDataKinds };

    overlap_algorithm algorithm;
    overlap_shuffle shuffle;
    overlap_writer writer;
    Data data;
    overlap_placement placement;
    int ranks;
    int throttle = 64;
    overlap_node_merge node_merge = OVERLAP_NODE_MERGE_OFF;
    bool one_cycle = false; // else there are several
    const char *config_list = "";
};

std::string NameOf(const SweepCase &one);
std::ostream &operator<<(std::ostream &out, const SweepCase &one);

/// A failure, and the write of the file that it comes to pass in.
struct FaultPoint {
    int write = 0; ///< 0: makes the plan, 1: uses it again
    Failure failure;
};

/// As the environment variable OVERLAP_FAULT takes it: "write,kind,rank,number,share,lasting".
std::string NameOf(const FaultPoint &point);

/// What happens in each write of the case where nothing fails, as failures that can be armed: each thing of each rank once,
/// those of which a share may come through once for each share; then memory that does not come back.
std::vector<FaultPoint> PointsOf(const SweepCase &one);

/// Writes a file three times, of which one meets the failure. Returns what is wrong then, a word and more about it behind a
/// colon; empty where nothing is. `came_to_pass`: the failure has.
std::string ProblemWith(const SweepCase &one, const FaultPoint &point, bool &came_to_pass);

} // namespace overlap::test

#endif
