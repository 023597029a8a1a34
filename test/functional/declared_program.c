/*
 * SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The overlap project
 */
#include "declared_program.h"

#include "overlap_declare.h"

#include <stdlib.h>

static const int sizes[DECLARED_VARIABLES] = {4, 4, 4, 4, 4, 4, 4, 8, 2};

static int before(int variable) {
    int bytes = 0;
    for (int i = 0; i < variable; ++i) {
        bytes += sizes[i];
    }
    return bytes;
}

int declared_size(int variable) { return sizes[variable]; }

MPI_Offset declared_offset(enum declared_order order, int variable) {
    int rank, ranks;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    return DECLARED_RECORDS == order ? (MPI_Offset)rank * DECLARED_PARTICLES * DECLARED_PARTICLE + before(variable)
                                     : (MPI_Offset)DECLARED_PARTICLES * (before(variable) * ranks + sizes[variable] * rank);
}

MPI_Offset declared_stride(enum declared_order order, int variable) {
    return DECLARED_RECORDS == order ? DECLARED_PARTICLE : sizes[variable];
}

int declared_declare(MPI_File file, enum declared_order order) {
    overlap_declared_run runs[DECLARED_VARIABLES];
    overlap_declared calls[DECLARED_VARIABLES];

    for (int i = 0; i < DECLARED_VARIABLES; ++i) {
        runs[i].offset = declared_offset(order, i);
        runs[i].length = sizes[i];
        runs[i].stride = declared_stride(order, i);
        runs[i].count = DECLARED_PARTICLES;
        calls[i].count = 1;
        calls[i].runs = &runs[i];
    }
    return overlap_declare(file, DECLARED_VARIABLES, calls);
}

int declared_write(MPI_File file, enum declared_order order, int variable, MPI_Offset step, const char *bytes) {
    const int count = DECLARED_PARTICLES * sizes[variable];
    const MPI_Offset offset = declared_offset(order, variable) + step;
    MPI_Datatype type;
    int error;

    if (DECLARED_ARRAYS == order) {
        return MPI_File_write_at_all(file, offset, bytes, count, MPI_BYTE, MPI_STATUS_IGNORE);
    }
    MPI_Type_vector(DECLARED_PARTICLES, sizes[variable], DECLARED_PARTICLE, MPI_BYTE, &type);
    MPI_Type_commit(&type);
    error = MPI_File_set_view(file, offset, MPI_BYTE, type, "native", MPI_INFO_NULL);
    MPI_Type_free(&type);
    return MPI_SUCCESS == error ? MPI_File_write_all(file, bytes, count, MPI_BYTE, MPI_STATUS_IGNORE) : error;
}

const char *declared_refused(MPI_File file) {
    const overlap_declared_run runs[4] = {
        {-1, 1, 0, 1}, {0, 9, 8, 3}, {0, 8, 0x7000000000000000LL, 3}, {8, 0x7fffffffffffffffLL, 0, 1}};

    if (MPI_ERR_ARG != overlap_declare(file, -1, NULL) || MPI_ERR_ARG != overlap_declare(file, 4097, NULL)) {
        return "a number of calls that is none is declared";
    }
    for (int i = 0; i < 4; ++i) {
        const overlap_declared wrong = {1, &runs[i]};
        if (MPI_ERR_ARG != overlap_declare(file, 1, &wrong)) {
            return "a run that has no place in a file is declared";
        }
    }
    return MPI_SUCCESS == overlap_declare(file, 0, NULL) ? "" : "nothing cannot be declared";
}

int declared_many(MPI_File file, int count, MPI_Offset from) {
    overlap_declared_run *runs = malloc((size_t)count * sizeof(*runs));
    overlap_declared calls[2] = {{0, NULL}, {0, NULL}};
    int error;

    if (NULL == runs) {
        return MPI_ERR_NO_MEM;
    }
    for (int i = 0; i < count; ++i) {
        runs[i] = (overlap_declared_run){from + 2 * i, 1, 0, 1};
    }
    calls[0].count = count;
    calls[0].runs = runs;
    error = overlap_declare(file, 2, calls);
    free(runs);
    return error;
}
