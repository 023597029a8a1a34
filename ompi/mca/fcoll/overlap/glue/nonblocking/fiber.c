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

/* Without these valgrind takes a switch of stacks for a frame of 4 MiB. */
#if defined(__has_include)
#    if __has_include(<valgrind/valgrind.h>)
#        include <valgrind/valgrind.h>
#    endif
#endif
#ifndef VALGRIND_STACK_REGISTER
#    define VALGRIND_STACK_REGISTER(first, last) 0
#    define VALGRIND_STACK_DEREGISTER(id) (void)(id)
#endif

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
    char *stack; /* with a page below that nobody may touch; NULL before the first call, and where there is none to be had:
                    the call then runs on the stack of who resumes it, and waits there */
    unsigned stack_id; /* valgrind's */
    void (*run)(void *argument);
    void *argument;
    ompi_request_t *until; /* what it waits for, NULL where it asks again each time */
    mca_fcoll_overlap_pace_t pace;
    exceptions_t exceptions; /* while it is left */
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

/* NULL where there is no memory. */
static char *make_stack(void) {
    char *stack = mmap(NULL, STACK_SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);

    if (MAP_FAILED == (void *)stack) {
        return NULL;
    }
    if (0 != mprotect(stack, (size_t)sysconf(_SC_PAGESIZE), PROT_NONE)) {
        munmap(stack, STACK_SIZE);
        return NULL;
    }
    return stack;
}

/* makecontext(3) passes on ints. */
static void enter(unsigned high, unsigned low) {
    mca_fcoll_overlap_fiber_t *fiber = (mca_fcoll_overlap_fiber_t *)(uintptr_t)((uint64_t)high << 32 | (uint64_t)low);

    fiber->run(fiber->argument);
}

static void make_context(mca_fcoll_overlap_fiber_t *fiber) {
    const uint64_t address = (uint64_t)(uintptr_t)fiber;

    getcontext(&fiber->own); /* fails nowhere */
    fiber->own.uc_stack.ss_sp = fiber->stack;
    fiber->own.uc_stack.ss_size = STACK_SIZE;
    fiber->own.uc_link = &fiber->caller;
    makecontext(&fiber->own, (void (*)(void))enter, 2, (unsigned)(address >> 32), (unsigned)address);
}

/* With the signals that are blocked where the call continues now. */
static void switch_to_fiber(mca_fcoll_overlap_fiber_t *fiber) {
    pthread_sigmask(SIG_SETMASK, NULL, &fiber->own.uc_sigmask);
    swapcontext(&fiber->caller, &fiber->own);
}

static void switch_to_caller(mca_fcoll_overlap_fiber_t *fiber) { swapcontext(&fiber->own, &fiber->caller); }

mca_fcoll_overlap_fiber_t *mca_fcoll_overlap_fiber_make(void) { return calloc(1, sizeof(mca_fcoll_overlap_fiber_t)); }

void mca_fcoll_overlap_fiber_free(mca_fcoll_overlap_fiber_t *fiber) {
    if (NULL != fiber && NULL != fiber->stack) {
        VALGRIND_STACK_DEREGISTER(fiber->stack_id);
        munmap(fiber->stack, STACK_SIZE);
    }
    free(fiber);
}

void mca_fcoll_overlap_fiber_begin(mca_fcoll_overlap_fiber_t *fiber, void (*run)(void *argument), void *argument) {
    fiber->run = run;
    fiber->argument = argument;
    fiber->until = NULL;
    fiber->pace = (mca_fcoll_overlap_pace_t){0};
    fiber->exceptions = (exceptions_t){NULL, 0};
    if (NULL == fiber->stack) {
        fiber->stack = make_stack();
        if (NULL == fiber->stack) {
            return;
        }
        fiber->stack_id = VALGRIND_STACK_REGISTER(fiber->stack, fiber->stack + STACK_SIZE - 1);
    }
    make_context(fiber);
}

void mca_fcoll_overlap_fiber_resume(mca_fcoll_overlap_fiber_t *fiber) {
    mca_fcoll_overlap_fiber_t *const outer = own();
    exceptions_t *const here = __cxa_get_globals();
    const exceptions_t of_caller = *here;

    if (NULL != fiber->until && !REQUEST_COMPLETE(fiber->until)) {
        return;
    }
    fiber->until = NULL;
    *here = fiber->exceptions;
    set_own(fiber);
    if (NULL == fiber->stack) {
        fiber->run(fiber->argument);
    } else {
        switch_to_fiber(fiber);
    }
    set_own(outer);
    fiber->exceptions = *here;
    *here = of_caller;
}

mca_fcoll_overlap_pace_t mca_fcoll_overlap_fiber_pace(const mca_fcoll_overlap_fiber_t *fiber) { return fiber->pace; }

void mca_fcoll_overlap_advanced(void) {
    mca_fcoll_overlap_fiber_t *const fiber = own();

    if (NULL != fiber) {
        ++fiber->pace.advances;
    }
}

void mca_fcoll_overlap_fiber_expects(double seconds) {
    mca_fcoll_overlap_fiber_t *const fiber = own();

    if (NULL != fiber) {
        fiber->pace.expected = seconds > 1e-9 ? seconds : 1e-9;
    }
}

static void leave(mca_fcoll_overlap_fiber_t *fiber, ompi_request_t *until, bool at_the_file) {
    if (NULL == fiber->stack) {
        opal_progress();
        return;
    }
    fiber->until = until;
    fiber->pace.at_the_file = at_the_file;
    switch_to_caller(fiber);
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
