/*
 * What a timeline costs: the same collective write in turns with one file that has a timeline and one that has none, in one
 * job.
 *
 *   mpirun ... trace_kernel FOLDER TRACE BLOCK_BYTES BLOCKS_PER_RANK REPETITIONS
 *
 * Blocks of the ranks in turn. Prints the medians in milliseconds, what the timeline adds to the median in percent, and the
 * means, which have the collections of events in them. The component has to be overlap, as the info key is its own.
 */
#include <mpi.h>

#include <stdio.h>
#include <stdlib.h>

static int compare(const void *a, const void *b) {
    const double first = *(const double *)a, second = *(const double *)b;
    return first < second ? -1 : first > second;
}

static MPI_File open_file(const char *folder, const char *name, const char *trace, int block, int blocks) {
    int rank, ranks;
    char path[4096];
    MPI_Datatype view;
    MPI_File file;
    MPI_Info info;

    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    snprintf(path, sizeof(path), "%s/%s", folder, name);
    MPI_Info_create(&info);
    /* Fixed, as each file would learn for itself. */
    MPI_Info_set(info, "fcoll_overlap_algorithm", "dataflow");
    MPI_Info_set(info, "fcoll_overlap_slots", "4");
    MPI_Info_set(info, "fcoll_overlap_writes", "collective");
    if (trace != NULL) {
        MPI_Info_set(info, "fcoll_overlap_trace", trace);
    }
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
    const int block = argc == 6 ? atoi(argv[3]) : 0, blocks = argc == 6 ? atoi(argv[4]) : 0;
    const int repetitions = argc == 6 ? atoi(argv[5]) : 0;
    if (block < 1 || blocks < 1 || repetitions < 1) {
        if (rank == 0) {
            fprintf(stderr, "usage: trace_kernel FOLDER TRACE BLOCK_BYTES BLOCKS_PER_RANK REPETITIONS\n");
        }
        MPI_Finalize();
        return 2;
    }
    MPI_File plain = open_file(argv[1], "plain", NULL, block, blocks);
    MPI_File traced = open_file(argv[1], "traced", argv[2], block, blocks);
    char *buffer = calloc((size_t)block, (size_t)blocks);
    double *without = malloc((size_t)repetitions * sizeof(double)), *with = malloc((size_t)repetitions * sizeof(double));
    if (buffer == NULL || without == NULL || with == NULL) {
        MPI_Abort(MPI_COMM_WORLD, 1);
        return 1;
    }
    for (int i = -WARM_UPS; i < repetitions; i++) {
        double seconds[2];
        /* Who comes second finds other things in the caches. */
        for (int turn = 0; turn < 2; turn++) {
            const int which = (i + WARM_UPS + turn) % 2;
            seconds[which] = write_once(which == 0 ? plain : traced, buffer, block * blocks);
        }
        if (i >= 0) {
            without[i] = seconds[0];
            with[i] = seconds[1];
        }
    }
    const double mean_without = mean(without, repetitions), mean_with = mean(with, repetitions);
    qsort(without, (size_t)repetitions, sizeof(double), compare);
    qsort(with, (size_t)repetitions, sizeof(double), compare);
    if (rank == 0) {
        const double a = without[repetitions / 2], b = with[repetitions / 2];
        printf("median without %.3f ms, with %.3f ms: %+.2f %%; mean without %.3f ms, with %.3f ms: %+.2f %%\n", 1e3 * a,
               1e3 * b, 100 * (b / a - 1), 1e3 * mean_without, 1e3 * mean_with, 100 * (mean_with / mean_without - 1));
    }
    MPI_File_close(&plain);
    MPI_File_close(&traced);
    free(buffer);
    free(without);
    free(with);
    MPI_Finalize();
    return 0;
}
