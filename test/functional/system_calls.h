// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// What the processes of a test ask of the kernel: how often they write, and which locks of a file they ask for. A program
// with system_calls.cc needs the linker's -rdynamic: Open MPI's components then call this fcntl.
#ifndef TEST_FUNCTIONAL_SYSTEM_CALLS_H
#define TEST_FUNCTIONAL_SYSTEM_CALLS_H

#include <string>

/// The calls of this process since WatchLocks, from any thread.
struct LockCalls {
    long granted = 0;
    long refused = 0;
    long unlocks = 0;
    long long largest = 0; // bytes that a lock spans; one without an end counts as LLONG_MAX
    long calls() const { return granted + refused + unlocks; }
};

/// Counts the lock calls of this file, told by device and inode, from zero.
void WatchLocks(const std::string &path);
LockCalls CountedLocks();

/// The write calls of all threads of this process so far (proc(5), "syscw"); -1 where the kernel does not count them.
long WriteCalls();

/// Locks all of the open file for the process, or for the open file. Not counted. `type` as in struct flock.
bool LockAll(int file, short type, bool for_open_file);

/// Whether anybody has a lock of any part of the file, this process included.
bool IsLocked(const std::string &path);

/// The value of an MCA parameter that mpirun was given, "" where it was given none.
std::string ParameterGiven(const char *name);

#endif
