// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#ifndef BENCH_STORAGE_ATTRIBUTES_H
#define BENCH_STORAGE_ATTRIBUTES_H

namespace storage {

/// Extended attributes of the mounted folder, by which a live server is asked and told. The values are text.
inline constexpr const char *kFaultsAttribute = "user.overlap-storage.faults";   // read and set: ToText() of a FaultSetting
inline constexpr const char *kHeldAttribute = "user.overlap-storage.held";       // how many writes a stall holds
inline constexpr const char *kProcessAttribute = "user.overlap-storage.process"; // the server's number, for SIGUSR1
inline constexpr const char *kStatusAttribute = "user.overlap-storage.status";   // for people

} // namespace storage

#endif
