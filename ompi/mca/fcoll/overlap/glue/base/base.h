/*
 * SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The overlap project
 *
 * What all of the glue uses: errors, messages to the user, a clock.
 */
#ifndef MCA_FCOLL_OVERLAP_BASE_H
#define MCA_FCOLL_OVERLAP_BASE_H

#include "../../fcoll_overlap.h"

#include "opal/util/output.h"
#include "opal/util/show_help.h"

#include <pthread.h>
#include <time.h>

/* errors.c: the overlap_error for an errno, for what a function of Open MPI returns (an OMPI_ERR_* or an MPI error class),
 * and the MPI error class for an overlap_error. */
int mca_fcoll_overlap_error_of_errno(int error);
int mca_fcoll_overlap_error_of_ompi(int error);
int mca_fcoll_overlap_class_of_error(int error);

/* The file of a port, whose `self` is the module. */
static inline ompio_file_t *mca_fcoll_overlap_fh(const void *self) { return ((const mca_fcoll_overlap_module_t *)self)->fh; }

/* errors.c: the overlap_error for what a call of Open MPI returned, with a note of an error; `peer` is -1 where all ranks
 * take part. Give up: ends the job with a message, as other ranks wait for the call that failed, and would for ever. */
int mca_fcoll_overlap_error_of_call(const void *self, const char *call, int peer, int ret);
void mca_fcoll_overlap_give_up(const void *self, const char *call, int peer, int ret);

/* errors.c: a line on stderr for the user who turned on verbose output. From any thread, so not by opal_output, which takes
 * its lock only in programs that have threads of their own (OPAL_THREAD_LOCK). */
void mca_fcoll_overlap_note(const void *self, const char *format, ...) __attribute__((format(printf, 2, 3)));
static inline bool mca_fcoll_overlap_is_verbose(void) {
    return opal_output_get_verbosity(ompi_fcoll_base_framework.framework_output) >= 1;
}

/* A message of help-fcoll-overlap.txt: its topic, and what its text leaves open. Threads with a file each may have one at
 * the same time, and Open MPI reads the texts with a scanner that the process has once: two threads in it end the job. */
#ifdef MCA_FCOLL_OVERLAP_OWN_HELP
#    define MCA_FCOLL_OVERLAP_HELP mca_fcoll_overlap_help
void mca_fcoll_overlap_help(const char *topic, ...);
#else
#    define MCA_FCOLL_OVERLAP_HELP(topic, ...)                                                                              \
        do {                                                                                                                \
            pthread_mutex_lock(&mca_fcoll_overlap_help_lock);                                                               \
            opal_show_help("help-fcoll-overlap.txt", topic, true, __VA_ARGS__);                                             \
            pthread_mutex_unlock(&mca_fcoll_overlap_help_lock);                                                             \
        } while (0)
extern pthread_mutex_t mca_fcoll_overlap_help_lock;
#endif

static inline void mca_fcoll_overlap_pause(long nanoseconds) { nanosleep(&(struct timespec){0, nanoseconds}, NULL); }

/* Of a clock that only goes forward. */
static inline double mca_fcoll_overlap_seconds(void) {
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

#endif
