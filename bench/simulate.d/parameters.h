// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// The engine's parameters by name, as the component has them.
#ifndef BENCH_SIMULATE_PARAMETERS_H
#define BENCH_SIMULATE_PARAMETERS_H

#include "base/settings.h"

#include <string>

namespace simulate {

overlap_settings DefaultSettings();

/// "slots=8"; names of values or their numbers. Throws std::invalid_argument.
void Set(overlap_settings &settings, const std::string &assignment);

} // namespace simulate

#endif
