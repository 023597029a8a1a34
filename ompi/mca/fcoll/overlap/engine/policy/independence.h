// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Whether each rank transfers its own bytes, without an aggregator.
#ifndef OVERLAP_ENGINE_POLICY_INDEPENDENCE_H
#define OVERLAP_ENGINE_POLICY_INDEPENDENCE_H

#include "../access/strided.h"
#include "../base/settings.h"
#include "../ports.h"

namespace overlap {

enum class Independence { kNo, kWhereDisjoint, kAlways };

/// Of one rank: its bytes take no more calls, or only long ones, where they go straight between its memory and the file.
bool GoesStraight(const StridedList &file, const StridedList &memory);

/// Of one of `ranks`, which has data: it is as fast by itself where that goes between its memory and a page cache.
bool IsAsFastAlone(const StridedList &file, const StridedList &memory, int ranks);

/// The same on all ranks. `as_fast`: each of them is as fast alone; `asked`: the settings as the user has them; `rules`: a
/// site has some.
Independence ChooseIndependence(overlap_direction direction, const overlap_settings &asked, bool as_fast, bool rules,
                                const overlap_file_facts &facts, int nodes);

} // namespace overlap

#endif
