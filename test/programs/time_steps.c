/*
 * SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The overlap project
 *
 * What a model does with netCDF: a fixed field and a record a time step, a part of the rows on each rank, attributes in
 * between. time_steps FILE classic|netcdf4 [LAYERS]
 */
#include <mpi.h>
#include <netcdf.h>
#include <netcdf_par.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROWS 53
#define COLUMNS 67
#define STEPS 5

static void check(int error, const char *what) {
    if (error != NC_NOERR) {
        fprintf(stderr, "%s: %s\n", what, nc_strerror(error));
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
}

static double value(size_t step, size_t layer, size_t row, size_t column) {
    return (double)(((step * 97 + layer) * ROWS + row) * COLUMNS + column) / 3.0;
}

int main(int argc, char **argv) {
    int rank, ranks, file, dimensions[4], field, steps, mode = NC_CLOBBER;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const size_t layers = argc > 3 ? (size_t)atoi(argv[3]) : 3;
    mode |= 0 == strcmp(argv[2], "netcdf4") ? NC_NETCDF4 : NC_64BIT_OFFSET;
    check(nc_create_par(argv[1], mode, MPI_COMM_WORLD, MPI_INFO_NULL, &file), "create");
    check(nc_def_dim(file, "time", NC_UNLIMITED, &dimensions[0]), "time");
    check(nc_def_dim(file, "layer", layers, &dimensions[1]), "layer");
    check(nc_def_dim(file, "row", ROWS, &dimensions[2]), "row");
    check(nc_def_dim(file, "column", COLUMNS, &dimensions[3]), "column");
    check(nc_def_var(file, "field", NC_DOUBLE, 2, dimensions + 2, &field), "field");
    check(nc_def_var(file, "steps", NC_DOUBLE, 4, dimensions, &steps), "steps");
    check(nc_enddef(file), "enddef");
    check(nc_var_par_access(file, field, NC_COLLECTIVE), "collective");
    check(nc_var_par_access(file, steps, NC_COLLECTIVE), "collective");

    const size_t first = (size_t)rank * ROWS / (size_t)ranks, rows = (size_t)(rank + 1) * ROWS / (size_t)ranks - first;
    double *const values = malloc(layers * (rows + 1) * COLUMNS * sizeof(double));
    for (size_t row = 0; row < rows; ++row) {
        for (size_t column = 0; column < COLUMNS; ++column) {
            values[row * COLUMNS + column] = value(0, 0, first + row, column);
        }
    }
    check(nc_put_vara_double(file, field, (size_t[]){first, 0}, (size_t[]){rows, COLUMNS}, values), "put field");
    for (size_t step = 0; step < STEPS; ++step) {
        double *to = values;
        for (size_t layer = 0; layer < layers; ++layer) {
            for (size_t row = 0; row < rows; ++row) {
                for (size_t column = 0; column < COLUMNS; ++column) {
                    *to++ = value(step, layer, first + row, column);
                }
            }
        }
        const size_t start[] = {step, 0, first, 0}, count[] = {1, layers, rows, COLUMNS};
        check(nc_put_vara_double(file, steps, start, count, values), "put step");
        if (step == 2) {
            /* The header grows, so what is behind it moves. */
            check(nc_redef(file), "redef");
            check(nc_put_att_text(file, steps, "comment", 3000, memset(calloc(1, 3001), 'c', 3000)), "attribute");
            check(nc_enddef(file), "enddef again");
        }
        check(nc_get_vara_double(file, steps, start, count, values), "get step");
        if (rows > 0 && values[0] != value(step, 0, first, 0)) {
            fprintf(stderr, "rank %d reads %g\n", rank, values[0]);
            MPI_Abort(MPI_COMM_WORLD, 1);
        }
    }
    check(nc_close(file), "close");
    free(values);
    MPI_Finalize();
    return 0;
}
