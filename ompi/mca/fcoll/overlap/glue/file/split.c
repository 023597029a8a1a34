/*
 * SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The overlap project
 *
 * Split collectives: the begin does all of it, as MPI allows (MPI 4.1, section 14.4.5), and the end returns what came of it.
 *
 * OMPIO calls the same function for them and for nonblocking collectives, whose start must not wait for other ranks. What
 * tells them apart is where the request goes: that of a split collective stands in the file handle. There is at most one at
 * a time, so its request is a part of the module and takes no memory.
 */
#include "file.h"

#include "ompi/request/request.h"

bool mca_fcoll_overlap_is_split(const ompio_file_t *fh, ompi_request_t *const *request) {
    return &fh->f_split_coll_req == request;
}

static int forget(ompi_request_t **request) {
    *request = MPI_REQUEST_NULL;
    return OMPI_SUCCESS;
}

void mca_fcoll_overlap_split_construct(mca_fcoll_overlap_module_t *module) {
    OBJ_CONSTRUCT(&module->split, ompi_request_t);
    module->split.req_type = OMPI_REQUEST_IO;
    module->split.req_free = forget;
}

/* One that is still active would be taken for a mistake. */
void mca_fcoll_overlap_split_destruct(mca_fcoll_overlap_module_t *module) {
    module->split.req_state = OMPI_REQUEST_INVALID;
    OBJ_DESTRUCT(&module->split);
}

int mca_fcoll_overlap_split_done(mca_fcoll_overlap_module_t *module, int error, size_t bytes, ompi_request_t **request) {
    ompi_request_t *split = NULL == module ? NULL : &module->split;

    if (NULL == split) { /* where there is no memory for a module the begin has to say so */
        *request = &ompi_request_empty;
        return error;
    }
    OMPI_REQUEST_INIT(split, false);
    split->req_state = OMPI_REQUEST_ACTIVE;
    split->req_status.MPI_ERROR = error;
    split->req_status._ucount = bytes;
    ompi_request_complete(split, false);
    *request = split;
    return OMPI_SUCCESS;
}
