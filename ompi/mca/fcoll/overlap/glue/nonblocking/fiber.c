/*
 * SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The overlap project
 *
 * A nonblocking call of the engine: on a stack of its own, which is left where it would wait, and entered again
 * when what it waits for may be there. The engine does not know it.
 */
#include "nonblocking.h"

#include "ompi/request/request.h"
#include "opal/runtime/opal_progress.h"

#include <signal.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

/* Open MPI's progress runs inside of it, and plugins are loaded and run. Only what is touched becomes resident. */
enum { STACK_SIZE = 4 << 20 };

/* What the C++ runtime knows of exceptions that are under way (Itanium C++ ABI, 2.2.2), of this thread. Destructors that run
 * because of one may wait. */
typedef struct exceptions_t {
    void *caught;
    unsigned uncaught;
} exceptions_t;
extern exceptions_t *__cxa_get_globals(void);

struct mca_fcoll_overlap_fiber_t {
    ucontext_t own, caller;
    void *stack; /* with a page below that nobody may touch */
    void (*run)(void *argument);
    void *argument;
    ompi_request_t *until;   /* what it waits for, NULL where it asks again each time */
    bool at_the_file;        /* it was left for an I/O engine */
    uint64_t advances;       /* looked at by threads that are not in it */
    uint64_t expected;       /* nanoseconds, likewise */
    exceptions_t exceptions; /* while it is left */
    bool ended;
};

static _Thread_local mca_fcoll_overlap_fiber_t *current = NULL;

/* A fiber goes from thread to thread, so the place of `current` must not be kept across a switch: these are not to be merged
 * into others. */
static __attribute__((noinline)) mca_fcoll_overlap_fiber_t *own(void) {
    __asm__ volatile("");
    return current;
}

static __attribute__((noinline)) void set_own(mca_fcoll_overlap_fiber_t *fiber) {
    __asm__ volatile("");
    current = fiber;
}

bool mca_fcoll_overlap_is_nonblocking(void) { return NULL != own(); }

/* makecontext(3) passes on ints. */
static void enter(unsigned high, unsigned low) {
    mca_fcoll_overlap_fiber_t *fiber = (mca_fcoll_overlap_fiber_t *)(uintptr_t)((uint64_t)high << 32 | (uint64_t)low);

    fiber->run(fiber->argument);
    __atomic_store_n(&fiber->expected, 0, __ATOMIC_RELAXED);
    fiber->ended = true;
}

/* NULL where there is no memory. */
static void *make_stack(void) {
    void *stack = mmap(NULL, STACK_SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);

    if (MAP_FAILED == stack) {
        return NULL;
    }
    if (0 != mprotect(stack, (size_t)sysconf(_SC_PAGESIZE), PROT_NONE)) {
        munmap(stack, STACK_SIZE);
        return NULL;
    }
    return stack;
}

mca_fcoll_overlap_fiber_t *mca_fcoll_overlap_fiber_make(void) {
    mca_fcoll_overlap_fiber_t *const fiber = calloc(1, sizeof(*fiber));

    if (NULL == fiber) {
        return NULL;
    }
    fiber->ended = true;
    fiber->stack = make_stack();
    if (NULL == fiber->stack) {
        free(fiber);
        return NULL;
    }
    return fiber;
}

void mca_fcoll_overlap_fiber_free(mca_fcoll_overlap_fiber_t *fiber) {
    if (NULL != fiber) {
        munmap(fiber->stack, STACK_SIZE);
        free(fiber);
    }
}

void mca_fcoll_overlap_fiber_begin(mca_fcoll_overlap_fiber_t *fiber, void (*run)(void *argument), void *argument) {
    const uint64_t address = (uint64_t)(uintptr_t)fiber;

    getcontext(&fiber->own); /* fails nowhere */
    fiber->run = run;
    fiber->argument = argument;
    fiber->until = NULL;
    fiber->at_the_file = false;
    fiber->exceptions = (exceptions_t){NULL, 0};
    fiber->ended = false;
    fiber->own.uc_stack.ss_sp = fiber->stack;
    fiber->own.uc_stack.ss_size = STACK_SIZE;
    fiber->own.uc_link = &fiber->caller;
    makecontext(&fiber->own, (void (*)(void))enter, 2, (unsigned)(address >> 32), (unsigned)address);
}

/* With the signals that are blocked where the call continues now. */
bool mca_fcoll_overlap_fiber_resume(mca_fcoll_overlap_fiber_t *fiber) {
    mca_fcoll_overlap_fiber_t *const outer = own();
    exceptions_t *const here = __cxa_get_globals();
    const exceptions_t of_caller = *here;

    if (fiber->ended || (NULL != fiber->until && !REQUEST_COMPLETE(fiber->until))) {
        return fiber->ended;
    }
    fiber->until = NULL;
    pthread_sigmask(SIG_SETMASK, NULL, &fiber->own.uc_sigmask);
    *here = fiber->exceptions;
    set_own(fiber);
    swapcontext(&fiber->caller, &fiber->own);
    set_own(outer);
    fiber->exceptions = *here;
    *here = of_caller;
    return fiber->ended;
}

bool mca_fcoll_overlap_fiber_is_at_the_file(const mca_fcoll_overlap_fiber_t *fiber) { return fiber->at_the_file; }

uint64_t mca_fcoll_overlap_fiber_advances(const mca_fcoll_overlap_fiber_t *fiber) {
    return __atomic_load_n(&fiber->advances, __ATOMIC_RELAXED);
}

void mca_fcoll_overlap_advanced(void) {
    mca_fcoll_overlap_fiber_t *const fiber = own();

    if (NULL != fiber) {
        __atomic_store_n(&fiber->advances, fiber->advances + 1, __ATOMIC_RELAXED);
    }
}

/* At least a nanosecond, and no more than fit. */
void mca_fcoll_overlap_fiber_expects(double seconds) {
    mca_fcoll_overlap_fiber_t *const fiber = own();

    if (NULL != fiber) {
        const double most = 1e9;
        const uint64_t expected = 1 + (uint64_t)(1e9 * (seconds < most ? seconds : most));
        __atomic_store_n(&fiber->expected, expected, __ATOMIC_RELAXED);
    }
}

double mca_fcoll_overlap_fiber_expected(const mca_fcoll_overlap_fiber_t *fiber) {
    return 1e-9 * (double)__atomic_load_n(&fiber->expected, __ATOMIC_RELAXED);
}

static void leave(mca_fcoll_overlap_fiber_t *fiber, ompi_request_t *until, bool at_the_file) {
    fiber->until = until;
    fiber->at_the_file = at_the_file;
    swapcontext(&fiber->own, &fiber->caller);
}

void mca_fcoll_overlap_let_go_on(bool at_the_file) {
    mca_fcoll_overlap_fiber_t *const fiber = own();

    if (NULL == fiber) {
        opal_progress();
    } else {
        leave(fiber, NULL, at_the_file);
    }
}

void mca_fcoll_overlap_await(ompi_request_t *request) {
    mca_fcoll_overlap_fiber_t *const fiber = own();

    while (NULL != fiber && !REQUEST_COMPLETE(request)) {
        leave(fiber, request, false);
    }
    mca_fcoll_overlap_advanced();
}
