/*
 * SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The overlap project
 *
 * Nonblocking collective calls. Each is the blocking call, in the fiber of its file, and a request that is complete when it
 * ends. The operations of a file run one after the other, or several as one, in the order in which all ranks start them; a
 * blocking call and a new view wait for them. They run in the progress of Open MPI, that is, in any call of MPI that waits
 * or tests, and do not wait there.
 *
 * What is waited for in a fiber are requests of point-to-point messages and of nonblocking collectives, and the I/O engine.
 * Windows have no epochs that begin without waiting, so the shuffles are messages.
 */
#include "nonblocking.h"

#include "ompi/request/request.h"
#include "opal/runtime/opal_progress.h"

typedef struct mca_fcoll_overlap_operation_t {
    ompi_request_t request; /* first: what the program holds */
    struct mca_fcoll_overlap_operation_t *next;
    mca_fcoll_overlap_module_t *module;
    overlap_direction direction;
    enum { WAITS = 0, LEFT, RUNS, ENDED } state; /* from LEFT on the file's fiber is its own; RUNS: a thread is in it */
    uint64_t pass;                               /* of progress that came to it last */
    uint64_t call;                               /* of the file, that started it; as module->call */
    overlap_access access;                       /* whose blocks are its own */
    bool freed;                                  /* by the program, before it was complete */
} mca_fcoll_overlap_operation_t;

/* In the order of their starts, of all files. The lock is free while a thread is in a fiber. */
static mca_fcoll_overlap_operation_t *operations = NULL;
static pthread_mutex_t operations_lock = PTHREAD_MUTEX_INITIALIZER;
static bool registered = false;
static _Thread_local bool in_progress = false;

static void release_operation(mca_fcoll_overlap_operation_t *operation) {
    OMPI_REQUEST_FINI(&operation->request);
    OBJ_RELEASE(operation);
}

/* With the lock: the program may see that the request is complete before the thread that completes it has left it. */
static int free_operation(ompi_request_t **request) {
    mca_fcoll_overlap_operation_t *operation = (mca_fcoll_overlap_operation_t *)*request;

    *request = MPI_REQUEST_NULL;
    pthread_mutex_lock(&operations_lock);
    if (REQUEST_COMPLETE(&operation->request)) {
        release_operation(operation);
    } else {
        operation->freed = true;
    }
    pthread_mutex_unlock(&operations_lock);
    return OMPI_SUCCESS;
}

/* It cannot be: other ranks take part in it. */
static int cancel_operation(ompi_request_t *request, int complete) { return OMPI_SUCCESS; }

static void construct_operation(mca_fcoll_overlap_operation_t *operation) {
    memset((char *)operation + sizeof(operation->request), 0, sizeof(*operation) - sizeof(operation->request));
    operation->request.req_type = OMPI_REQUEST_IO;
    operation->request.req_free = free_operation;
    operation->request.req_cancel = cancel_operation;
}

OBJ_CLASS_DECLARATION(mca_fcoll_overlap_operation_t);
OBJ_CLASS_INSTANCE(mca_fcoll_overlap_operation_t, ompi_request_t, construct_operation, NULL);

/* The first of a file, NULL where there is none. With the lock. */
static mca_fcoll_overlap_operation_t *first_operation_of(const mca_fcoll_overlap_module_t *module) {
    mca_fcoll_overlap_operation_t *one = operations;

    while (NULL != one && module != one->module) {
        one = one->next;
    }
    return one;
}

/* With the lock, as everything that changes the list. Progress reads its head without the lock. */
static void finish_operation(mca_fcoll_overlap_operation_t *operation) {
    mca_fcoll_overlap_operation_t **link = &operations;

    while (operation != *link) {
        link = &(*link)->next;
    }
    __atomic_store_n(link, operation->next, __ATOMIC_RELAXED);
    free((void *)operation->access.memory.blocks);
    free((void *)operation->access.file.blocks);
    ompi_request_complete(&operation->request, true);
    if (operation->freed) {
        release_operation(operation);
    }
}

/* In a fiber. The operations of the file that follow `argument` in the same direction may be done with it as one call. After
 * an error, which all ranks have, each is done again by itself: which of their bytes are in the file is not known before. */
static void run_operation(void *argument) {
    mca_fcoll_overlap_operation_t *first = argument, *all[OVERLAP_PENDING_MAX];
    const overlap_access *accesses[OVERLAP_PENDING_MAX];
    size_t counts[OVERLAP_PENDING_MAX], count = 0, joined = 1, alone = 1, done = 0;
    int errors[OVERLAP_PENDING_MAX], error;

    pthread_mutex_lock(&operations_lock);
    for (mca_fcoll_overlap_operation_t *one = first; NULL != one && count < OVERLAP_PENDING_MAX; one = one->next) {
        if (one->module == first->module) {
            if (one->direction != first->direction) {
                break;
            }
            all[count] = one;
            accesses[count++] = &one->access;
        }
    }
    pthread_mutex_unlock(&operations_lock);
    error = mca_fcoll_overlap_transfer_pending(first->module, first->direction, accesses, count, &joined, &done);
    for (size_t i = 0; i < joined; ++i) {
        errors[i] = error;
        counts[i] = done < accesses[i]->bytes ? done : accesses[i]->bytes;
        done -= counts[i];
        if (OVERLAP_SUCCESS != error && joined > 1) {
            errors[i] =
                mca_fcoll_overlap_transfer_pending(first->module, first->direction, &accesses[i], 1, &alone, &counts[i]);
        }
    }
    pthread_mutex_lock(&operations_lock); /* who sees that one has ended may free it */
    first->state = ENDED;                 /* it is finished when its fiber has been left */
    for (size_t i = 0; i < joined; ++i) {
        all[i]->request.req_status.MPI_ERROR = mca_fcoll_overlap_class_of_error(errors[i]);
        all[i]->request.req_status._ucount = counts[i];
        if (first != all[i]) {
            finish_operation(all[i]);
        }
    }
    pthread_mutex_unlock(&operations_lock);
}

/* The first of its file that nobody is in and this pass has not come to. With the lock. */
static mca_fcoll_overlap_operation_t *next_operation(uint64_t pass) {
    for (mca_fcoll_overlap_operation_t *one = operations; NULL != one; one = one->next) {
        if (one->state < RUNS && one->pass < pass && one == first_operation_of(one->module)) {
            return one;
        }
    }
    return NULL;
}

bool mca_fcoll_overlap_operations_pending(void) { return NULL != __atomic_load_n(&operations, __ATOMIC_RELAXED); }

uint64_t mca_fcoll_overlap_operations_call(const mca_fcoll_overlap_module_t *module) {
    const mca_fcoll_overlap_operation_t *first;
    uint64_t call;

    pthread_mutex_lock(&operations_lock);
    first = first_operation_of(module);
    call = NULL == first ? 0 : first->call;
    pthread_mutex_unlock(&operations_lock);
    return call;
}

/* Continues each operation that can be, once. A message that starts inside of a fiber may come here, too: then nothing is
 * done. */
static int progress_operations(void) {
    static uint64_t passes = 0;
    mca_fcoll_overlap_operation_t *operation;
    uint64_t pass;
    int ended = 0;

    if (in_progress || !mca_fcoll_overlap_operations_pending()) {
        return 0;
    }
    in_progress = true;
    pthread_mutex_lock(&operations_lock);
    pass = ++passes;
    while (NULL != (operation = next_operation(pass))) {
        mca_fcoll_overlap_fiber_t *const fiber = operation->module->fiber;
        const bool begins = WAITS == operation->state;

        operation->pass = pass;
        operation->state = RUNS;
        pthread_mutex_unlock(&operations_lock);
        if (begins) {
            mca_fcoll_overlap_fiber_begin(fiber, run_operation, operation);
        }
        mca_fcoll_overlap_fiber_resume(fiber);
        pthread_mutex_lock(&operations_lock);
        if (ENDED == operation->state) {
            finish_operation(operation);
            ++ended;
        } else {
            operation->state = LEFT;
        }
    }
    pthread_mutex_unlock(&operations_lock);
    in_progress = false;
    return ended;
}

/* What cannot be copied is an error of the call, which all ranks have to come to. */
static void copy_file_blocks(overlap_access *access) {
    const size_t bytes = access->file.block_count * sizeof(*access->file.blocks);
    struct iovec *copy = malloc(bytes > 0 ? bytes : 1);

    if (NULL == copy) {
        access->error = OVERLAP_ERR_NO_MEM;
    } else if (bytes > 0) {
        memcpy(copy, access->file.blocks, bytes);
    }
    access->file.blocks = copy;
}

/* Puts it behind those that were started before. Returns whether Open MPI's progress comes to it. */
static bool append_operation(mca_fcoll_overlap_operation_t *operation) {
    mca_fcoll_overlap_operation_t **link = &operations;
    bool comes;

    pthread_mutex_lock(&operations_lock);
    while (NULL != *link) {
        link = &(*link)->next;
    }
    __atomic_store_n(link, operation, __ATOMIC_RELAXED);
    registered = registered || OPAL_SUCCESS == opal_progress_register(progress_operations);
    comes = registered;
    pthread_mutex_unlock(&operations_lock);
    return comes;
}

/* Whether it is under way, the first of its file, and messages could bring it further. Its pace changes where nobody is in
 * it. */
static bool can_go_ahead(const mca_fcoll_overlap_operation_t *operation, mca_fcoll_overlap_pace_t *pace) {
    bool can;

    pthread_mutex_lock(&operations_lock);
    can = !REQUEST_COMPLETE(&operation->request) && operation == first_operation_of(operation->module);
    if (can && LEFT == operation->state) {
        *pace = mca_fcoll_overlap_fiber_pace(operation->module->fiber);
        can = !pace->for_the_file;
    }
    pthread_mutex_unlock(&operations_lock);
    return can;
}

/* A start continues as long as there are sub-buffers to fill; then the I/O engine has something to do while the program
 * computes. It waits no longer than `patience` for an answer of others, who may not have come. When they have and it is
 * known how long the operation takes, answers may take a part of that, as messages may be slow, and the start another part.
 * What the start leaves is done in other calls of MPI; for a program that makes none while it computes only the start can
 * keep the file busy. */
static void go_ahead(mca_fcoll_overlap_operation_t *operation, double patience) {
    const double part = 0.25;
    mca_fcoll_overlap_pace_t before = {0}, pace = {0};
    double last = mca_fcoll_overlap_seconds(), end = 0;

    opal_progress();
    while (can_go_ahead(operation, &pace)) {
        const double now = mca_fcoll_overlap_seconds(), slow = part * pace.expected / 4;

        if (pace.expected != before.expected) {
            end = now + part * pace.expected;
        }
        if (pace.advances != before.advances) {
            last = now;
        }
        if ((pace.expected > 0 && now >= end) || now >= last + (slow > patience ? slow : patience)) {
            break;
        }
        before = pace;
        opal_progress();
    }
}

/* Where there is no memory for a request the call ends here: the others are in it, and need this rank. */
int mca_fcoll_overlap_operation_start(mca_fcoll_overlap_module_t *module, overlap_direction direction,
                                      const overlap_access *access, double patience, ompi_request_t **request) {
    mca_fcoll_overlap_operation_t *const made = OBJ_NEW(mca_fcoll_overlap_operation_t);
    mca_fcoll_overlap_operation_t here, *const operation = NULL == made ? &here : made;

    if (NULL == made) {
        OBJ_CONSTRUCT(&here, mca_fcoll_overlap_operation_t);
    }
    OMPI_REQUEST_INIT(&operation->request, false);
    operation->request.req_status = ompi_status_empty;
    operation->request.req_state = OMPI_REQUEST_ACTIVE;
    operation->request.req_mpi_object.file = module->fh->f_fh;
    operation->module = module;
    operation->direction = direction;
    operation->call = module->call;
    operation->access = *access;
    copy_file_blocks(&operation->access);
    if (!append_operation(operation) || NULL == made) {
        mca_fcoll_overlap_operations_wait(module);
    } else if (patience > 0) {
        go_ahead(operation, patience);
    }
    *request = NULL == made ? &ompi_request_empty : &made->request;
    if (NULL != made) {
        return OMPI_SUCCESS;
    }
    OMPI_REQUEST_FINI(&here.request);
    OBJ_DESTRUCT(&here);
    return here.request.req_status.MPI_ERROR;
}

/* Also where Open MPI's progress does not come to them. */
void mca_fcoll_overlap_operations_wait(const mca_fcoll_overlap_module_t *module) {
    const mca_fcoll_overlap_operation_t *first;

    do {
        pthread_mutex_lock(&operations_lock);
        first = first_operation_of(module);
        pthread_mutex_unlock(&operations_lock);
        if (NULL != first) {
            opal_progress();
            progress_operations();
        }
    } while (NULL != first);
}

/* The file's number may be another file's by now, and its handle is freed before its requests. */
void mca_fcoll_overlap_operations_end(mca_fcoll_overlap_module_t *module) {
    pthread_mutex_lock(&operations_lock);
    for (mca_fcoll_overlap_operation_t *one = operations; NULL != one; one = one->next) {
        if (one->module == module) {
            module->fh->fd = -1;
            one->request.req_mpi_object.file = &ompi_mpi_file_null.file;
        }
    }
    pthread_mutex_unlock(&operations_lock);
    mca_fcoll_overlap_operations_wait(module);
    pthread_mutex_lock(&operations_lock);
    if (registered && NULL == operations) {
        opal_progress_unregister(progress_operations);
        registered = false;
    }
    pthread_mutex_unlock(&operations_lock);
}
