// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// A summary for programs; report.schema.json beside the component says what its members are.
#ifndef OVERLAP_ENGINE_OBSERVE_REPORT_JSON_H
#define OVERLAP_ENGINE_OBSERVE_REPORT_JSON_H

#include "report_summary.h"

namespace overlap {

/// One line, with its end. Throws std::bad_alloc.
std::string JsonOf(const Summary &summary);

} // namespace overlap

#endif
