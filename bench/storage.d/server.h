// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#ifndef BENCH_STORAGE_SERVER_H
#define BENCH_STORAGE_SERVER_H

#define FUSE_USE_VERSION 312
#include <fuse_lowlevel.h>

#include <memory>

#include "faults.h"
#include "inodes.h"
#include "options.h"
#include "rate_model.h"

namespace storage {

/// What all requests share. The operations are in a file for each kind, which enters its own in the table.
struct Server {
    Server(const ServeOptions &serve_options, int root)
        : options(serve_options), inodes(root), model(serve_options.rates, serve_options.stripe_size, serve_options.latency),
          faults(serve_options.faults) {}

    const ServeOptions options;
    Inodes inodes;
    RateModel model;
    Faults faults;
    int ready_descriptor = -1; // gets a byte when the mount can be used
};

inline Server &ServerOf(fuse_req_t request) { return *static_cast<Server *>(fuse_req_userdata(request)); }
inline std::shared_ptr<Inode> InodeOf(fuse_req_t request, fuse_ino_t number) {
    return ServerOf(request).inodes.Find(number);
}

/// For how long the kernel may believe what it was told: all changes come through it.
constexpr double kValid = 60;

/// Looks `name` up for the kernel. Returns an errno, or 0.
int LookUp(Server &server, const Inode &parent, const char *name, fuse_entry_param &entry);

void AddMetadata(fuse_lowlevel_ops &operations);
void AddFolders(fuse_lowlevel_ops &operations);
void AddTransfer(fuse_lowlevel_ops &operations);
void AddControl(fuse_lowlevel_ops &operations);

std::string Describe(const Server &server);

/// Mounts and serves in the background. Returns, in the process that called it, when the mount can be used; the exit code.
int Serve(const ServeOptions &options);

} // namespace storage

#endif
