// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// What two ranks of one node share.
#ifndef OVERLAP_ENGINE_PLACEMENT_TOPOLOGY_INTRA_NODE_H
#define OVERLAP_ENGINE_PLACEMENT_TOPOLOGY_INTRA_NODE_H

#include "../../base/types.h"

#include <string>
#include <vector>

namespace overlap {

/// The deepest object that holds both ranks, from the outermost inwards.
enum class CommonObject { kMachine = 0, kPackage, kNuma, kL3, kL2, kCore };

/// 1 for the machine, less for each level that is shared below it, above 0.
double DistanceOf(CommonObject object);

/// From a locality string of each rank, as Open MPI keeps it: "NM0:SK0:L30:L20:L10:CR0:HT0-1", a kind and the numbers of the
/// objects on which the rank may run. What is unknown or has no number is shared by nobody; an empty string shares the
/// machine only.
class IntraNode {
  public:
    explicit IntraNode(const std::vector<std::string> &locality_of_rank);

    /// Of two ranks of the same node.
    CommonObject DeepestCommon(Rank a, Rank b) const;

  private:
    struct Place {
        std::vector<std::vector<int>> objects; // ascending, of each CommonObject
    };
    static Place Parse(const std::string &locality);

    std::vector<Place> places_;
};

} // namespace overlap

#endif
