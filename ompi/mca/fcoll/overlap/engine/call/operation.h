// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// What an observer learns of the shuffle or the file access of a cycle.
#ifndef OVERLAP_ENGINE_CALL_OPERATION_H
#define OVERLAP_ENGINE_CALL_OPERATION_H

#include "../observe/observer.h"
#include "../plan/plan.h"

namespace overlap {

/// Fills in bytes, offset, peers and plan of an operation, whose activity and cycle are set. The plan lies `distance`
/// further on in the file. Time grows with this rank's shares and clients: for who looks.
void DescribeOperation(const Plan &plan, std::int64_t distance, Stamp &stamp) noexcept;

} // namespace overlap

#endif
