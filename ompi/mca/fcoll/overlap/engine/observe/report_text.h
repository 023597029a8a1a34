// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// A summary for people.
#ifndef OVERLAP_ENGINE_OBSERVE_REPORT_TEXT_H
#define OVERLAP_ENGINE_OBSERVE_REPORT_TEXT_H

#include "report_summary.h"

namespace overlap {

/// Lines of at most 80 columns, at most 40 of them, each with its end; of the file's name as much as fits. Throws
/// std::bad_alloc.
std::string TextOf(const Summary &summary);

} // namespace overlap

#endif
