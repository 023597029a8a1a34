// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// A folder mounted by bench/storage, as the tests of faults use it; the names of its attributes are in
// bench/storage.d/attributes.h.
#ifndef TEST_FAULT_STORAGE_FAULT_H
#define TEST_FAULT_STORAGE_FAULT_H

#include <string>
#include <thread>

/// Replaces the faults: "enospc-after=N", "eio-at=N", "stall-after=N" or "none". Returns whether that was possible.
bool SetFault(const std::string &directory, const std::string &fault);

/// Lets writes go on half a second after the first one is held.
class StallRelease {
  public:
    explicit StallRelease(const std::string &directory) : thread_([this, directory] { Run(directory); }) {}
    ~StallRelease() { Join(); }
    StallRelease(const StallRelease &) = delete;
    StallRelease &operator=(const StallRelease &) = delete;

    /// Waits for the end of it. Whether a write was held.
    bool Join();

  private:
    void Run(const std::string &directory);

    bool held_ = false;
    std::thread thread_; // the last member: it begins with the others in place
};

#endif
