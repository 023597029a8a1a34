/*
 * SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The overlap project
 *
 * Nonblocking collective calls: each runs in a fiber, in the progress of Open MPI. The ports leave the fiber where they
 * would wait; the module starts the calls.
 */
#ifndef MCA_FCOLL_OVERLAP_NONBLOCKING_H
#define MCA_FCOLL_OVERLAP_NONBLOCKING_H

#include "../base/base.h"

/* How far a call in a fiber is. The start of a nonblocking call continues with it accordingly. */
typedef struct mca_fcoll_overlap_pace_t {
    bool for_the_file; /* it waits for an I/O engine, and messages bring it no further */
    uint64_t advances; /* how often something that it waited for was there */
    double expected;   /* seconds that the rest takes, once all ranks have come to it and that is known; 0 before */
} mca_fcoll_overlap_pace_t;

/* fiber.c: a nonblocking call, on a stack of its own. Make: NULL where there is no memory. Begin: enters nothing; makes the
 * stack if there is none, which is kept. Resume: enters it where what it waits for is there; nobody may be in it. Pace:
 * of one that nobody is in. */
mca_fcoll_overlap_fiber_t *mca_fcoll_overlap_fiber_make(void);
void mca_fcoll_overlap_fiber_free(mca_fcoll_overlap_fiber_t *fiber);
void mca_fcoll_overlap_fiber_begin(mca_fcoll_overlap_fiber_t *fiber, void (*run)(void *argument), void *argument);
void mca_fcoll_overlap_fiber_resume(mca_fcoll_overlap_fiber_t *fiber);
mca_fcoll_overlap_pace_t mca_fcoll_overlap_fiber_pace(const mca_fcoll_overlap_fiber_t *fiber);

/* fiber.c: whether the caller is in a fiber. There it must neither wait nor call Open MPI's progress. */
bool mca_fcoll_overlap_is_nonblocking(void);

/* fiber.c: has Open MPI make progress, once. In a fiber: leaves it until it is resumed. `for_the_file`: the caller waits for
 * an I/O engine and not for messages. */
void mca_fcoll_overlap_progress(bool for_the_file);

/* fiber.c: leaves the fiber until the request is complete; elsewhere it does nothing. */
void mca_fcoll_overlap_await(ompi_request_t *request);

/* fiber.c: sets the pace, in a fiber: what remains takes about so many seconds; a function of the host port. */
void mca_fcoll_overlap_expects(void *self, double seconds);

/* glue/file/engine.c, for operation.c: does the first of these accesses, and what all ranks can do with it, as
 * overlap_file_transfer_pending does. */
int mca_fcoll_overlap_transfer_pending(mca_fcoll_overlap_module_t *module, overlap_direction direction,
                                       const overlap_access *const *accesses, size_t count, size_t *joined, size_t *done);

/* operation.c: starts a nonblocking call of all ranks, which runs in a fiber. It may progress in the start as long as others
 * answer within `patience` seconds, and, when all have come, for a part of the time that it is expected to take. Returns
 * an OMPI_* value or an MPI error class. */
int mca_fcoll_overlap_operation_start(mca_fcoll_overlap_module_t *module, overlap_direction direction,
                                      const overlap_access *access, double patience, ompi_request_t **request);

/* operation.c: waits until all of a file have ended. Collective, as their starts were. */
void mca_fcoll_overlap_operations_wait(const mca_fcoll_overlap_module_t *module);

/* operation.c: whether any is under way. */
bool mca_fcoll_overlap_operations_pending(void);

/* operation.c: the call, as module->call, that started the first of a file that has not ended; 0 where none is under way. */
uint64_t mca_fcoll_overlap_operations_call(const mca_fcoll_overlap_module_t *module);

/* operation.c: the file of the module is closed and not to be touched any more: what is under way fails. Where none is left
 * of any file Open MPI's progress does not come here any more. */
void mca_fcoll_overlap_operations_end(mca_fcoll_overlap_module_t *module);

#endif
