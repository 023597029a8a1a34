// What an election of all ranks comes to, worked out by one process that knows the whole communication matrix.
#ifndef BENCH_PLACEMENT_WHOLE_MATRIX_H
#define BENCH_PLACEMENT_WHOLE_MATRIX_H

#include "placement/placement.h"

namespace placement {

/// `rounds`, where it is not null, is how many reductions the ranks would need.
std::vector<overlap::Rank> ElectWithWholeMatrix(const overlap::PlacementProblem &problem, int domains,
                                                int *rounds = nullptr);

/// The same behind the interface of the other strategies.
std::unique_ptr<overlap::Placement> MakeTapiocaPlacement();

} // namespace placement

#endif
