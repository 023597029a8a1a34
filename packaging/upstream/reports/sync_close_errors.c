/*
 * SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The overlap project
 *
 * fsync(2) and close(2) of the file fail on the last rank, as where a client of NFS or FUSE has lost bytes that it had only
 * promised to write. mpicc -o sync_close_errors sync_close_errors.c -ldl -rdynamic && mpirun -n 2 sync_close_errors FILE
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <mpi.h>
#include <stdio.h>
#include <sys/stat.h>

static int fails;

static int is_the_file(int fd) {
    struct stat file;
    return 0 == fstat(fd, &file) && S_ISREG(file.st_mode);
}

int fsync(int fd) {
    if (fails && is_the_file(fd)) {
        errno = ENOSPC;
        return -1;
    }
    return ((int (*)(int))dlsym(RTLD_NEXT, "fsync"))(fd);
}

int close(int fd) {
    const int lost = fails && is_the_file(fd);
    const int error = ((int (*)(int))dlsym(RTLD_NEXT, "close"))(fd);
    if (lost) {
        errno = EDQUOT;
        return -1;
    }
    return error;
}

static void tell(const char *call, int error) {
    int rank, class = MPI_SUCCESS, length;
    char text[MPI_MAX_ERROR_STRING];
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Error_class(error, &class);
    MPI_Error_string(class, text, &length);
    printf("rank %d: %s returns %s\n", rank, call, text);
}

int main(int argc, char **argv) {
    int rank, ranks;
    MPI_File file;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_File_open(MPI_COMM_WORLD, argv[1], MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
    MPI_File_write_at_all(file, rank * 100, argv[0], 1, MPI_BYTE, MPI_STATUS_IGNORE);
    fails = rank == ranks - 1;
    tell("MPI_File_sync", MPI_File_sync(file));
    tell("MPI_File_close", MPI_File_close(&file));
    fails = 0;
    MPI_Finalize();
    return 0;
}
