/*
 * What the calls on windows cost that the one-sided shuffles are made of, in microseconds, medians of the slowest rank:
 *
 *     window_kernel [BYTES]
 *
 * A window of 2 MiB on rank 0; every other rank puts BYTES (default 4096) in each epoch. Compared are fences with and
 * without assertions, and a lock and unlock for each epoch with one lock of all ranks at the start and a flush for each
 * epoch.
 */
#include <mpi.h>

#include <stdio.h>
#include <stdlib.h>

enum { ROUNDS = 101, WINDOW = 2 << 20 };

static int by_value(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The median over the rounds of the longest time of any rank. */
static double median(double *seconds) {
    MPI_Allreduce(MPI_IN_PLACE, seconds, ROUNDS, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    qsort(seconds, ROUNDS, sizeof(*seconds), by_value);
    return seconds[ROUNDS / 2] * 1e6;
}

typedef struct context_t {
    int rank, ranks, bytes;
    char *data;
    MPI_Win window;
} context_t;

static void put(const context_t *context) {
    if (0 != context->rank) {
        MPI_Put(context->data, context->bytes, MPI_BYTE, 0, (MPI_Aint)context->bytes * context->rank, context->bytes,
                MPI_BYTE, context->window);
    }
}

static void fence_pair(const context_t *context, int opens, int closes) {
    MPI_Win_fence(opens, context->window);
    put(context);
    MPI_Win_fence(closes, context->window);
}

static void plain_fences(const context_t *context) { fence_pair(context, 0, 0); }

static void asserted_fences(const context_t *context) {
    const int no_target = 0 == context->rank ? 0 : MPI_MODE_NOSTORE | MPI_MODE_NOPUT;
    fence_pair(context, MPI_MODE_NOPRECEDE | no_target, MPI_MODE_NOSUCCEED | MPI_MODE_NOSTORE | MPI_MODE_NOPUT);
}

static void lock_unlock(const context_t *context) {
    if (0 != context->rank) {
        MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, context->window);
        put(context);
        MPI_Win_unlock(0, context->window);
    }
}

static void flush(const context_t *context) {
    if (0 != context->rank) {
        put(context);
        MPI_Win_flush(0, context->window);
    }
}

static double time_of(void (*epoch)(const context_t *), const context_t *context) {
    double seconds[ROUNDS];
    for (int i = 0; i < ROUNDS; ++i) {
        MPI_Barrier(MPI_COMM_WORLD);
        const double start = MPI_Wtime();
        epoch(context);
        seconds[i] = MPI_Wtime() - start;
    }
    return median(seconds);
}

static double time_of_allocation(const context_t *context) {
    double seconds[ROUNDS];
    for (int i = 0; i < ROUNDS; ++i) {
        MPI_Win window;
        void *memory;
        MPI_Barrier(MPI_COMM_WORLD);
        const double start = MPI_Wtime();
        MPI_Win_allocate(0 == context->rank ? WINDOW : 0, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
        MPI_Win_free(&window);
        seconds[i] = MPI_Wtime() - start;
    }
    return median(seconds);
}

int main(int argc, char **argv) {
    context_t context;
    void *memory;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &context.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &context.ranks);
    context.bytes = argc > 1 ? atoi(argv[1]) : 4096;
    context.data = calloc(1, (size_t)context.bytes);
    if (NULL == context.data || context.bytes > WINDOW / context.ranks) {
        fprintf(stderr, "window_kernel: at most %d bytes\n", WINDOW / context.ranks);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    const double allocation = time_of_allocation(&context);
    MPI_Win_allocate(0 == context.rank ? WINDOW : 0, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &context.window);
    const double plain = time_of(plain_fences, &context);
    MPI_Win_fence(MPI_MODE_NOSUCCEED, context.window);
    const double asserted = time_of(asserted_fences, &context);
    const double locked = time_of(lock_unlock, &context);
    MPI_Win_lock_all(0, context.window);
    const double flushed = time_of(flush, &context);
    MPI_Win_unlock_all(context.window);
    MPI_Win_free(&context.window);
    if (0 == context.rank) {
        printf("allocate+free %.0f, fences %.0f, with assertions %.0f, lock+unlock %.0f, flush under lock_all %.0f\n",
               allocation, plain, asserted, locked, flushed);
    }
    free(context.data);
    MPI_Finalize();
    return 0;
}
