// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "machine.h"

#include "../common/machine.h"

#include <mpi.h>
#include <nlohmann/json.hpp>

#include <cstring>
#include <linux/magic.h>
#include <sys/vfs.h>

extern char **environ;

namespace bench {

nlohmann::ordered_json Machine() {
    const MachineFacts machine = ThisMachine();
    return {{"host", machine.host},
            {"cpu", machine.cpu},
            {"cores", machine.cores},
            {"memory_bytes", machine.memory_bytes},
            {"kernel", machine.release}};
}

nlohmann::ordered_json Versions() {
    char text[MPI_MAX_LIBRARY_VERSION_STRING] = "";
    int length = 0;
    MPI_Get_library_version(text, &length);
    std::string mpi(text);
    return {{"mpi", mpi.substr(0, mpi.find(','))}, {"compiler", __VERSION__}};
}

nlohmann::ordered_json McaParameters() {
    nlohmann::ordered_json parameters = nlohmann::ordered_json::object();
    constexpr const char *kPrefix = "OMPI_MCA_";
    for (char **entry = environ; *entry != nullptr; ++entry) {
        const std::string variable(*entry);
        const std::size_t equals = variable.find('=');
        const std::string name = variable.substr(0, equals);
        for (const char *framework : {"io", "fcoll", "fs", "fbtl", "sharedfp", "osc", "pml", "btl"}) {
            if (name == kPrefix + std::string(framework) || name.rfind(kPrefix + std::string(framework) + "_", 0) == 0) {
                parameters[name.substr(std::strlen(kPrefix))] = variable.substr(equals + 1);
            }
        }
    }
    return parameters;
}

std::string FileSystemOf(const std::string &path) {
    const std::size_t slash = path.find_last_of('/');
    const std::string folder = slash == std::string::npos ? "." : slash == 0 ? "/" : path.substr(0, slash);
    struct statfs status {};
    if (statfs(folder.c_str(), &status) != 0) {
        return "unknown";
    }
    switch (static_cast<unsigned long>(status.f_type)) {
    case TMPFS_MAGIC:
        return "tmpfs";
    case EXT4_SUPER_MAGIC:
        return "ext4";
    case XFS_SUPER_MAGIC:
        return "xfs";
    case BTRFS_SUPER_MAGIC:
        return "btrfs";
    case NFS_SUPER_MAGIC:
        return "nfs";
    case OVERLAYFS_SUPER_MAGIC:
        return "overlayfs";
    case FUSE_SUPER_MAGIC:
        return "fuse";
    default:
        break;
    }
    char number[32];
    std::snprintf(number, sizeof(number), "0x%lx", static_cast<unsigned long>(status.f_type));
    return number;
}

} // namespace bench
