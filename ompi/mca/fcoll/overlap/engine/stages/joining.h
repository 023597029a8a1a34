// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Pending calls of a file that are done as one.
#ifndef OVERLAP_ENGINE_STAGES_JOINING_H
#define OVERLAP_ENGINE_STAGES_JOINING_H

#include "../access/access.h"
#include "../team/team.h"

namespace overlap {

inline constexpr std::size_t kMostJoined = OVERLAP_PENDING_MAX;

/// Collective: how many of the pending calls, from the first, all ranks do as one. All ranks have the first; of the others
/// they may know of more or fewer. Calls are joined that lie one behind the other in the file, so that no byte is written by
/// two, in a range of at most `room` bytes of which their own ranges fill half or more, as it is cut into domains.
///
/// Joins none where a rank lacks the memory to look. All ranks return the same error.
Status AgreeOnJoining(const Team &team, overlap_direction direction, const Request &pending, ByteCount room,
                      std::size_t &joined) noexcept;

} // namespace overlap

#endif
