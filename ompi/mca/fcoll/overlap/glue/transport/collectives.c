/*
 * SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The overlap project
 *
 * Collective operations over the communicator of a file. A rank on which one cannot begin, for want of memory as a rule,
 * tries again: the others are in it and wait. In a nonblocking call they are nonblocking ones that are waited
 * for; all ranks are in such a call, or none is. Those take a number before they may fail, so that a second try would be
 * another one than the others are in.
 */
#include "transport.h"

#include "ompi/communicator/communicator.h"
#include "ompi/datatype/ompi_datatype.h"
#include "ompi/mca/coll/coll.h"
#include "ompi/request/request.h"
#include "opal/runtime/opal_progress.h"

enum { TRIES = 1000 };

typedef struct operation_t {
    const char *name;
    int (*begin)(ompi_communicator_t *comm, const struct operation_t *operation, ompi_request_t **request);
    void *values;
    size_t count;
    MPI_Datatype type; /* of a reduction */
    MPI_Op op;
    int *all; /* of a gathering */
} operation_t;

static int begin_reduction(ompi_communicator_t *comm, const operation_t *operation, ompi_request_t **request) {
    if (NULL != request) {
        return comm->c_coll->coll_iallreduce(MPI_IN_PLACE, operation->values, (mca_fcoll_overlap_count_t)operation->count,
                                             operation->type, operation->op, comm, request,
                                             comm->c_coll->coll_iallreduce_module);
    }
    return comm->c_coll->coll_allreduce(MPI_IN_PLACE, operation->values, (mca_fcoll_overlap_count_t)operation->count,
                                        operation->type, operation->op, comm, comm->c_coll->coll_allreduce_module);
}

static int begin_broadcast(ompi_communicator_t *comm, const operation_t *operation, ompi_request_t **request) {
    if (NULL != request) {
        return comm->c_coll->coll_ibcast(operation->values, (mca_fcoll_overlap_count_t)operation->count, &ompi_mpi_byte.dt,
                                         0, comm, request, comm->c_coll->coll_ibcast_module);
    }
    return comm->c_coll->coll_bcast(operation->values, (mca_fcoll_overlap_count_t)operation->count, &ompi_mpi_byte.dt, 0,
                                    comm, comm->c_coll->coll_bcast_module);
}

static int begin_gathering(ompi_communicator_t *comm, const operation_t *operation, ompi_request_t **request) {
    if (NULL != request) {
        return comm->c_coll->coll_iallgather(operation->values, 1, &ompi_mpi_int.dt, operation->all, 1, &ompi_mpi_int.dt,
                                             comm, request, comm->c_coll->coll_iallgather_module);
    }
    return comm->c_coll->coll_allgather(operation->values, 1, &ompi_mpi_int.dt, operation->all, 1, &ompi_mpi_int.dt, comm,
                                        comm->c_coll->coll_allgather_module);
}

/* What a rank alone may meet: coll/base says OMPI_ERROR where it has no memory. Other errors are those of all ranks. */
static bool has_not_begun(int ret) {
    return OMPI_ERR_OUT_OF_RESOURCE == ret || OMPI_ERR_TEMP_OUT_OF_RESOURCE == ret || OMPI_ERROR == ret;
}

static int run_nonblocking(const ompio_file_t *fh, const operation_t *operation) {
    ompi_request_t *request = MPI_REQUEST_NULL;
    int ret = operation->begin(fh->f_comm, operation, &request);

    if (OMPI_SUCCESS != ret) {
        mca_fcoll_overlap_give_up(fh, operation->name, -1, ret);
    }
    mca_fcoll_overlap_await(request);
    ret = ompi_request_wait(&request, MPI_STATUS_IGNORE);
    if (MPI_REQUEST_NULL != request) { /* one that failed is left to who waits */
        ompi_request_free(&request);
    }
    return mca_fcoll_overlap_report(fh, operation->name, -1, ret);
}

static int run(const ompio_file_t *fh, const operation_t *operation) {
    int ret;

    if (mca_fcoll_overlap_is_nonblocking()) {
        return run_nonblocking(fh, operation);
    }
    ret = operation->begin(fh->f_comm, operation, NULL);
    for (int i = 1; i < TRIES && has_not_begun(ret); ++i) {
        opal_progress();
        ret = operation->begin(fh->f_comm, operation, NULL);
    }
    if (has_not_begun(ret)) {
        mca_fcoll_overlap_give_up(fh, operation->name, -1, ret);
    }
    return mca_fcoll_overlap_report(fh, operation->name, -1, ret);
}

int mca_fcoll_overlap_reduce(const ompio_file_t *fh, const char *name, void *values, size_t count, MPI_Datatype type,
                             MPI_Op op) {
    const operation_t operation = {
        .name = name, .begin = begin_reduction, .values = values, .count = count, .type = type, .op = op};
    return run(fh, &operation);
}

int mca_fcoll_overlap_agree(const ompio_file_t *fh, int *values, size_t count) {
    return mca_fcoll_overlap_reduce(fh, "an agreement", values, count, &ompi_mpi_int.dt, MPI_MAX);
}

int mca_fcoll_overlap_agree_nonblocking(const ompio_file_t *fh, int *values, size_t count) {
    const operation_t operation = {.name = "an agreement",
                                   .begin = begin_reduction,
                                   .values = values,
                                   .count = count,
                                   .type = &ompi_mpi_int.dt,
                                   .op = MPI_MAX};
    return run_nonblocking(fh, &operation);
}

int mca_fcoll_overlap_broadcast(const ompio_file_t *fh, void *data, size_t bytes) {
    const operation_t operation = {.name = "a broadcast", .begin = begin_broadcast, .values = data, .count = bytes};
    return run(fh, &operation);
}

int mca_fcoll_overlap_gather(const ompio_file_t *fh, int mine, int *all) {
    const operation_t operation = {
        .name = "an allgather", .begin = begin_gathering, .values = &mine, .count = 1, .all = all};
    return run(fh, &operation);
}
