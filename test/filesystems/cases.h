// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// The cases. In each, accesses of several ranks to the same bytes are apart by sync, barrier, sync, or by close and open, as
// MPI asks for; a rank sees its own bytes without that. What is wrong is in the file.
#ifndef TEST_FILESYSTEMS_CASES_H
#define TEST_FILESYSTEMS_CASES_H

#include "shared_file.h"

struct Case {
    const char *name;
    void (*run)(const Job &job, SharedFile &file);
};

/// Gaps that a collective write leaves, whose bytes are others'.
const std::vector<Case> &GapCases();
/// All others.
const std::vector<Case> &PlainCases();

#endif
