#include "machine.h"

#include <mpi.h>

#include <cstring>
#include <fstream>
#include <linux/magic.h>
#include <sys/sysinfo.h>
#include <sys/utsname.h>
#include <sys/vfs.h>
#include <thread>

extern char **environ;

namespace bench {
namespace {

std::string CpuModel() {
    std::ifstream in("/proc/cpuinfo");
    for (std::string line; std::getline(in, line);) {
        const std::size_t colon = line.find(": ");
        if (line.rfind("model name", 0) == 0 && colon != std::string::npos) {
            return line.substr(colon + 2);
        }
    }
    return "unknown";
}

} // namespace

nlohmann::ordered_json Machine() {
    utsname system{};
    uname(&system);
    struct sysinfo memory {};
    sysinfo(&memory);
    return {{"host", system.nodename},
            {"cpu", CpuModel()},
            {"cores", std::thread::hardware_concurrency()},
            {"memory_bytes", static_cast<std::uint64_t>(memory.totalram) * memory.mem_unit},
            {"kernel", system.release}};
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
