// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#ifndef BENCH_COMMON_VERSION_H
#define BENCH_COMMON_VERSION_H

namespace bench {

/// "overlap" and the version that configure.ac has: what --version prints.
const char *Version();

} // namespace bench

#endif
