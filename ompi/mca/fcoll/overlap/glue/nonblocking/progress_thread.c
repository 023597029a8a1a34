/*
 * SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The overlap project
 *
 * A thread that sees to nonblocking calls while the program computes, for those who ask for it: it looks, sleeps, and ends
 * with the last call. It needs a program that lets several threads call MPI.
 */
#include "nonblocking.h"

#include "ompi/runtime/mpiruntime.h"
#include "opal/runtime/opal_progress.h"

#include <signal.h>
#include <sys/prctl.h>
#include <time.h>

/* Between two looks. Of a long message each look moves on a few fragments only. */
static const struct timespec pause_for_messages = {0, 20000};
static const struct timespec pause_for_files = {0, 200000};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_t thread;
static bool started = false; /* and not joined */
static bool running = false;

/* The decision to end is taken with the lock, so that a start finds a thread that looks once more, or none. */
static bool ends(void) {
    bool end;

    pthread_mutex_lock(&lock);
    end = !mca_fcoll_overlap_operations_pending();
    running = !end;
    pthread_mutex_unlock(&lock);
    return end;
}

static void *see_to_operations(void *unused) {
    (void)unused;
    prctl(PR_SET_TIMERSLACK, 1UL);
    while (!ends()) {
        opal_progress();
        nanosleep(mca_fcoll_overlap_operations_wait_for_messages() ? &pause_for_messages : &pause_for_files, NULL);
    }
    return NULL;
}

/* Of a thread that runs no more, with the lock, which it has given back for the last time. */
static void join(void) {
    if (started) {
        pthread_join(thread, NULL);
        started = false;
    }
}

/* No signal of the program is its business. */
static bool begin(void) {
    sigset_t all, before;
    int ret;

    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    ret = pthread_create(&thread, NULL, see_to_operations, NULL);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return 0 == ret;
}

/* Without a thread the program's calls of MPI do it. */
void mca_fcoll_overlap_progress_thread_start(void) {
    if (!ompi_mpi_thread_multiple) {
        return;
    }
    pthread_mutex_lock(&lock);
    if (!running) {
        join();
        started = begin();
        running = started;
    }
    pthread_mutex_unlock(&lock);
}

void mca_fcoll_overlap_progress_thread_stop(void) {
    bool stopped = false;

    while (!stopped && !mca_fcoll_overlap_operations_pending()) {
        pthread_mutex_lock(&lock);
        stopped = !running;
        if (stopped) {
            join();
        }
        pthread_mutex_unlock(&lock);
        if (!stopped) {
            nanosleep(&pause_for_files, NULL);
        }
    }
}
