/*
 * SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The overlap project
 *
 * What all of the glue uses: errors, messages to the user, a clock.
 */
#ifndef MCA_FCOLL_OVERLAP_BASE_H
#define MCA_FCOLL_OVERLAP_BASE_H

#include "../../fcoll_overlap.h"

#include "opal/util/show_help.h"

#include <pthread.h>
#include <time.h>

/* errors.c: the overlap_error for an errno, for what a function of Open MPI returns (an OMPI_ERR_* or an MPI error class),
 * and the MPI error class for an overlap_error. */
int mca_fcoll_overlap_error_of_errno(int error);
int mca_fcoll_overlap_error_of_ompi(int error);
int mca_fcoll_overlap_class_of_error(int error);

/* errors.c: the overlap_error for what a call of Open MPI returned, with a line for the user who turned on verbose output;
 * `peer` is -1 where all ranks take part. */
int mca_fcoll_overlap_report(const ompio_file_t *fh, const char *call, int peer, int ret);

/* errors.c: ends the job, with a message: a call failed that other ranks wait for, and would for ever. */
void mca_fcoll_overlap_give_up(const ompio_file_t *fh, const char *call, int peer, int ret);

/* errors.c: what is to be done before the first message. */
void mca_fcoll_overlap_find_help(void);

/* A message of help-fcoll-overlap.txt: its topic, and what its text leaves open. Threads with a file each may have one at
 * the same time, and 4.1 reads the texts with a scanner that the process has once: two threads in it end the job. */
extern pthread_mutex_t mca_fcoll_overlap_help_lock;
#ifdef MCA_FCOLL_OVERLAP_OWN_HELP
void mca_fcoll_overlap_help(const char *topic, ...);
#    define MCA_FCOLL_OVERLAP_SHOW(...) mca_fcoll_overlap_help(__VA_ARGS__)
#else
#    define MCA_FCOLL_OVERLAP_SHOW(topic, ...) opal_show_help("help-fcoll-overlap.txt", topic, true, __VA_ARGS__)
#endif
#define MCA_FCOLL_OVERLAP_HELP(...)                                                                                         \
    do {                                                                                                                    \
        pthread_mutex_lock(&mca_fcoll_overlap_help_lock);                                                                   \
        MCA_FCOLL_OVERLAP_SHOW(__VA_ARGS__);                                                                                \
        pthread_mutex_unlock(&mca_fcoll_overlap_help_lock);                                                                 \
    } while (0)

/* errors.c: a line for the user who turned on verbose output. From any thread. */
void mca_fcoll_overlap_note(const mca_fcoll_overlap_module_t *module, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Of a clock that only goes forward. */
static inline double mca_fcoll_overlap_seconds(void) {
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

#endif
