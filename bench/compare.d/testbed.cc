// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "testbed.h"

#include "failure.h"

#include <linux/magic.h>
#include <stdlib.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <iostream>
#include <system_error>

namespace compare {
namespace {

void PrintEnd(const std::string &scratch) {
    for (const std::string &line : LastLines(scratch, 20)) {
        std::cerr << line << "\n";
    }
}

} // namespace

Folder::Folder(const std::string &parent) : path_(parent + "/overlap-compare.XXXXXX") {
    if (mkdtemp(path_.data()) == nullptr) {
        throw Failure(2, "no folder can be made in " + parent + ": " + std::system_category().message(errno));
    }
}

Folder::~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
}

SetUp::SetUp(const Words &up, Words down, std::string scratch) : down_(std::move(down)), scratch_(std::move(scratch)) {
    int code = 0;
    try {
        code = Run(up, scratch_);
    } catch (const Interrupted &) {
        Remove();
        throw;
    }
    if (code != 0) {
        PrintEnd(scratch_);
        Remove();
        throw Failure(code == 77 || code == 2 ? code : 1, Quoted(up) + " ended with exit code " + std::to_string(code));
    }
}

SetUp::~SetUp() { Remove(); }

void SetUp::Remove() {
    if (const int code = RunToEnd(down_, scratch_); code != 0) {
        PrintEnd(scratch_);
        std::cerr << "compare: " << Quoted(down_) << " ended with exit code " << code << "; something may be left behind\n";
    }
}

Words ClusterUp(const std::string &tools, const std::string &name, const ClusterOptions &cluster) {
    Words up = {tools + "/cluster",          "--name", name, "up", "--hosts", std::to_string(cluster.hosts), "--mbit",
                std::to_string(cluster.mbit)};
    if (cluster.switches > 0) {
        up.insert(up.end(),
                  {"--switches", std::to_string(cluster.switches), "--uplink-mbit", std::to_string(cluster.uplink_mbit)});
    }
    return up;
}

Words ClusterDown(const std::string &tools, const std::string &name) { return {tools + "/cluster", "--name", name, "down"}; }

Words StorageMount(const std::string &tools, const std::string &directory, const StorageOptions &storage) {
    Words mount = {tools + "/storage", "mount", directory, "--mbps", storage.mbps};
    const std::pair<const char *, const std::string &> optional[] = {
        {"--latency-ms", storage.latency_ms}, {"--stripes", storage.stripes}, {"--stripe-size", storage.stripe_size}};
    for (const auto &[name, value] : optional) {
        if (!value.empty()) {
            mount.insert(mount.end(), {name, value});
        }
    }
    return mount;
}

Words StorageUmount(const std::string &tools, const std::string &directory) {
    return {tools + "/storage", "umount", directory};
}

void Build(Testbed &testbed, const Options &options) {
    testbed.file = std::make_unique<Folder>(options.directory);
    testbed.target = testbed.file->path() + "/target";
    std::filesystem::create_directory(testbed.target);
    const std::string log = testbed.place.scratch + "/set-up";
    if (options.storage) {
        const Words mount = StorageMount(options.tools, testbed.target, *options.storage);
        testbed.storage = std::make_unique<SetUp>(mount, StorageUmount(options.tools, testbed.target), log);
        testbed.place.preparation.push_back(Quoted({"mkdir", "-p", testbed.target}));
        testbed.place.preparation.push_back(Quoted(mount));
    }
    if (options.cluster) {
        testbed.place.cluster = "compare" + std::to_string(getpid());
        const Words up = ClusterUp(options.tools, testbed.place.cluster, *options.cluster);
        testbed.cluster = std::make_unique<SetUp>(up, ClusterDown(options.tools, testbed.place.cluster), log);
        testbed.place.preparation.push_back(Quoted(up));
    }
}

bool OnTmpfs(const std::string &directory) {
    struct statfs file_system = {};
    return statfs(directory.c_str(), &file_system) == 0 && file_system.f_type == TMPFS_MAGIC;
}

} // namespace compare
