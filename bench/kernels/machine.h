// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// What a figure was measured on.
#ifndef BENCH_KERNELS_MACHINE_H
#define BENCH_KERNELS_MACHINE_H

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace bench {

nlohmann::ordered_json Machine();
nlohmann::ordered_json Versions();
/// Open MPI's parameters in the environment, without those of mpirun itself.
nlohmann::ordered_json McaParameters();
/// Of the folder in which `path` is: "tmpfs", "ext2/ext3", ...
std::string FileSystemOf(const std::string &path);

} // namespace bench

#endif
