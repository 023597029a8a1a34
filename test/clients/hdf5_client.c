/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The overlap project */
/* Parallel HDF5 over collective writes: contiguous, chunked, strided hyperslabs; every element is read back and compared.
 *   hdf5_client FILE */
#include <hdf5.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROWS_PER_RANK = 24, COLUMNS = 120, FILL = -7 };

static int rank, ranks;

static int value_of(hsize_t row, hsize_t column) { return (int)(row * 100003 + column * 7 + 1); }

typedef struct layout_t {
    const char *name;
    hsize_t chunk[2];                      /* 0: contiguous */
    hsize_t start[2], stride[2], count[2]; /* of this rank's hyperslab; blocks of one element */
} layout_t;

/* Whether `row`, `column` is written by any rank under the layout `kind`. */
static int is_written(int kind, hsize_t row, hsize_t column) {
    (void)row;
    return kind < 3 || (column % 3 == 0);
}

static layout_t layout_of(int kind) {
    const hsize_t all_rows = (hsize_t)ROWS_PER_RANK * (hsize_t)ranks;
    layout_t l = {"rows, contiguous", {0, 0}, {(hsize_t)rank * ROWS_PER_RANK, 0}, {1, 1}, {ROWS_PER_RANK, COLUMNS}};
    if (1 == kind) {
        l = (layout_t){"columns dealt to ranks, contiguous",
                       {0, 0},
                       {0, (hsize_t)rank},
                       {1, (hsize_t)ranks},
                       {all_rows, (COLUMNS - (hsize_t)rank + (hsize_t)ranks - 1) / (hsize_t)ranks}};
    } else if (2 == kind) {
        l = (layout_t){
            "rows dealt to ranks, chunked", {7, 31}, {(hsize_t)rank, 0}, {(hsize_t)ranks, 1}, {ROWS_PER_RANK, COLUMNS}};
    } else if (3 == kind) {
        l = (layout_t){"every third column, chunked",
                       {16, 16},
                       {(hsize_t)rank * ROWS_PER_RANK, 0},
                       {1, 3},
                       {ROWS_PER_RANK, COLUMNS / 3}};
    } else if (4 == kind) {
        l = (layout_t){"every third column, contiguous",
                       {0, 0},
                       {(hsize_t)rank * ROWS_PER_RANK, 0},
                       {1, 3},
                       {ROWS_PER_RANK, COLUMNS / 3}};
    }
    return l;
}

static void write_dataset(hid_t file, int kind, hid_t transfer) {
    const layout_t l = layout_of(kind);
    const hsize_t dims[2] = {(hsize_t)ROWS_PER_RANK * (hsize_t)ranks, COLUMNS};
    const hid_t space = H5Screate_simple(2, dims, NULL), memory = H5Screate_simple(2, l.count, NULL);
    const hid_t create = H5Pcreate(H5P_DATASET_CREATE);
    const int fill = FILL;
    int *values = malloc(l.count[0] * l.count[1] * sizeof(int));
    hid_t set;

    H5Pset_fill_value(create, H5T_NATIVE_INT, &fill);
    H5Pset_fill_time(create, H5D_FILL_TIME_ALLOC);
    if (l.chunk[0] > 0) {
        H5Pset_chunk(create, 2, l.chunk);
    }
    set = H5Dcreate2(file, l.name, H5T_NATIVE_INT, space, H5P_DEFAULT, create, H5P_DEFAULT);
    H5Sselect_hyperslab(space, H5S_SELECT_SET, l.start, l.stride, l.count, NULL);
    for (hsize_t r = 0; r < l.count[0]; ++r) {
        for (hsize_t c = 0; c < l.count[1]; ++c) {
            values[r * l.count[1] + c] = value_of(l.start[0] + r * l.stride[0], l.start[1] + c * l.stride[1]);
        }
    }
    if (H5Dwrite(set, H5T_NATIVE_INT, memory, space, transfer, values) < 0) {
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    free(values);
    H5Dclose(set);
    H5Pclose(create);
    H5Sclose(memory);
    H5Sclose(space);
}

/* Without MPI: one process, HDF5's POSIX driver. */
static long wrong_elements(const char *path, int kind) {
    const hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    const hid_t set = H5Dopen2(file, layout_of(kind).name, H5P_DEFAULT);
    const hsize_t rows = (hsize_t)ROWS_PER_RANK * (hsize_t)ranks;
    int *values = malloc(rows * COLUMNS * sizeof(int));
    long wrong = 0;

    H5Dread(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
    for (hsize_t r = 0; r < rows; ++r) {
        for (hsize_t c = 0; c < COLUMNS; ++c) {
            wrong += values[r * COLUMNS + c] != (is_written(kind, r, c) ? value_of(r, c) : FILL);
        }
    }
    free(values);
    H5Dclose(set);
    H5Fclose(file);
    return wrong;
}

int main(int argc, char **argv) {
    int passed = 0, failed = 0;
    hid_t access, transfer, file;
    MPI_Info info;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    access = H5Pcreate(H5P_FILE_ACCESS);
    /* Into one of the program's own HDF5 1.14 copies all that the file's shows. */
    MPI_Info_create(&info);
    MPI_Info_set(info, "striping_unit", "1048576");
    H5Pset_fapl_mpio(access, MPI_COMM_WORLD, info);
    MPI_Info_free(&info);
    transfer = H5Pcreate(H5P_DATASET_XFER);
    H5Pset_dxpl_mpio(transfer, H5FD_MPIO_COLLECTIVE);
    file = H5Fcreate(argv[1], H5F_ACC_TRUNC, H5P_DEFAULT, access);
    for (int kind = 0; kind < 5; ++kind) {
        write_dataset(file, kind, transfer);
    }
    H5Pclose(transfer);
    H5Pclose(access);
    H5Fclose(file);
    MPI_Barrier(MPI_COMM_WORLD);
    if (0 == rank) {
        for (int kind = 0; kind < 5; ++kind) {
            const long wrong = wrong_elements(argv[1], kind);
            if (wrong > 0) {
                printf("FAIL %s: %ld elements are wrong\n", layout_of(kind).name, wrong);
            }
            wrong > 0 ? ++failed : ++passed;
        }
        printf("%d passed, %d failed\n", passed, failed);
    }
    MPI_Bcast(&failed, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return failed > 0;
}
