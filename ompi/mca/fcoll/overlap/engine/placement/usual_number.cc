#include "usual_number.h"

#include <algorithm>

namespace overlap {
namespace {

// Where one node holds all ranks no NIC limits an aggregator, only the core that copies for it: a second one still adds
// speed where another core is free (bench/RESULTS.md).
constexpr int kAggregatorsOfASingleNode = 2;

} // namespace

int UsualDomainLimit(const PlacementProblem &problem) {
    const int nodes = problem.nodes.nodes();
    const int chosen = nodes > 1 ? nodes : kAggregatorsOfASingleNode;
    return std::clamp(problem.requested > 0 ? problem.requested : chosen, 1, std::max(1, Capacity(problem)));
}

} // namespace overlap
