// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// With which part of its data each domain begins.
#ifndef OVERLAP_ENGINE_PLAN_FIRST_PARTS_H
#define OVERLAP_ENGINE_PLAN_FIRST_PARTS_H

#include "plan.h"

namespace overlap {

/// The first of the parts in which the ranks of the aggregator's own node have the most bytes. Where the blocks of a file
/// go round the nodes, every domain would else begin with the blocks of the same node, and continue with those of the next:
/// that node would send to all aggregators at once, while the others wait. So each aggregator begins at home, and takes the
/// other nodes in turn. Of a domain with very many parts a sample is looked at. Needs: the domain begins with its first
/// part.
///
/// Where all parts are alike it is 0, or the last one of the domain that `ends_file`: kernels write to a file one after the
/// other where that makes it longer, so the file gets its length with a single write.
Cycle FirstPart(const OwnedDomain &domain, const NodeMap &nodes, Rank aggregator, bool ends_file);

} // namespace overlap

#endif
