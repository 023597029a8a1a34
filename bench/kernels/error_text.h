// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// What MPI says of an error.
#ifndef BENCH_KERNELS_ERROR_TEXT_H
#define BENCH_KERNELS_ERROR_TEXT_H

#include <string>

namespace bench {

/// Empty for MPI_SUCCESS.
std::string ErrorText(int code);

} // namespace bench

#endif
