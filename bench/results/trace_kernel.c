/*
 * SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The overlap project
 *
 * One collective write, repeated: what bench/results/trace_cost times with a timeline and without one.
 *
 *   mpirun ... trace_kernel FOLDER BLOCK_BYTES BLOCKS_PER_RANK REPETITIONS
 *
 * Blocks of the ranks in turn. Prints the median and the mean in milliseconds; with a timeline the mean has the collections
 * of events in it. The component has to be overlap, as the info keys are its own.
 */
#include <mpi.h>

#include <stdio.h>
#include <stdlib.h>

static int compare(const void *a, const void *b) {
    const double first = *(const double *)a, second = *(const double *)b;
    return first < second ? -1 : first > second;
}

static MPI_File open_file(const char *folder, int block, int blocks) {
    int rank, ranks;
    char path[4096];
    MPI_Datatype view;
    MPI_File file;
    MPI_Info info;

    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    snprintf(path, sizeof(path), "%s/written", folder);
    MPI_Info_create(&info);
    /* Fixed, as each file would learn for itself. */
    MPI_Info_set(info, "fcoll_overlap_algorithm", "dataflow");
    MPI_Info_set(info, "fcoll_overlap_slots", "4");
    MPI_Info_set(info, "fcoll_overlap_writes", "collective");
    if (MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_CREATE | MPI_MODE_WRONLY, info, &file) != MPI_SUCCESS) {
        fprintf(stderr, "trace_kernel: %s cannot be opened\n", path);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    MPI_Type_vector(blocks, block, block * ranks, MPI_BYTE, &view);
    MPI_Type_commit(&view);
    MPI_File_set_view(file, (MPI_Offset)rank * block, MPI_BYTE, view, "native", MPI_INFO_NULL);
    MPI_Type_free(&view);
    MPI_Info_free(&info);
    return file;
}

/* Seconds of the slowest rank. */
static double write_once(MPI_File file, const char *buffer, int bytes) {
    double seconds;

    MPI_Barrier(MPI_COMM_WORLD);
    seconds = MPI_Wtime();
    if (MPI_File_write_at_all(file, 0, buffer, bytes, MPI_BYTE, MPI_STATUS_IGNORE) != MPI_SUCCESS) {
        fprintf(stderr, "trace_kernel: a write fails\n");
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    seconds = MPI_Wtime() - seconds;
    MPI_Allreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return seconds;
}

static double mean(const double *seconds, int count) {
    double sum = 0;
    for (int i = 0; i < count; i++) {
        sum += seconds[i];
    }
    return sum / count;
}

int main(int argc, char **argv) {
    enum { WARM_UPS = 20 };
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const int block = argc == 5 ? atoi(argv[2]) : 0, blocks = argc == 5 ? atoi(argv[3]) : 0;
    const int repetitions = argc == 5 ? atoi(argv[4]) : 0;
    if (block < 1 || blocks < 1 || repetitions < 1) {
        if (rank == 0) {
            fprintf(stderr, "usage: trace_kernel FOLDER BLOCK_BYTES BLOCKS_PER_RANK REPETITIONS\n");
        }
        MPI_Finalize();
        return 2;
    }
    MPI_File file = open_file(argv[1], block, blocks);
    char *buffer = calloc((size_t)block, (size_t)blocks);
    double *seconds = malloc((size_t)repetitions * sizeof(double));
    if (buffer == NULL || seconds == NULL) {
        MPI_Abort(MPI_COMM_WORLD, 1);
        return 1;
    }
    for (int i = -WARM_UPS; i < repetitions; i++) {
        const double once = write_once(file, buffer, block * blocks);
        if (i >= 0) {
            seconds[i] = once;
        }
    }
    qsort(seconds, (size_t)repetitions, sizeof(double), compare);
    if (rank == 0) {
        printf("%.3f %.3f\n", 1e3 * seconds[repetitions / 2], 1e3 * mean(seconds, repetitions));
    }
    MPI_File_close(&file);
    free(buffer);
    free(seconds);
    MPI_Finalize();
    return 0;
}
