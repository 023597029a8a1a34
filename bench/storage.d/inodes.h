// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#ifndef BENCH_STORAGE_INODES_H
#define BENCH_STORAGE_INODES_H

#include <sys/stat.h>

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <utility>

#include "byte_ranges.h"

namespace storage {

/// A file or folder of the backing folder that the kernel knows.
class Inode {
  public:
    explicit Inode(int descriptor) : descriptor_(descriptor) {}
    ~Inode();
    Inode(const Inode &) = delete;
    Inode &operator=(const Inode &) = delete;

    /// Opened with O_PATH, so that neither a rename nor an unlink loses it.
    int descriptor() const { return descriptor_; }
    /// By which it can be opened anew.
    std::string path() const { return "/proc/self/fd/" + std::to_string(descriptor_); }

    ByteRanges stored; // guarded by Faults

  private:
    int descriptor_;
};

/// What the kernel knows, by the number under which it does.
class Inodes {
  public:
    /// `root` becomes FUSE_ROOT_ID.
    explicit Inodes(int root);

    /// Null where there is none.
    std::shared_ptr<Inode> Find(std::uint64_t number) const;
    /// Of the file with these attributes, null where the kernel does not know it.
    std::shared_ptr<Inode> Find(const struct stat &attributes) const;

    struct Looked {
        std::uint64_t number;
        std::shared_ptr<Inode> inode;
        bool fresh;
    };
    /// One more look-up of the file, which the kernel takes back by Forget. Takes the descriptor.
    Looked Look(int descriptor, const struct stat &attributes);
    void Forget(std::uint64_t number, std::uint64_t lookups);

  private:
    using Key = std::pair<dev_t, ino_t>;
    struct Entry {
        std::shared_ptr<Inode> inode;
        Key key;
        std::uint64_t lookups;
    };
    mutable std::mutex mutex_;
    std::unordered_map<std::uint64_t, Entry> entries_;
    std::map<Key, std::uint64_t> numbers_;
    std::uint64_t last_number_;
};

} // namespace storage

#endif
