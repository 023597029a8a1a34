// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "version.h"

namespace bench {

const char *Version() { return "overlap " OVERLAP_VERSION; }

} // namespace bench
