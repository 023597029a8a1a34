/*
 * SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The overlap project
 *
 * What a collective write of 8 MiB a rank returns. On a file system with too little room each rank should get an error,
 * and a count of the bytes that are in the file. As root, with 16 MiB for four ranks:
 *
 *   mpicc -o full_disk examples/full_disk.c
 *   mkdir -p small && mount -t tmpfs -o size=16m none small
 *   mpirun -n 4 --mca io ompio --mca fcoll vulcan ./full_disk small/file
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BYTES = 8 << 20 };

int main(int argc, char **argv) {
    char text[MPI_MAX_ERROR_STRING] = "success";
    char *bytes = malloc(BYTES);
    int rank, length, count, error;
    MPI_Status status;
    MPI_File file;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (argc != 2 || bytes == NULL ||
        MPI_File_open(MPI_COMM_WORLD, argv[1], MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file) != MPI_SUCCESS) {
        fprintf(stderr, "usage: mpirun -n RANKS full_disk FILE\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    memset(bytes, 'a' + rank % 26, BYTES);
    error = MPI_File_write_at_all(file, (MPI_Offset)rank * BYTES, bytes, BYTES, MPI_BYTE, &status);
    MPI_Get_count(&status, MPI_BYTE, &count);
    if (error != MPI_SUCCESS) {
        MPI_Error_string(error, text, &length);
    }
    printf("rank %d: %s, %d bytes\n", rank, text, count);
    MPI_File_close(&file);
    free(bytes);
    MPI_Finalize();
    return 0;
}
