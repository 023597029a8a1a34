// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// The text that says what a rank writes in the calls that it declares (overlap_declare.h).
#ifndef OVERLAP_ENGINE_STAGES_DECLARATION_H
#define OVERLAP_ENGINE_STAGES_DECLARATION_H

#include "../access/strided.h"

#include <vector>

namespace overlap {

constexpr std::size_t kMostDeclaredCalls = 4096;

/// Reads the layout of each call. Each ends with ";" and holds runs, separated by ",": OFFSET:LENGTH or
/// OFFSET:LENGTH:STRIDE:COUNT, in bytes of the file and in any order. A call without bytes is ";" alone. `layouts` then
/// ascend. False where the text is malformed; `layouts` has no meaning then. Throws std::bad_alloc, and std::range_error
/// where a call has too many bytes.
bool ParseLayouts(const char *text, std::vector<StridedList> &layouts);

} // namespace overlap

#endif
