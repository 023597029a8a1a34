/*
 * SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The overlap project
 *
 * An operation, as the files of this folder see it.
 */
#ifndef MCA_FCOLL_OVERLAP_OPERATION_H
#define MCA_FCOLL_OVERLAP_OPERATION_H

#include "nonblocking.h"

#include "ompi/request/request.h"

BEGIN_C_DECLS

struct mca_fcoll_overlap_operation_t {
    ompi_request_t request; /* first: what the program holds */
    mca_fcoll_overlap_operation_t *next;
    mca_fcoll_overlap_module_t *module;
    mca_fcoll_overlap_transfer_t transfer;
    overlap_direction direction;
    bool began;            /* the file's fiber is its own until it ends */
    bool runs;             /* a thread is in the fiber */
    bool ended;            /* done, by itself or with one before it */
    uint64_t pass;         /* of progress that came to it last */
    overlap_access access; /* whose blocks are its own */
    size_t done;
    int error;
    bool freed; /* by the program, before it was complete */

    /* Seconds of a clock, of one that went ahead: the end of its start, the last look at it, the longest time without one.
     */
    double started;
    double looked_at;
    double longest;
};

OBJ_CLASS_DECLARATION(mca_fcoll_overlap_operation_t);

/* Fills it in. The access is copied. */
void mca_fcoll_overlap_operation_prepare(mca_fcoll_overlap_operation_t *operation, mca_fcoll_overlap_module_t *module,
                                         overlap_direction direction, const overlap_access *access,
                                         mca_fcoll_overlap_transfer_t transfer);

/* Puts it behind those that were started before. Returns whether Open MPI's progress comes to it. */
bool mca_fcoll_overlap_operation_append(mca_fcoll_overlap_operation_t *operation);

/* Whether it is under way, as the first of its file. */
bool mca_fcoll_overlap_operation_has_its_turn(const mca_fcoll_overlap_operation_t *operation);

/* Whether it is under way, and messages could bring it further. */
bool mca_fcoll_overlap_operation_can_go_ahead(const mca_fcoll_overlap_operation_t *operation);

/* From now on what looks at it are the program's calls. */
void mca_fcoll_overlap_operation_end_start(mca_fcoll_overlap_operation_t *operation);

/* As far as the last operation has shown. */
bool mca_fcoll_overlap_program_computes_without_calls(void);

END_C_DECLS

#endif
