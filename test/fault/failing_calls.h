// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Calls of the component that fail on request.
#ifndef TEST_FAULT_FAILING_CALLS_H
#define TEST_FAULT_FAILING_CALLS_H

#include <cstddef>
#include <cstdint>

enum Fail { kFailNothing = 0, kFailDatatype, kFailMemory, kFailStart };

extern "C" {
/// From now on counts the component's calls of a kind and lets number `call`, from 0, fail; none where it is negative. Of a
/// start the next ones fail as well.
void FailCall(int kind, long call);
/// Lets all of them succeed again. Returns how many there were.
long FailNoCall();
}

#endif
