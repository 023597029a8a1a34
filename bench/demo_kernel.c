/*
 * SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The overlap project
 *
 * IOR-like: the blocks of the ranks alternate in one file, each rank holds its blocks contiguously in memory and writes them
 * in one collective call. Rank 0 then reads the file back with POSIX calls and compares every byte.
 *
 *     demo_kernel FILE BLOCK_BYTES BLOCKS_PER_RANK REPETITIONS
 *
 * Prints the seconds of each repetition, one a line; each writes a new file. Exit code 1 where a byte is wrong or a call
 * fails.
 */
#include <mpi.h>

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What belongs at a file offset: every byte depends on all bits of its 8-byte word's number. */
static unsigned char byte_at(uint64_t offset) {
    uint64_t word = (offset / 8 + 1) * UINT64_C(0x9e3779b97f4a7c15);
    word ^= word >> 29;
    return (unsigned char)(word >> (8 * (offset % 8)));
}

static void check(int code, const char *what) {
    if (code != MPI_SUCCESS) {
        char text[MPI_MAX_ERROR_STRING];
        int length;
        MPI_Error_string(code, text, &length);
        fprintf(stderr, "demo_kernel: %s: %s\n", what, text);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
}

/* Returns 1 where the file has exactly the bytes that the ranks wrote. */
static int verify(const char *path, uint64_t bytes) {
    static unsigned char buffer[1 << 20];
    uint64_t offset = 0;
    const int file = open(path, O_RDONLY);
    if (file < 0) {
        fprintf(stderr, "demo_kernel: %s: %s\n", path, strerror(errno));
        return 0;
    }
    for (;;) {
        const ssize_t got = read(file, buffer, sizeof(buffer));
        if (got <= 0) {
            break;
        }
        for (ssize_t i = 0; i < got; i++, offset++) {
            if (buffer[i] != byte_at(offset)) {
                fprintf(stderr, "demo_kernel: %s: wrong byte at offset %llu\n", path, (unsigned long long)offset);
                close(file);
                return 0;
            }
        }
    }
    close(file);
    if (offset != bytes) {
        fprintf(stderr, "demo_kernel: %s has %llu bytes instead of %llu\n", path, (unsigned long long)offset,
                (unsigned long long)bytes);
        return 0;
    }
    return 1;
}

/* One new file; the seconds that the slowest rank spent in the collective write. */
static double write_file(const char *path, int rank, int ranks, int block, int blocks, const unsigned char *buffer) {
    MPI_Datatype view;
    MPI_File file;
    MPI_Status status;
    double seconds;
    int written;

    if (rank == 0) {
        unlink(path);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Type_vector(blocks, block, block * ranks, MPI_BYTE, &view);
    MPI_Type_commit(&view);
    check(MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file), "open");
    check(MPI_File_set_view(file, (MPI_Offset)rank * block, MPI_BYTE, view, "native", MPI_INFO_NULL), "set_view");
    MPI_Barrier(MPI_COMM_WORLD);
    seconds = MPI_Wtime();
    check(MPI_File_write_all(file, buffer, block * blocks, MPI_BYTE, &status), "write_all");
    seconds = MPI_Wtime() - seconds;
    MPI_Allreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    MPI_Get_count(&status, MPI_BYTE, &written);
    if (written != block * blocks) {
        fprintf(stderr, "demo_kernel: rank %d wrote %d bytes of %d\n", rank, written, block * blocks);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    check(MPI_File_close(&file), "close");
    MPI_Type_free(&view);
    return seconds;
}

int main(int argc, char **argv) {
    int rank, ranks, right = 1;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const int block = argc == 5 ? atoi(argv[2]) : 0;
    const int blocks = argc == 5 ? atoi(argv[3]) : 0;
    if (block < 1 || blocks < 1 || (int64_t)block * blocks > INT32_MAX || (int64_t)block * ranks > INT32_MAX) {
        if (rank == 0) {
            fprintf(stderr, "usage: demo_kernel FILE BLOCK_BYTES BLOCKS_PER_RANK REPETITIONS   (below 2 GiB per rank)\n");
        }
        MPI_Finalize();
        return 2;
    }

    const uint64_t bytes = (uint64_t)block * (uint64_t)blocks;
    unsigned char *buffer = malloc(bytes);
    if (buffer == NULL) {
        fprintf(stderr, "demo_kernel: no memory for %llu bytes\n", (unsigned long long)bytes);
        MPI_Abort(MPI_COMM_WORLD, 1);
        return 1;
    }
    for (uint64_t i = 0; i < bytes; i++) {
        const uint64_t number = i / (uint64_t)block;
        buffer[i] = byte_at((number * (uint64_t)ranks + (uint64_t)rank) * (uint64_t)block + i % (uint64_t)block);
    }
    for (int repetition = 0; right && repetition < atoi(argv[4]); repetition++) {
        const double seconds = write_file(argv[1], rank, ranks, block, blocks, buffer);
        if (rank == 0) {
            right = verify(argv[1], bytes * (uint64_t)ranks);
            printf("%.6f\n", seconds);
            fflush(stdout);
        }
        MPI_Bcast(&right, 1, MPI_INT, 0, MPI_COMM_WORLD);
    }
    free(buffer);
    MPI_Finalize();
    return right ? 0 : 1;
}
