// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// What the jobs run on: folders, an emulated cluster, an emulated storage server. All of it goes when its object goes.
#ifndef BENCH_COMPARE_TESTBED_H
#define BENCH_COMPARE_TESTBED_H

#include "jobs.h"
#include "options.h"
#include "process.h"

#include <memory>
#include <string>

namespace compare {

class Folder {
  public:
    /// A new folder in `parent`.
    explicit Folder(const std::string &parent);
    ~Folder();
    Folder(const Folder &) = delete;
    Folder &operator=(const Folder &) = delete;
    const std::string &path() const { return path_; }

  private:
    std::string path_;
};

/// A verb that sets something up and one that removes it, whatever the first one came to.
class SetUp {
  public:
    /// Throws Failure where `up` fails; with its exit code where that is 2 or 77.
    SetUp(const Words &up, Words down, std::string scratch);
    ~SetUp();
    SetUp(const SetUp &) = delete;
    SetUp &operator=(const SetUp &) = delete;

  private:
    void Remove();

    Words down_;
    std::string scratch_;
};

Words ClusterUp(const std::string &tools, const std::string &name, const ClusterOptions &cluster);
Words ClusterDown(const std::string &tools, const std::string &name);
Words StorageMount(const std::string &tools, const std::string &directory, const StorageOptions &storage);
Words StorageUmount(const std::string &tools, const std::string &directory);

/// Folders and commands that exist while jobs run.
struct Testbed {
    std::unique_ptr<Folder> file, memory;
    // The hosts go before the mount that processes on them may hold.
    std::unique_ptr<SetUp> storage, cluster;
    std::string target; // where the file goes
    Place place;
};

/// The folder, storage and cluster that the options ask for, into `testbed`, whose place.scratch is there already. Throws
/// Failure where one cannot be set up.
void Build(Testbed &testbed, const Options &options);

/// Whether the folder's files are in memory by themselves, so that a write to it is as fast as one can be.
bool OnTmpfs(const std::string &directory);

} // namespace compare

#endif
