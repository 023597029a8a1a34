// With which part of its data each domain begins.
#ifndef OVERLAP_ENGINE_PLAN_FIRST_PARTS_H
#define OVERLAP_ENGINE_PLAN_FIRST_PARTS_H

#include "plan.h"

namespace overlap {

/// The first of the parts in which the ranks of the aggregator's own node have the most bytes. Where the blocks of a file
/// go round the nodes, every domain would else begin with the blocks of the same node, and go on with those of the next:
/// that node would send to all aggregators at once, while the others wait. So each aggregator begins at home, and takes the
/// other nodes in turn. 0 where all parts are alike. Of a domain with very many parts a sample is looked at. Needs: the
/// domain begins with its first part.
Cycle FirstPart(const OwnedDomain &domain, const int *node_of_rank, Rank aggregator);

} // namespace overlap

#endif
