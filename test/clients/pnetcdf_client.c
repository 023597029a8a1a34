/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The overlap project */
/* PnetCDF over collective writes: whole blocks, strides, record variables, and combined nonblocking writes; every element is
 * read back by one process and compared. pnetcdf_client FILE */
#include <mpi.h>
#include <pnetcdf.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROWS_PER_RANK = 20, COLUMNS = 90, RECORDS = 3 };

static int rank, ranks;

static void must(int error) {
    if (NC_NOERR != error) {
        fprintf(stderr, "PnetCDF: %s\n", ncmpi_strerror(error));
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
}

static int value_of(int variable, MPI_Offset record, MPI_Offset row, MPI_Offset column) {
    return (int)(variable * 1000003 + record * 50021 + row * 211 + column);
}

static void fill(int *values, int variable, MPI_Offset record, const MPI_Offset *start, const MPI_Offset *count,
                 const MPI_Offset *stride) {
    for (MPI_Offset r = 0; r < count[0]; ++r) {
        for (MPI_Offset c = 0; c < count[1]; ++c) {
            values[r * count[1] + c] = value_of(variable, record, start[0] + r * stride[0], start[1] + c * stride[1]);
        }
    }
}

static void write_file(const char *path) {
    const MPI_Offset rows = (MPI_Offset)ROWS_PER_RANK * ranks;
    const MPI_Offset block_start[2] = {(MPI_Offset)rank * ROWS_PER_RANK, 0}, block_count[2] = {ROWS_PER_RANK, COLUMNS};
    const MPI_Offset one[2] = {1, 1}, dealt_start[2] = {rank, 0}, dealt_stride[2] = {ranks, 1};
    int *values = malloc(sizeof(int) * ROWS_PER_RANK * COLUMNS), *second = malloc(sizeof(int) * ROWS_PER_RANK * COLUMNS);
    int file, record, row, column, plain, strided, combined[2], series, requests[2], statuses[2];

    must(ncmpi_create(MPI_COMM_WORLD, path, NC_CLOBBER | NC_64BIT_DATA, MPI_INFO_NULL, &file));
    must(ncmpi_def_dim(file, "record", NC_UNLIMITED, &record));
    must(ncmpi_def_dim(file, "row", rows, &row));
    must(ncmpi_def_dim(file, "column", COLUMNS, &column));
    const int two[2] = {row, column}, three[3] = {record, row, column};
    must(ncmpi_def_var(file, "plain", NC_INT, 2, two, &plain));
    must(ncmpi_def_var(file, "strided", NC_INT, 2, two, &strided));
    must(ncmpi_def_var(file, "combined0", NC_INT, 2, two, &combined[0]));
    must(ncmpi_def_var(file, "combined1", NC_INT, 2, two, &combined[1]));
    must(ncmpi_def_var(file, "series", NC_INT, 3, three, &series));
    must(ncmpi_enddef(file));

    fill(values, 0, 0, block_start, block_count, one);
    must(ncmpi_put_vara_int_all(file, plain, block_start, block_count, values));
    fill(values, 1, 0, dealt_start, block_count, dealt_stride);
    must(ncmpi_put_vars_int_all(file, strided, dealt_start, block_count, dealt_stride, values));
    fill(values, 2, 0, block_start, block_count, one);
    fill(second, 3, 0, dealt_start, block_count, dealt_stride);
    must(ncmpi_iput_vara_int(file, combined[0], block_start, block_count, values, &requests[0]));
    must(ncmpi_iput_vars_int(file, combined[1], dealt_start, block_count, dealt_stride, second, &requests[1]));
    must(ncmpi_wait_all(file, 2, requests, statuses));
    for (MPI_Offset i = 0; i < RECORDS; ++i) {
        const MPI_Offset start[3] = {i, block_start[0], 0}, count[3] = {1, block_count[0], block_count[1]};
        fill(values, 4, i, block_start, block_count, one);
        must(ncmpi_put_vara_int_all(file, series, start, count, values));
    }
    must(ncmpi_close(file));
    free(values);
    free(second);
}

static long wrong_elements(int file, const char *name, int variable, int records) {
    const MPI_Offset rows = (MPI_Offset)ROWS_PER_RANK * ranks;
    int *values = malloc(sizeof(int) * (size_t)(rows * COLUMNS * records)), id;
    long wrong = 0;

    must(ncmpi_inq_varid(file, name, &id));
    must(ncmpi_get_var_int_all(file, id, values));
    for (MPI_Offset i = 0; i < records; ++i) {
        for (MPI_Offset r = 0; r < rows; ++r) {
            for (MPI_Offset c = 0; c < COLUMNS; ++c) {
                wrong += values[(i * rows + r) * COLUMNS + c] != value_of(variable, i, r, c);
            }
        }
    }
    free(values);
    return wrong;
}

int main(int argc, char **argv) {
    static const char *const names[] = {"plain", "strided", "combined0", "combined1", "series"};
    int passed = 0, failed = 0, file;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    write_file(argv[1]);
    MPI_Barrier(MPI_COMM_WORLD);
    if (0 == rank) {
        must(ncmpi_open(MPI_COMM_SELF, argv[1], NC_NOWRITE, MPI_INFO_NULL, &file));
        for (int variable = 0; variable < 5; ++variable) {
            const long wrong = wrong_elements(file, names[variable], variable, 4 == variable ? RECORDS : 1);
            if (wrong > 0) {
                printf("FAIL %s: %ld elements are wrong\n", names[variable], wrong);
            }
            wrong > 0 ? ++failed : ++passed;
        }
        must(ncmpi_close(file));
        printf("%d passed, %d failed\n", passed, failed);
    }
    MPI_Bcast(&failed, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return failed > 0;
}
