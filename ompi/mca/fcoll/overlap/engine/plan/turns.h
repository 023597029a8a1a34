// With which part of its data each domain begins.
#ifndef OVERLAP_ENGINE_PLAN_TURNS_H
#define OVERLAP_ENGINE_PLAN_TURNS_H

#include "../status.h"
#include "plan.h"

namespace overlap {

/// The first of the cycles in which the ranks of the aggregator's own node have the most bytes. Where the blocks of a file
/// go round the nodes, every domain would else begin with the blocks of the same node, and go on with those of the next:
/// that node would send to all aggregators at once, while the others wait. So each aggregator begins at home, and takes the
/// other nodes in turn. 0 where all cycles are alike. Needs: the domain begins with its first part.
Cycle FirstPart(const OwnedDomain &domain, const int *node_of_rank, Rank aggregator);

/// Chooses the first part of each domain and tells all ranks; sets it in the owned domains and returns it for every domain,
/// from which the clients' cuts are set. Collective; all ranks return the same error.
Status AgreeOnFirstParts(const overlap_transport &transport, Plan &plan, std::vector<std::int64_t> &first_parts);

} // namespace overlap

#endif
