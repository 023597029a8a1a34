/*
 * SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The overlap project
 *
 * How much memory a collective write takes on each rank: blocks of the ranks alternate in one file.
 *
 *     memory_kernel FILE BLOCK_BYTES BLOCKS_PER_RANK [random]
 *
 * random: they are dealt at random, about so many to a rank, so that no two of a rank need be equally far apart.
 *
 * Prints, for the rank that needed the most and for the one that needed the least, by how many KiB the peak of the resident
 * set grew during the write. Where there are aggregators and others, these are one of each.
 */
#include <mpi.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The peak of the resident set in KiB (proc(5), VmHWM), set back to the present size before. */
static long peak(int reset) {
    char line[256];
    long kib = -1;
    if (reset) {
        FILE *clear = fopen("/proc/self/clear_refs", "w");
        if (NULL != clear) {
            fputs("5", clear);
            fclose(clear);
        }
    }
    FILE *status = fopen("/proc/self/status", "r");
    while (NULL != fgets(line, sizeof(line), status)) {
        sscanf(line, "VmHWM: %ld", &kib);
    }
    fclose(status);
    return kib;
}

/* The view of the blocks that are dealt to `rank`; `count` becomes their number. The same deal on all ranks. */
static MPI_Datatype random_view(int rank, int ranks, int block, int blocks, int *count) {
    MPI_Aint *places = malloc(sizeof(MPI_Aint) * 2 * (size_t)blocks);
    MPI_Datatype type;
    unsigned long drawn = 1;

    *count = 0;
    for (long i = 0; i < (long)ranks * blocks; ++i) {
        drawn = drawn * 6364136223846793005ul + 1442695040888963407ul; /* Knuth's MMIX */
        if ((int)((drawn >> 33) % (unsigned)ranks) == rank && *count < 2 * blocks) {
            places[(*count)++] = (MPI_Aint)i * block;
        }
    }
    MPI_Type_create_hindexed_block(*count, block, places, MPI_BYTE, &type);
    free(places);
    return type;
}

int main(int argc, char **argv) {
    int rank, ranks;
    long most, least;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const int block = atoi(argv[2]);
    const int random = argc > 4 && 0 == strcmp(argv[4], "random");
    int blocks = atoi(argv[3]);

    MPI_Datatype type;
    MPI_File file;
    if (random) {
        type = random_view(rank, ranks, block, blocks, &blocks);
    } else {
        MPI_Type_vector(blocks, block, block * ranks, MPI_BYTE, &type);
    }
    MPI_Type_commit(&type);
    char *data = malloc((size_t)block * (size_t)blocks);
    memset(data, rank, (size_t)block * (size_t)blocks);
    MPI_File_open(MPI_COMM_WORLD, argv[1], MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file);
    MPI_File_set_view(file, random ? 0 : (MPI_Offset)rank * block, MPI_BYTE, type, "native", MPI_INFO_NULL);
    /* A first message between all pairs, so that what MPI itself keeps for its peers is there before. */
    char *first = calloc((size_t)ranks * 8192, 2);
    MPI_Alltoall(first, 8192, MPI_BYTE, first + (size_t)ranks * 8192, 8192, MPI_BYTE, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
    const long before = peak(1);
    MPI_File_write_all(file, data, block * blocks, MPI_BYTE, MPI_STATUS_IGNORE);
    const long grown = peak(0) - before;
    MPI_File_close(&file);

    MPI_Reduce(&grown, &most, 1, MPI_LONG, MPI_MAX, 0, MPI_COMM_WORLD);
    MPI_Reduce(&grown, &least, 1, MPI_LONG, MPI_MIN, 0, MPI_COMM_WORLD);
    if (0 == rank) {
        printf("%d ranks: most %ld KiB, least %ld KiB\n", ranks, most, least);
        remove(argv[1]);
    }
    MPI_Finalize();
    return 0;
}
