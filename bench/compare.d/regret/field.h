// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Who runs in every condition: the default, the fixed settings that it is measured by, and others.
#ifndef BENCH_COMPARE_REGRET_FIELD_H
#define BENCH_COMPARE_REGRET_FIELD_H

#include "../installation.h"
#include "options.h"

#include <map>
#include <string>

namespace compare {

enum class Part { kDefault, kSetting, kOther };

/// As the JSON has it.
const char *Name(Part part);

struct Field {
    Words contenders;                  // specifications
    std::map<std::string, Part> parts; // of labels
};

/// Every algorithm with every shuffle that this Open MPI's overlap knows, but for "auto", which is no fixed setting; labels
/// are ALGORITHM/SHUFFLE.
Words AllSettings(const Installation &installation);

/// Throws std::invalid_argument for wrong specifications and for labels that are there twice.
Field FieldOf(const RegretOptions &options, const Installation &installation);

} // namespace compare

#endif
