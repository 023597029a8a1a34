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

/* AddressSanitizer and ThreadSanitizer follow the stacks only if each switch is announced to them. */
#ifdef __SANITIZE_ADDRESS__
#    include <sanitizer/common_interface_defs.h>
#else
#    define __sanitizer_start_switch_fiber(fake, stack, size) (void)(fake)
#    define __sanitizer_finish_switch_fiber(fake, stack, size) (void)(fake)
#endif
#ifdef __SANITIZE_THREAD__
#    include <sanitizer/tsan_interface.h>
#else
#    define __tsan_create_fiber(flags) NULL
#    define __tsan_destroy_fiber(fiber) (void)(fiber)
#    define __tsan_get_current_fiber() NULL
#    define __tsan_switch_to_fiber(fiber, flags) (void)(fiber)
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
    /* With a page below that nobody may touch. NULL before the first call, and while there is no memory for one: a call then
     * runs to its end on the stack of who resumes it first, and waits there. */
    char *stack;
    unsigned stack_id;              /* valgrind's */
    void *of_tsan, *caller_of_tsan; /* ThreadSanitizer's */
    const void *caller_stack;       /* AddressSanitizer's, and its size */
    size_t caller_stack_size;
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

static void make_stack(mca_fcoll_overlap_fiber_t *fiber) {
    char *stack = mmap(NULL, STACK_SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);

    if (MAP_FAILED == (void *)stack) {
        return;
    }
    if (0 != mprotect(stack, (size_t)sysconf(_SC_PAGESIZE), PROT_NONE)) {
        munmap(stack, STACK_SIZE);
        return;
    }
    fiber->stack = stack;
    fiber->stack_id = VALGRIND_STACK_REGISTER(stack, stack + STACK_SIZE - 1);
    fiber->of_tsan = __tsan_create_fiber(0);
}

/* With the signals that are blocked where the call continues now. */
static void switch_to_fiber(mca_fcoll_overlap_fiber_t *fiber) {
    void *fake = NULL;

    pthread_sigmask(SIG_SETMASK, NULL, &fiber->own.uc_sigmask);
    fiber->caller_of_tsan = __tsan_get_current_fiber();
    __sanitizer_start_switch_fiber(&fake, fiber->stack, STACK_SIZE);
    __tsan_switch_to_fiber(fiber->of_tsan, 0);
    swapcontext(&fiber->caller, &fiber->own);
    __sanitizer_finish_switch_fiber(fake, NULL, NULL);
}

/* With `ends` nobody comes back: ThreadSanitizer must not count the frames that are left for good. */
static __attribute__((no_sanitize_thread)) void switch_to_caller(mca_fcoll_overlap_fiber_t *fiber, bool ends) {
    void *fake = NULL;

    __sanitizer_start_switch_fiber(ends ? NULL : &fake, fiber->caller_stack, fiber->caller_stack_size);
    __tsan_switch_to_fiber(fiber->caller_of_tsan, 0);
    swapcontext(&fiber->own, &fiber->caller);
    __sanitizer_finish_switch_fiber(fake, &fiber->caller_stack, &fiber->caller_stack_size);
}

/* makecontext(3) passes on ints. */
static __attribute__((no_sanitize_thread)) void enter(unsigned high, unsigned low) {
    mca_fcoll_overlap_fiber_t *fiber = (mca_fcoll_overlap_fiber_t *)(uintptr_t)((uint64_t)high << 32 | (uint64_t)low);

    __sanitizer_finish_switch_fiber(NULL, &fiber->caller_stack, &fiber->caller_stack_size);
    fiber->run(fiber->argument);
    switch_to_caller(fiber, true);
}

static void make_context(mca_fcoll_overlap_fiber_t *fiber) {
    const uint64_t address = (uint64_t)(uintptr_t)fiber;

    getcontext(&fiber->own); /* fails nowhere */
    fiber->own.uc_stack.ss_sp = fiber->stack;
    fiber->own.uc_stack.ss_size = STACK_SIZE;
    fiber->own.uc_link = NULL; /* `enter` does not return */
    makecontext(&fiber->own, (void (*)(void))enter, 2, (unsigned)(address >> 32), (unsigned)address);
}

mca_fcoll_overlap_fiber_t *mca_fcoll_overlap_fiber_make(void) { return calloc(1, sizeof(mca_fcoll_overlap_fiber_t)); }

void mca_fcoll_overlap_fiber_free(mca_fcoll_overlap_fiber_t *fiber) {
    if (NULL != fiber && NULL != fiber->stack) {
        VALGRIND_STACK_DEREGISTER(fiber->stack_id);
        __tsan_destroy_fiber(fiber->of_tsan);
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
        make_stack(fiber);
    }
    if (NULL != fiber->stack) {
        make_context(fiber);
    }
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

void mca_fcoll_overlap_expects(void *self, double seconds) {
    mca_fcoll_overlap_fiber_t *const fiber = own();

    if (NULL != fiber) {
        fiber->pace.expected = seconds > 1e-9 ? seconds : 1e-9;
    }
}

/* Leaves the fiber that the caller is in, if it has a stack that can be left. */
static void leave(ompi_request_t *until, bool for_the_file) {
    mca_fcoll_overlap_fiber_t *const fiber = own();

    if (NULL == fiber || NULL == fiber->stack) {
        opal_progress();
        return;
    }
    fiber->until = until;
    fiber->pace.for_the_file = for_the_file;
    switch_to_caller(fiber, false);
}

void mca_fcoll_overlap_progress(bool for_the_file) { leave(NULL, for_the_file); }

void mca_fcoll_overlap_await(ompi_request_t *request) {
    while (mca_fcoll_overlap_is_nonblocking() && !REQUEST_COMPLETE(request)) {
        leave(request, false);
    }
    if (NULL != own()) {
        ++own()->pace.advances;
    }
}
