/*
 * SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The overlap project
 *
 * A lock of a file cannot be had on the last rank alone, while the others get theirs: MPI_File_open does not end. The ranks
 * have to be on several nodes, or sharedfp sm is chosen: here it is left out. mpicc -o open_disagree open_disagree.c -ldl
 * -rdynamic timeout 20 mpirun -n 2 --mca sharedfp ^sm open_disagree FILE
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <mpi.h>
#include <stdarg.h>
#include <stdio.h>

static int fails;

int fcntl(int fd, int command, ...) {
    va_list list;
    va_start(list, command);
    void *const argument = va_arg(list, void *);
    va_end(list);
    if (fails && F_SETLKW == command) {
        errno = ENOENT; /* as MooseFS says where another process has removed the file meanwhile */
        return -1;
    }
    return ((int (*)(int, int, ...))dlsym(RTLD_NEXT, "fcntl"))(fd, command, argument);
}

int main(int argc, char **argv) {
    int rank, ranks;
    MPI_File file;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    fails = rank == ranks - 1;
    printf("rank %d: MPI_File_open returns %d\n", rank,
           MPI_File_open(MPI_COMM_WORLD, argv[1], MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file));
    fails = 0;
    MPI_File_close(&file);
    MPI_Finalize();
    return 0;
}
