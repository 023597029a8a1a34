// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// How far the bytes of a plan are sent.
#ifndef OVERLAP_ENGINE_PLAN_TRAFFIC_H
#define OVERLAP_ENGINE_PLAN_TRAFFIC_H

#include "plan.h"

namespace overlap {

/// Bytes of one rank in a call.
struct Traffic {
    ByteCount to_self = 0; // of its own, where it is their aggregator
    ByteCount to_node = 0; // to other ranks of its node
    ByteCount to_network = 0;
    ByteCount from_network = 0; // of others, of which it is the aggregator
};

/// Of rank `own`; of a read the same bytes go the other way.
Traffic TrafficOf(const Plan &plan, const NodeMap &nodes, Rank own);

} // namespace overlap

#endif
