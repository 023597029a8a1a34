// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// The storage port over a real, empty file, for the writers that go past the fake cluster's: POSIX functions only.
#ifndef TEST_UNIT_REAL_FILE_H
#define TEST_UNIT_REAL_FILE_H

#include "io/io_engine.h"

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <functional>
#include <mutex>
#include <string>
#include <sys/resource.h>
#include <vector>

namespace overlap::test {

/// A folder that is not in memory.
inline std::string Disk() {
    const char *const folder = std::getenv("TMPDIR");
    return folder != nullptr ? folder : "/var/tmp";
}

/// While it lives no file grows beyond so many bytes.
class FileSizeLimit {
  public:
    explicit FileSizeLimit(std::size_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
        getrlimit(RLIMIT_FSIZE, &before_);
        const rlimit low{bytes, before_.rlim_max};
        setrlimit(RLIMIT_FSIZE, &low);
    }
    ~FileSizeLimit() {
        setrlimit(RLIMIT_FSIZE, &before_);
        std::signal(SIGXFSZ, handler_);
    }
    FileSizeLimit(const FileSizeLimit &) = delete;
    FileSizeLimit &operator=(const FileSizeLimit &) = delete;

  private:
    void (*const handler_)(int);
    rlimit before_{};
};

/// Extents of `length` bytes whose starts are `stride` apart; their bytes lie one behind the other.
inline Extents Strided(std::size_t count, std::size_t length, std::int64_t stride, std::vector<char> &memory,
                       std::int64_t start = 0) {
    memory.assign(count * length, 'd');
    Extents extents;
    for (std::size_t i = 0; i < count; ++i) {
        extents.push_back(overlap_extent{start + static_cast<std::int64_t>(i) * stride, memory.data() + i * length, length});
    }
    return extents;
}

class RealFile {
  public:
    /// Makes a file in the folder; it goes with the object.
    explicit RealFile(const std::string &folder);
    /// Opens the file of another one again.
    explicit RealFile(RealFile &other);
    ~RealFile();
    RealFile(const RealFile &) = delete;
    RealFile &operator=(const RealFile &) = delete;

    IoPorts ports() { return IoPorts{storage, transport, host, patience}; }
    /// One that is prepared.
    std::shared_ptr<IoEngine> Engine(overlap_writer writer, std::size_t requests, std::size_t extents,
                                     const WriteRule &rule = WriteRule()) {
        auto engine = MakeIoEngine(writer, ports(), MakeThreadEngine(ports()));
        engine->SetRule(rule);
        engine->Prepare(requests, extents);
        return engine;
    }
    const std::string &path() const { return path_; }
    std::string Content() const;

    overlap_storage storage{};
    overlap_transport transport{};
    overlap_host host{};
    LockPatience patience;

    bool locks = false; // what posix_locks answers
    std::vector<overlap_warning> warnings;
    std::vector<std::string> lines; // what was explained
    std::vector<int> numbers;       // errnos that came to posix_error
    std::size_t ordinary_bytes = 0; // written by posix_transfer; read it where no write is under way
    int progressed = 0;
    std::function<void()> on_progress;
    std::atomic<int> locks_taken{0};
    std::atomic<int> locks_held{0};
    std::atomic<std::int64_t> longest_lock{0}; // bytes

  private:
    static int Write(void *self, const overlap_extent *extents, std::size_t count, std::size_t *written);
    static int Transfer(void *self, overlap_direction direction, const overlap_extent *extents, std::size_t count,
                        std::size_t *done);
    static int Lock(void *self, std::int64_t offset, std::int64_t length, int *held);
    static void Unlock(void *self, std::int64_t offset, std::int64_t length);
    static int Descriptors(void *self, overlap_descriptors *descriptors);

    void FillIn();

    std::mutex told_; // several ranks of a fake cluster may share the file
    std::string path_;
    bool owned_ = true; // the file goes with this object
    int descriptor_;
};

} // namespace overlap::test

#endif
