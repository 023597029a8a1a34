// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <sys/xattr.h>

#include "attributes.h"
#include "measure.h"
#include "options.h"
#include "server.h"

namespace storage {
namespace {

int SetFaults(const FaultOptions &options) {
    const std::string text = ToText(options.faults);
    if (setxattr(options.mountpoint.c_str(), kFaultsAttribute, text.data(), text.size(), 0) != 0) {
        std::fprintf(stderr, "storage: %s: %s\n", options.mountpoint.c_str(), std::strerror(errno));
        return 1;
    }
    return 0;
}

int PrintStatus(const std::string &mountpoint) {
    char text[65536];
    const ssize_t length = getxattr(mountpoint.c_str(), kStatusAttribute, text, sizeof(text));
    if (length < 0) {
        std::fprintf(stderr, "storage: %s: %s\n", mountpoint.c_str(), std::strerror(errno));
        return 1;
    }
    std::printf("%.*s\n", static_cast<int>(length), text);
    return 0;
}

} // namespace
} // namespace storage

int main(int argc, char **argv) {
    const storage::Command command = storage::ParseArguments(argc, argv);
    if (command.serve) {
        return storage::Serve(*command.serve);
    }
    if (command.fault) {
        return storage::SetFaults(*command.fault);
    }
    if (command.measure) {
        return storage::Measure(*command.measure);
    }
    return storage::PrintStatus(*command.status);
}
