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

/// Collective: how many of the calls that are pending on this rank, in their order and from the first, all ranks do as one.
/// All of them have the first; of the others ranks may know of more or fewer. Calls are joined that lie one behind the other
/// in the file, whatever rank their bytes are of, so that no byte is written by two; whose ranges fill at least
/// half of that in which they lie, as it is cut into domains; and that have no more than `room` bytes of it. A single call
/// goes as it is.
///
/// Takes memory where there is more than one, and joins none where it lacks that. All ranks return the same error.
Status AgreeOnJoining(const Team &team, overlap_direction direction, const Request &pending, ByteCount room,
                      std::size_t &joined) noexcept;

} // namespace overlap

#endif
