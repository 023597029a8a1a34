/*
 * SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The overlap project
 *
 * What a rank has done with a file since it was opened, of writes and of reads each. Counted always; a row of the tables
 * says what each number is, for whoever shows them.
 */
#ifndef OVERLAP_ENGINE_BASE_COUNTERS_H
#define OVERLAP_ENGINE_BASE_COUNTERS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum overlap_count {
    OVERLAP_COUNT_CALLS = 0,
    OVERLAP_COUNT_NONBLOCKING,
    OVERLAP_COUNT_INDEPENDENT,
    OVERLAP_COUNT_MERGED,
    OVERLAP_COUNT_FAILED,
    OVERLAP_COUNT_PLANS,
    OVERLAP_COUNT_BYTES,
    OVERLAP_COUNT_PIECES,
    OVERLAP_COUNT_CYCLES,
    OVERLAP_COUNT_BYTES_TO_SELF,
    OVERLAP_COUNT_BYTES_TO_NODE,
    OVERLAP_COUNT_BYTES_TO_NETWORK,
    OVERLAP_COUNT_BYTES_FROM_NETWORK,
    OVERLAP_COUNT_BYTES_OF_FILE,
    OVERLAP_COUNT_SIEVED,
    OVERLAP_COUNT_BYTES_SIEVED,
    OVERLAP_COUNTS
} overlap_count;

/* Seconds. The first six are all that a call consists of, one after the other, so that they add up to `elapsed`; the others
 * are measured beside them. */
typedef enum overlap_time {
    OVERLAP_TIME_ENTRY = 0,
    OVERLAP_TIME_PLANNING,
    OVERLAP_TIME_COPY,
    OVERLAP_TIME_SHUFFLE,
    OVERLAP_TIME_FILE,
    OVERLAP_TIME_FINISH,
    OVERLAP_TIME_ELAPSED,
    OVERLAP_TIME_STEPS,
    OVERLAP_TIME_SHUFFLE_UNDER_WAY,
    OVERLAP_TIME_FILE_UNDER_WAY,
    OVERLAP_TIME_SHORTER,
    OVERLAP_TIME_ALONE,
    OVERLAP_TIMES
} overlap_time;

/* Written by the thread that makes the MPI call, but for what is sieved, which the thread of an I/O engine adds to. */
typedef struct overlap_counters {
    int64_t counts[OVERLAP_COUNTS];
    double seconds[OVERLAP_TIMES];
} overlap_counters;

typedef struct overlap_counter_row {
    const char *name; /* without a space */
    const char *help; /* one line */
} overlap_counter_row;

/* In the order of the enumerators; entry.h's library defines them. */
extern const overlap_counter_row overlap_count_rows[];
extern const overlap_counter_row overlap_time_rows[];

#ifdef __cplusplus
}
#endif

#endif
