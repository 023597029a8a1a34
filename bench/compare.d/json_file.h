// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// The file of --json.
#ifndef BENCH_COMPARE_JSON_FILE_H
#define BENCH_COMPARE_JSON_FILE_H

#include <nlohmann/json.hpp>

#include <string>

namespace compare {

/// Before anything is measured: a name that cannot be written to would cost all results. Throws Failure for it; nothing
/// happens for an empty name.
void CheckJsonFile(const std::string &path);

/// Replaces the file at once, so that what was in it is lost only for what takes its place. Throws Failure.
void WriteJson(const std::string &path, const nlohmann::ordered_json &json);

} // namespace compare

#endif
