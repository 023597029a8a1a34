// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "error_text.h"

#include <mpi.h>

namespace bench {

std::string ErrorText(int code) {
    if (code == MPI_SUCCESS) {
        return {};
    }
    char text[MPI_MAX_ERROR_STRING] = "";
    int length = 0;
    MPI_Error_string(code, text, &length);
    return text;
}

} // namespace bench
