/*
 * SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The overlap project
 *
 * The start of a nonblocking collective call: the operation is made, and goes ahead as far as it can without waiting for
 * ranks that have not come.
 */
#include "operation.h"

#include "opal/runtime/opal_progress.h"

/* The part of an operation's time that its start may take. What the start leaves is done in other calls of MPI; for a
 * program that makes none while it computes only the start can keep the file busy. */
static double part_of_a_start(void) { return mca_fcoll_overlap_program_computes_without_calls() ? 0.25 : 0.125; }

/* A start continues as long as there are sub-buffers to fill; then the I/O engine has something to do while the program
 * computes. It waits no longer than `patience` for an answer of others, who may not have come. When they have and it is
 * known how long the operation takes, answers may take a part of that, as messages may be slow, and the start another part.
 */
static void go_ahead(mca_fcoll_overlap_operation_t *operation, double patience) {
    const mca_fcoll_overlap_fiber_t *fiber = operation->module->fiber;
    const double part = part_of_a_start();
    uint64_t advances = 0;
    double expected = 0, last = mca_fcoll_overlap_seconds(), end = 0;

    opal_progress();
    if (!mca_fcoll_overlap_operation_has_its_turn(operation)) {
        return;
    }
    while (mca_fcoll_overlap_operation_can_go_ahead(operation)) {
        const double now = mca_fcoll_overlap_seconds();
        const double latest = mca_fcoll_overlap_fiber_expected(fiber);
        const double slow = part * latest / 4;

        if (latest != expected) {
            expected = latest;
            end = now + part * expected;
        }
        if (advances != mca_fcoll_overlap_fiber_advances(fiber)) {
            advances = mca_fcoll_overlap_fiber_advances(fiber);
            last = now;
        }
        if ((expected > 0 && now >= end) || now >= last + (slow > patience ? slow : patience)) {
            break;
        }
        opal_progress();
    }
    mca_fcoll_overlap_operation_end_start(operation);
}

/* Where there is no memory for a request the call ends here: the others are in it, and need this rank. */
static int run_without_a_request(mca_fcoll_overlap_module_t *module, overlap_direction direction,
                                 const overlap_access *access, mca_fcoll_overlap_transfer_t transfer,
                                 ompi_request_t **request) {
    mca_fcoll_overlap_operation_t operation;
    int error;

    OBJ_CONSTRUCT(&operation, mca_fcoll_overlap_operation_t);
    mca_fcoll_overlap_operation_prepare(&operation, module, direction, access, transfer);
    (void)mca_fcoll_overlap_operation_append(&operation);
    mca_fcoll_overlap_operations_wait(module);
    error = operation.error;
    OMPI_REQUEST_FINI(&operation.request);
    OBJ_DESTRUCT(&operation);
    *request = &ompi_request_empty;
    return mca_fcoll_overlap_class_of_error(error);
}

int mca_fcoll_overlap_operation_start(mca_fcoll_overlap_module_t *module, overlap_direction direction,
                                      const overlap_access *access, double patience, mca_fcoll_overlap_transfer_t transfer,
                                      ompi_request_t **request) {
    mca_fcoll_overlap_operation_t *operation = OBJ_NEW(mca_fcoll_overlap_operation_t);
    bool comes;

    if (NULL == operation) {
        return run_without_a_request(module, direction, access, transfer, request);
    }
    mca_fcoll_overlap_operation_prepare(operation, module, direction, access, transfer);
    comes = mca_fcoll_overlap_operation_append(operation);
    *request = &operation->request;
    if (!comes) {
        mca_fcoll_overlap_operations_wait(module);
    } else if (patience > 0) {
        go_ahead(operation, patience);
    }
    return OMPI_SUCCESS;
}
