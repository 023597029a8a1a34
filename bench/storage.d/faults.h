// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#ifndef BENCH_STORAGE_FAULTS_H
#define BENCH_STORAGE_FAULTS_H

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>

#include "byte_ranges.h"

namespace storage {

struct FaultSetting {
    std::optional<std::int64_t> enospc_after; // the bytes for which there is room
    std::optional<std::int64_t> eio_at;       // no write that touches this offset of a file succeeds
    std::optional<std::int64_t> stall_after;  // bytes that are written before writes are held
    std::optional<std::int64_t> short_above;  // of a request of more bytes the first half is stored
    bool any() const { return enospc_after || eio_at || stall_after || short_above; }
};

/// As text: "enospc-after=N eio-at=N stall-after=N short-above=N", what is set of it, or "none".
std::string ToText(const FaultSetting &setting);
std::optional<FaultSetting> FaultsFromText(const std::string &text);

/// Decides what becomes of a write. Room is taken by bytes that were not there before, and given back when a file is cut or
/// removed, as on a disk: without that, a caller who writes again what it has written already would fail here and succeed
/// there.
class Faults {
  public:
    explicit Faults(const FaultSetting &setting) { Set(setting); }

    /// Replaces all faults, and counts from here. Writes that are held go on, under the new ones.
    void Set(const FaultSetting &setting);
    /// Ends a stall.
    void Release();

    struct Admission {
        int error;          // an errno, or 0
        std::int64_t bytes; // of the write, from its begin on, that are to be stored
        bool held;          // a stall held it
    };
    /// Of a write to the file whose bytes are `stored`. Returns late where a stall holds it.
    Admission Admit(ByteRanges &stored, std::int64_t offset, std::int64_t bytes);
    /// Of bytes that are to have room before they are written. False where it does not suffice, and none is taken. Waits for
    /// no stall, which holds writes.
    bool Reserve(ByteRanges &stored, std::int64_t offset, std::int64_t bytes);
    /// A file that is cut gives its room back.
    void Cut(ByteRanges &stored, std::int64_t size);
    /// What is there already takes no room.
    void Found(ByteRanges &stored, std::int64_t size);

    FaultSetting setting() const;
    /// The writes that a stall holds.
    int held() const;

  private:
    mutable std::mutex mutex_;
    std::condition_variable released_;
    FaultSetting setting_;
    std::int64_t room_ = 0;
    std::int64_t before_stall_ = 0; // bytes that are still let through
    std::int64_t releases_ = 0;
    int held_ = 0;
};

} // namespace storage

#endif
