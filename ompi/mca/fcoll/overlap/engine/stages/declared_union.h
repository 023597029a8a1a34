// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Several accesses of a rank as one.
#ifndef OVERLAP_ENGINE_STAGES_DECLARED_UNION_H
#define OVERLAP_ENGINE_STAGES_DECLARED_UNION_H

#include "../access/access.h"

#include <vector>

namespace overlap {

/// The bytes of all of them in the order of the file; where two name the same byte of it the later one's is kept. Each is
/// ascending. Time: a look at each of them where they lie one behind the other, else one at each block; what overlaps takes
/// a sorted list of all blocks as well. Throws std::bad_alloc, std::range_error where all are too many bytes.
Access Merged(const std::vector<const Access *> &accesses);

} // namespace overlap

#endif
