/*
 * SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The overlap project
 *
 * What collective writes of interleaved blocks take, counted: messages, bytes copied, writes, memory. One line a phase.
 *
 *     counts_kernel FILE BLOCK_BYTES BLOCKS_PER_RANK
 *
 * Messages are counted where Open MPI hands them to its pml, copies where it calls memcpy or memmove, which this program has
 * in the place of the C library's: what lies in blocks of a length that the compiler knew is not seen. Bytes that the kernel
 * copies from one process to another (process_vm_readv) are apart.
 */
#define _GNU_SOURCE
#include <mpi.h>

#include <dlfcn.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

static _Atomic long copied, copied_by_kernel;

/* A compiler that saw which functions these are would call the ones below. */
static void *(*volatile const copy_forwards)(void *, const void *, size_t) = mempcpy;
static void (*volatile const copy_any)(const void *, void *, size_t) = bcopy;

void *memcpy(void *restrict to, const void *restrict from, size_t bytes) {
    copied += (long)bytes;
    copy_forwards(to, from, bytes);
    return to;
}

void *memmove(void *to, const void *from, size_t bytes) {
    copied += (long)bytes;
    copy_any(from, to, bytes);
    return to;
}

ssize_t process_vm_readv(pid_t process, const struct iovec *own, unsigned long own_count, const struct iovec *others,
                         unsigned long others_count, unsigned long flags) {
    const ssize_t bytes = syscall(SYS_process_vm_readv, process, own, own_count, others, others_count, flags);
    copied_by_kernel += bytes > 0 ? bytes : 0;
    return bytes;
}

/* Members of mca_pml, a table of functions (ompi/mca/pml/pml.h). */
enum { ISEND = OMPI_MAJOR_VERSION < 5 ? 10 : 11, SEND };

static long messages[2]; /* within collective operations, whose tags are negative; others */
static int (*isend)(const void *, size_t, MPI_Datatype, int, int, int, MPI_Comm, MPI_Request *);
static int (*blocking_send)(const void *, size_t, MPI_Datatype, int, int, int, MPI_Comm);

static int count_isend(const void *bytes, size_t items, MPI_Datatype type, int to, int tag, int mode, MPI_Comm comm,
                       MPI_Request *request) {
    ++messages[tag >= 0];
    return isend(bytes, items, type, to, tag, mode, comm, request);
}

static int count_send(const void *bytes, size_t items, MPI_Datatype type, int to, int tag, int mode, MPI_Comm comm) {
    ++messages[tag >= 0];
    return blocking_send(bytes, items, type, to, tag, mode, comm);
}

static void begin_counting(void) {
    void **const pml = dlsym(RTLD_DEFAULT, "mca_pml");

    memmove(&isend, &pml[ISEND], sizeof(isend));
    memmove(&blocking_send, &pml[SEND], sizeof(blocking_send));
    pml[ISEND] = (void *)(intptr_t)count_isend;
    pml[SEND] = (void *)(intptr_t)count_send;
}

enum { MESSAGES_OF_COLLECTIVES, MESSAGES, COPIED, BY_KERNEL, WRITES, COUNTS };

/* The line `name` of a file of /proc. */
static long line_of(const char *path, const char *name) {
    char line[256];
    long value = 0;
    FILE *file = fopen(path, "r");
    while (NULL != file && NULL != fgets(line, sizeof(line), file)) {
        if (0 == strncmp(line, name, strlen(name))) {
            value = atol(line + strlen(name));
        }
    }
    if (NULL != file) {
        fclose(file);
    }
    return value;
}

static void count(long *counts) {
    counts[MESSAGES_OF_COLLECTIVES] = messages[0];
    counts[MESSAGES] = messages[1];
    counts[COPIED] = copied;
    counts[BY_KERNEL] = copied_by_kernel;
    counts[WRITES] = line_of("/proc/self/io", "syscw:");
}

/* Of all ranks since the last call, and of the rank that has most. */
static void tell(const char *phase) {
    static long before[COUNTS];
    long now[COUNTS] = {0}, since[COUNTS], all[COUNTS], most[COUNTS];
    int rank;

    count(now);
    for (int i = 0; i < COUNTS; ++i) {
        since[i] = now[i] - before[i];
    }
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Reduce(since, all, COUNTS, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Reduce(since, most, COUNTS, MPI_LONG, MPI_MAX, 0, MPI_COMM_WORLD);
    if (0 == rank && NULL != phase) {
        printf("%s", phase);
        for (int i = 0; i < COUNTS; ++i) {
            printf(" %ld %ld", all[i], most[i]);
        }
        printf("\n");
    }
    MPI_Barrier(MPI_COMM_WORLD);
    count(before);
}

int main(int argc, char **argv) {
    const int block = argc > 3 ? atoi(argv[2]) : 0, blocks = argc > 3 ? atoi(argv[3]) : 0;
    int rank, ranks;
    long memory, most, least;
    char *bytes;
    MPI_File file;
    MPI_Datatype view;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (block <= 0 || blocks <= 0) {
        fprintf(stderr, "counts_kernel FILE BLOCK_BYTES BLOCKS_PER_RANK\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    begin_counting();
    bytes = calloc((size_t)blocks, (size_t)block);
    MPI_Type_vector(blocks, block, block * ranks, MPI_BYTE, &view);
    MPI_Type_commit(&view);
    tell(NULL);
    MPI_File_open(MPI_COMM_WORLD, argv[1], MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
    MPI_File_set_view(file, (MPI_Offset)rank * block, MPI_BYTE, view, "native", MPI_INFO_NULL);
    tell("open");
    MPI_File_write_at_all(file, 0, bytes, block * blocks, MPI_BYTE, MPI_STATUS_IGNORE);
    tell("first");
    MPI_File_write_at_all(file, 0, bytes, block * blocks, MPI_BYTE, MPI_STATUS_IGNORE);
    tell("repeated");
    MPI_File_close(&file);
    tell("close");
    memory = line_of("/proc/self/status", "VmHWM:");
    MPI_Reduce(&memory, &most, 1, MPI_LONG, MPI_MAX, 0, MPI_COMM_WORLD);
    MPI_Reduce(&memory, &least, 1, MPI_LONG, MPI_MIN, 0, MPI_COMM_WORLD);
    if (0 == rank) {
        printf("memory %ld %ld\n", most, least);
    }
    MPI_Type_free(&view);
    free(bytes);
    MPI_Finalize();
    return 0;
}
