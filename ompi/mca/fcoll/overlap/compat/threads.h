/*
 * SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The overlap project
 *
 * What Open MPI's headers need of its pthreads component, whose own headers 5.0 and 6.x do not install. The sizes that
 * follow from it are compared with those of the library at configure time (config/overlap_check_ompi.m4). For the build
 * outside of Open MPI's source tree only.
 */
#ifndef MCA_FCOLL_OVERLAP_COMPAT_THREADS_H
#define MCA_FCOLL_OVERLAP_COMPAT_THREADS_H

#include "opal_config.h"

#include "opal/constants.h"

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>

/* Every header that includes a part of the component gets all of it. */
#undef MCA_threads_base_include_HEADER
#undef MCA_threads_mutex_base_include_HEADER
#undef MCA_threads_tsd_base_include_HEADER
#define MCA_threads_base_include_HEADER "compat/threads.h"
#define MCA_threads_mutex_base_include_HEADER "compat/threads.h"
#define MCA_threads_tsd_base_include_HEADER "compat/threads.h"

typedef pthread_mutex_t opal_thread_internal_mutex_t;
typedef pthread_cond_t opal_thread_internal_cond_t;
typedef pthread_key_t opal_tsd_key_t;

#define OPAL_THREAD_INTERNAL_MUTEX_INITIALIZER PTHREAD_MUTEX_INITIALIZER
#define OPAL_THREAD_INTERNAL_COND_INITIALIZER PTHREAD_COND_INITIALIZER

static inline int overlap_status_of_pthreads(int error) { return 0 == error ? OPAL_SUCCESS : OPAL_ERR_IN_ERRNO; }

static inline int opal_thread_internal_mutex_init(pthread_mutex_t *mutex, bool recursive) {
    pthread_mutexattr_t attributes;
    int error = pthread_mutexattr_init(&attributes);

    if (0 == error) {
        pthread_mutexattr_settype(&attributes, recursive ? PTHREAD_MUTEX_RECURSIVE : PTHREAD_MUTEX_DEFAULT);
        error = pthread_mutex_init(mutex, &attributes);
        pthread_mutexattr_destroy(&attributes);
    }
    return overlap_status_of_pthreads(error);
}
static inline void opal_thread_internal_mutex_destroy(pthread_mutex_t *mutex) { pthread_mutex_destroy(mutex); }
static inline int opal_thread_internal_mutex_trylock(pthread_mutex_t *mutex) { return 0 != pthread_mutex_trylock(mutex); }
static inline void opal_thread_internal_mutex_lock(pthread_mutex_t *mutex) { pthread_mutex_lock(mutex); }
static inline void opal_thread_internal_mutex_unlock(pthread_mutex_t *mutex) { pthread_mutex_unlock(mutex); }

static inline int opal_thread_internal_cond_init(pthread_cond_t *condition) {
    return overlap_status_of_pthreads(pthread_cond_init(condition, NULL));
}
static inline void opal_thread_internal_cond_destroy(pthread_cond_t *condition) { pthread_cond_destroy(condition); }
static inline void opal_thread_internal_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex) {
    pthread_cond_wait(condition, mutex);
}
static inline void opal_thread_internal_cond_signal(pthread_cond_t *condition) { pthread_cond_signal(condition); }
static inline void opal_thread_internal_cond_broadcast(pthread_cond_t *condition) { pthread_cond_broadcast(condition); }

static inline int opal_tsd_key_delete(opal_tsd_key_t key) { return overlap_status_of_pthreads(pthread_key_delete(key)); }
static inline int opal_tsd_set(opal_tsd_key_t key, void *value) {
    return overlap_status_of_pthreads(pthread_setspecific(key, value));
}
static inline int opal_tsd_get(opal_tsd_key_t key, void **value) {
    *value = pthread_getspecific(key);
    return OPAL_SUCCESS;
}

extern void (*opal_threads_pthreads_yield_fn)(void);
static inline void opal_thread_yield(void) { opal_threads_pthreads_yield_fn(); }

#endif
