/*
 * SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The overlap project
 *
 * MPI_THREAD_MULTIPLE: two threads of each rank write a file of their own collectively, on communicators of their own, which
 * MPI allows. mpicc -o threads_two_files threads_two_files.c -lpthread && timeout 20 mpirun -n 3 threads_two_files FILE
 */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>

static char *path;
static MPI_Comm comms[2];

static void *work(void *argument) {
    const int me = *(int *)argument;
    char name[1000], bytes[20000] = {0};
    int rank;
    MPI_File file;
    MPI_Comm_rank(comms[me], &rank);
    snprintf(name, sizeof(name), "%s.%d", path, me);
    MPI_File_open(comms[me], name, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
    for (int call = 0; call < 50; ++call) {
        MPI_File_write_at_all(file, (MPI_Offset)rank * 20000, bytes, 20000, MPI_BYTE, MPI_STATUS_IGNORE);
    }
    MPI_File_close(&file);
    return NULL;
}

int main(int argc, char **argv) {
    int level, rank, number[] = {0, 1};
    pthread_t other;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    path = argv[1];
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_dup(MPI_COMM_WORLD, &comms[0]);
    MPI_Comm_dup(MPI_COMM_WORLD, &comms[1]);
    if (MPI_THREAD_MULTIPLE != level) {
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    pthread_create(&other, NULL, work, &number[1]);
    work(&number[0]);
    pthread_join(other, NULL);
    if (0 == rank) {
        printf("done\n");
    }
    MPI_Finalize();
    return 0;
}
