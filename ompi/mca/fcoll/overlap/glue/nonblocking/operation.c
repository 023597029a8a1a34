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
#include "operation.h"

#include "opal/runtime/opal_progress.h"

/* In the order of their starts, of all files. The lock is free while a thread is in a fiber. */
static mca_fcoll_overlap_operation_t *operations = NULL;
static pthread_mutex_t operations_lock = PTHREAD_MUTEX_INITIALIZER;
static bool registered = false;
static bool computes_without_calls = false; /* the program, as far as the last operation has shown */
static _Thread_local bool in_progress = false;

OBJ_CLASS_INSTANCE(mca_fcoll_overlap_operation_t, ompi_request_t, NULL, NULL);

static void forget_access(mca_fcoll_overlap_operation_t *operation) {
    free((void *)operation->access.memory.blocks);
    free((void *)operation->access.file.blocks);
    operation->access = (overlap_access){0};
}

static void release(mca_fcoll_overlap_operation_t *operation) {
    OMPI_REQUEST_FINI(&operation->request);
    OBJ_RELEASE(operation);
}

/* With the lock: who has seen that it is complete may be faster than the thread that says so. */
static int request_free(ompi_request_t **request) {
    mca_fcoll_overlap_operation_t *operation = (mca_fcoll_overlap_operation_t *)*request;

    *request = MPI_REQUEST_NULL;
    pthread_mutex_lock(&operations_lock);
    if (REQUEST_COMPLETE(&operation->request)) {
        release(operation);
    } else {
        operation->freed = true;
    }
    pthread_mutex_unlock(&operations_lock);
    return OMPI_SUCCESS;
}

/* Others take part in it. */
static int request_cancel(ompi_request_t *request, int complete) {
    (void)request;
    (void)complete;
    return OMPI_SUCCESS;
}

/* Those of the file that come behind it now, until one goes the other way; it is one of them. */
static size_t pending(mca_fcoll_overlap_operation_t *first, mca_fcoll_overlap_operation_t **all,
                      const overlap_access **accesses) {
    size_t count = 0;

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
    return count;
}

/* In a fiber. An error is that of all that were done as one; which of their bytes a write has done then is not known, so the
 * first ones count. */
static void run(void *argument) {
    mca_fcoll_overlap_operation_t *first = argument, *all[OVERLAP_PENDING_MAX];
    const overlap_access *accesses[OVERLAP_PENDING_MAX];
    const size_t count = pending(first, all, accesses);
    size_t joined = 1, done = 0;
    const int error = first->transfer(first->module, first->direction, accesses, count, &joined, &done);

    pthread_mutex_lock(&operations_lock); /* who sees that one has ended may free it */
    for (size_t i = 0; i < joined; ++i) {
        all[i]->error = error;
        all[i]->done = done < accesses[i]->bytes ? done : accesses[i]->bytes;
        all[i]->ended = true;
        done -= all[i]->done;
    }
    pthread_mutex_unlock(&operations_lock);
}

static bool is_first_of_file(const mca_fcoll_overlap_operation_t *operation) {
    const mca_fcoll_overlap_operation_t *first = operations;
    while (first->module != operation->module) {
        first = first->next;
    }
    return first == operation;
}

static void goes_on(mca_fcoll_overlap_operation_t *operation) {
    mca_fcoll_overlap_fiber_t *fiber = operation->module->fiber;

    if (!operation->began) {
        operation->began = true;
        mca_fcoll_overlap_fiber_begin(fiber, run, operation);
    }
    mca_fcoll_overlap_fiber_resume(fiber);
}

/* `now` may have been asked for before a start ended that looked last. With the lock. */
static void look_at(mca_fcoll_overlap_operation_t *operation, double now) {
    const double without = now - operation->looked_at;

    if (without > 0) {
        operation->looked_at = now;
        operation->longest = without > operation->longest ? without : operation->longest;
    }
}

/* Calls of MPI that are more seldom than that, as a part of what is left of an operation, do not help it. */
static void learn_of_the_program(const mca_fcoll_overlap_operation_t *operation) {
    if (operation->started > 0 && operation->looked_at > operation->started) {
        computes_without_calls = operation->longest > (operation->looked_at - operation->started) / 4;
    }
}

/* With the lock. */
static void finish(mca_fcoll_overlap_operation_t *operation) {
    mca_fcoll_overlap_operation_t **link = &operations;

    while (operation != *link) {
        link = &(*link)->next;
    }
    *link = operation->next;
    learn_of_the_program(operation);
    forget_access(operation);
    operation->request.req_status.MPI_ERROR = mca_fcoll_overlap_class_of_error(operation->error);
    operation->request.req_status._ucount = operation->done;
    ompi_request_complete(&operation->request, true);
    if (operation->freed) {
        release(operation);
    }
}

/* One that has ended, or that nobody is in and this pass has not come to. With the lock. */
static mca_fcoll_overlap_operation_t *next_one(uint64_t pass) {
    for (mca_fcoll_overlap_operation_t *one = operations; NULL != one; one = one->next) {
        if (!one->runs && (one->ended || (one->pass < pass && is_first_of_file(one)))) {
            return one;
        }
    }
    return NULL;
}

/* Each operation that can continue does, once. Progress inside of a fiber, which messages may make, leaves others alone. */
static int progress(void) {
    static uint64_t passes = 0;
    mca_fcoll_overlap_operation_t *operation;
    double now;
    uint64_t pass;
    int ended = 0;

    if (in_progress || NULL == __atomic_load_n(&operations, __ATOMIC_RELAXED)) {
        return 0;
    }
    now = mca_fcoll_overlap_seconds();
    in_progress = true;
    pthread_mutex_lock(&operations_lock);
    pass = ++passes;
    while (NULL != (operation = next_one(pass))) {
        if (operation->ended) {
            finish(operation);
            ++ended;
            continue;
        }
        operation->pass = pass;
        look_at(operation, now);
        operation->runs = true;
        pthread_mutex_unlock(&operations_lock);
        goes_on(operation);
        pthread_mutex_lock(&operations_lock);
        operation->runs = false;
    }
    pthread_mutex_unlock(&operations_lock);
    in_progress = false;
    return ended;
}

static int copy_blocks(overlap_layout *layout) {
    const size_t bytes = layout->block_count * sizeof(*layout->blocks);
    struct iovec *copy = malloc(bytes > 0 ? bytes : 1);

    if (NULL == copy) {
        return OVERLAP_ERR_NO_MEM;
    }
    if (bytes > 0) {
        memcpy(copy, layout->blocks, bytes);
    }
    layout->blocks = copy;
    return OVERLAP_SUCCESS;
}

void mca_fcoll_overlap_operation_prepare(mca_fcoll_overlap_operation_t *operation, mca_fcoll_overlap_module_t *module,
                                         overlap_direction direction, const overlap_access *access,
                                         mca_fcoll_overlap_transfer_t transfer) {
    OMPI_REQUEST_INIT(&operation->request, false);
    operation->request.req_status = ompi_status_empty;
    operation->request.req_type = OMPI_REQUEST_IO;
    operation->request.req_state = OMPI_REQUEST_ACTIVE;
    operation->request.req_free = request_free;
    operation->request.req_cancel = request_cancel;
    operation->request.req_mpi_object.file = module->fh->f_fh;
    operation->next = NULL;
    operation->module = module;
    operation->transfer = transfer;
    operation->direction = direction;
    operation->began = false;
    operation->runs = false;
    operation->pass = 0;
    operation->ended = false;
    operation->access = *access;
    operation->done = 0;
    operation->error = OVERLAP_SUCCESS;
    operation->freed = false;
    operation->started = 0;
    operation->looked_at = 0;
    operation->longest = 0;
    /* What cannot be copied is an error of the call, which all ranks have to come to. */
    if (OVERLAP_SUCCESS != copy_blocks(&operation->access.file)) {
        operation->access.file.blocks = NULL;
        operation->access.error = OVERLAP_ERR_NO_MEM;
    }
}

bool mca_fcoll_overlap_operation_append(mca_fcoll_overlap_operation_t *operation) {
    mca_fcoll_overlap_operation_t **link = &operations;
    bool comes;

    pthread_mutex_lock(&operations_lock);
    while (NULL != *link) {
        link = &(*link)->next;
    }
    *link = operation;
    if (!registered) {
        registered = OPAL_SUCCESS == opal_progress_register(progress);
    }
    comes = registered;
    pthread_mutex_unlock(&operations_lock);
    return comes;
}

bool mca_fcoll_overlap_operation_has_its_turn(const mca_fcoll_overlap_operation_t *operation) {
    bool has;

    pthread_mutex_lock(&operations_lock);
    has = !REQUEST_COMPLETE(&operation->request) && is_first_of_file(operation);
    pthread_mutex_unlock(&operations_lock);
    return has;
}

/* Messages cannot bring it further. With the lock. */
static bool stands_at_the_file(const mca_fcoll_overlap_operation_t *operation) {
    return !operation->runs && operation->began && mca_fcoll_overlap_fiber_is_at_the_file(operation->module->fiber);
}

bool mca_fcoll_overlap_operation_can_go_ahead(const mca_fcoll_overlap_operation_t *operation) {
    bool can;

    pthread_mutex_lock(&operations_lock);
    can = !REQUEST_COMPLETE(&operation->request) && !stands_at_the_file(operation);
    pthread_mutex_unlock(&operations_lock);
    return can;
}

bool mca_fcoll_overlap_program_computes_without_calls(void) {
    bool without_calls;

    pthread_mutex_lock(&operations_lock);
    without_calls = computes_without_calls;
    pthread_mutex_unlock(&operations_lock);
    return without_calls;
}

void mca_fcoll_overlap_operation_end_start(mca_fcoll_overlap_operation_t *operation) {
    pthread_mutex_lock(&operations_lock);
    if (!REQUEST_COMPLETE(&operation->request)) {
        operation->started = mca_fcoll_overlap_seconds();
        operation->looked_at = operation->started;
        operation->longest = 0;
    }
    pthread_mutex_unlock(&operations_lock);
}

static bool has_operations(const mca_fcoll_overlap_module_t *module) {
    bool has = false;

    pthread_mutex_lock(&operations_lock);
    for (const mca_fcoll_overlap_operation_t *one = operations; NULL != one && !has; one = one->next) {
        has = one->module == module;
    }
    pthread_mutex_unlock(&operations_lock);
    return has;
}

/* Also where Open MPI's progress does not come to them. */
void mca_fcoll_overlap_operations_wait(const mca_fcoll_overlap_module_t *module) {
    while (has_operations(module)) {
        opal_progress();
        progress();
    }
}

/* The file's number may be another file's by now, and its handle is freed before its requests. */
void mca_fcoll_overlap_operations_give_up_file(mca_fcoll_overlap_module_t *module) {
    pthread_mutex_lock(&operations_lock);
    for (mca_fcoll_overlap_operation_t *one = operations; NULL != one; one = one->next) {
        if (one->module == module) {
            module->fh->fd = -1;
            one->request.req_mpi_object.file = &ompi_mpi_file_null.file;
        }
    }
    pthread_mutex_unlock(&operations_lock);
}

bool mca_fcoll_overlap_operations_pending(void) {
    bool pending;

    pthread_mutex_lock(&operations_lock);
    pending = NULL != operations;
    pthread_mutex_unlock(&operations_lock);
    return pending;
}

void mca_fcoll_overlap_operations_close(void) {
    pthread_mutex_lock(&operations_lock);
    if (registered && NULL == operations) {
        opal_progress_unregister(progress);
        registered = false;
    }
    pthread_mutex_unlock(&operations_lock);
}
