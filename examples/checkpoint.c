/*
 * SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The overlap project
 *
 * A checkpoint of a matrix whose columns are dealt to the ranks: a write of many small interleaved blocks, the case in which
 * collective I/O helps most. Reads the file back and compares every byte.
 *   mpicc -O2 -o checkpoint examples/checkpoint.c
 *   mpirun -n 4 --mca io ompio --mca fcoll overlap --mca fcoll_overlap_report text ./checkpoint ./checkpoint.dat
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROWS = 65536, COLUMNS_OF_A_RANK = 32, CELLS = ROWS * COLUMNS_OF_A_RANK };

/* The component returns an error of any aggregator on every rank, so that each rank can look for itself. */
static void check(int error, const char *call) {
    char text[MPI_MAX_ERROR_STRING];
    int length;

    if (error != MPI_SUCCESS) {
        MPI_Error_string(error, text, &length);
        fprintf(stderr, "checkpoint: %s: %s\n", call, text);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
}

int main(int argc, char **argv) {
    int rank, ranks, wrong = 0, all_wrong = 0;
    double begin, seconds;
    double *cells;
    MPI_Datatype columns;
    MPI_File file;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    cells = malloc(CELLS * sizeof(double));
    if (argc != 2 || cells == NULL) {
        fprintf(stderr, "usage: mpirun -n RANKS checkpoint FILE\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    for (int i = 0; i < CELLS; ++i) {
        cells[i] = (double)rank * CELLS + i;
    }

    /* This rank's columns: in each row of the file a block of 256 bytes. */
    const int sizes[2] = {ROWS, COLUMNS_OF_A_RANK * ranks};
    const int part[2] = {ROWS, COLUMNS_OF_A_RANK};
    const int start[2] = {0, COLUMNS_OF_A_RANK * rank};
    MPI_Type_create_subarray(2, sizes, part, start, MPI_ORDER_C, MPI_DOUBLE, &columns);
    MPI_Type_commit(&columns);

    check(MPI_File_open(MPI_COMM_WORLD, argv[1], MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file), "open");
    check(MPI_File_set_view(file, 0, MPI_DOUBLE, columns, "native", MPI_INFO_NULL), "set_view");
    begin = MPI_Wtime();
    check(MPI_File_write_at_all(file, 0, cells, CELLS, MPI_DOUBLE, MPI_STATUS_IGNORE), "write");
    seconds = MPI_Wtime() - begin;

    for (int i = 0; i < CELLS; ++i) {
        cells[i] = -1;
    }
    check(MPI_File_read_at_all(file, 0, cells, CELLS, MPI_DOUBLE, MPI_STATUS_IGNORE), "read");
    check(MPI_File_close(&file), "close");
    for (int i = 0; i < CELLS; ++i) {
        wrong += cells[i] != (double)rank * CELLS + i;
    }
    MPI_Allreduce(&wrong, &all_wrong, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0) {
        printf("%d ranks wrote %d MiB in %.3f s; %d of the cells are wrong\n", ranks,
               (int)((long long)ranks * CELLS * (long long)sizeof(double) >> 20), seconds, all_wrong);
    }
    MPI_Type_free(&columns);
    free(cells);
    MPI_Finalize();
    return all_wrong != 0;
}
