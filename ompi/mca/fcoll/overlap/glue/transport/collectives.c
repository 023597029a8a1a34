/*
 * SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The overlap project
 *
 * Collective operations over the communicator of a file. In a nonblocking call they are nonblocking ones that are waited
 * for; all ranks are in such a call, or none is.
 */
#include "transport.h"

#include "ompi/communicator/communicator.h"
#include "ompi/datatype/ompi_datatype.h"
#include "ompi/mca/coll/coll.h"
#include "ompi/request/request.h"

typedef struct operation_t {
    const char *name;
    void *values;
    size_t count;
    MPI_Datatype type;
    MPI_Op op; /* of a reduction over all ranks; NULL: a broadcast from rank 0 */
} operation_t;

static int begin_collective(ompi_communicator_t *comm, const operation_t *operation, ompi_request_t **request) {
    const mca_fcoll_overlap_count_t count = (mca_fcoll_overlap_count_t)operation->count;
    const mca_coll_base_comm_coll_t *coll = comm->c_coll;
    void *const values = operation->values;

    if (NULL == operation->op) {
        return NULL == request
                   ? coll->coll_bcast(values, count, operation->type, 0, comm, coll->coll_bcast_module)
                   : coll->coll_ibcast(values, count, operation->type, 0, comm, request, coll->coll_ibcast_module);
    }
    return NULL == request ? coll->coll_allreduce(MPI_IN_PLACE, values, count, operation->type, operation->op, comm,
                                                  coll->coll_allreduce_module)
                           : coll->coll_iallreduce(MPI_IN_PLACE, values, count, operation->type, operation->op, comm,
                                                   request, coll->coll_iallreduce_module);
}

/* What a rank alone may meet: coll/base says OMPI_ERROR where it has no memory. Other errors are those of all ranks. */
static bool has_not_begun(int ret) {
    return OMPI_ERR_OUT_OF_RESOURCE == ret || OMPI_ERR_TEMP_OUT_OF_RESOURCE == ret || OMPI_ERROR == ret;
}

/* For nine seconds where the call is blocking. The program may take any time between the tries of a nonblocking one. */
bool mca_fcoll_overlap_may_try_again(int *tries) {
    mca_fcoll_overlap_progress(false);
    if (*tries > 100 && !mca_fcoll_overlap_is_nonblocking()) {
        mca_fcoll_overlap_pause(10000000);
    }
    return ++*tries < 1000;
}

/* A nonblocking collective takes its tag before it may fail, so a second try would match no other rank's. */
static int run_collective(void *self, const operation_t *operation, bool nonblocking) {
    ompi_request_t *request = MPI_REQUEST_NULL;
    int tries = 0, ret;

    do {
        ret = begin_collective(mca_fcoll_overlap_fh(self)->f_comm, operation, nonblocking ? &request : NULL);
    } while (!nonblocking && has_not_begun(ret) && mca_fcoll_overlap_may_try_again(&tries));
    if (nonblocking ? OMPI_SUCCESS != ret : has_not_begun(ret)) {
        mca_fcoll_overlap_give_up(self, operation->name, -1, ret);
    }
    if (nonblocking) {
        mca_fcoll_overlap_await(request);
        ret = ompi_request_wait(&request, MPI_STATUS_IGNORE);
        if (MPI_REQUEST_NULL != request) { /* one that failed is left to who waits */
            ompi_request_free(&request);
        }
    }
    return mca_fcoll_overlap_error_of_call(self, operation->name, -1, ret);
}

int mca_fcoll_overlap_allreduce(void *self, int64_t *values, size_t count, overlap_reduction reduction) {
    const MPI_Op op = OVERLAP_REDUCE_SUM == reduction ? MPI_SUM : MPI_MAX;
    const operation_t operation = {"an allreduce", values, count, &ompi_mpi_int64_t.dt, op};
    mca_fcoll_overlap_module_t *const module = self;
    const bool nonblocking = mca_fcoll_overlap_is_nonblocking();
    const int error = run_collective(self, &operation, nonblocking);

    if (OVERLAP_SUCCESS == error && !nonblocking) {
        __atomic_store_n(&module->entered_by_all, module->call, __ATOMIC_RELAXED);
    }
    return error;
}

int mca_fcoll_overlap_broadcast(void *self, void *data, size_t bytes) {
    const operation_t operation = {"a broadcast", data, bytes, &ompi_mpi_byte.dt, NULL};
    return run_collective(self, &operation, mca_fcoll_overlap_is_nonblocking());
}

int mca_fcoll_overlap_agree(void *self, int *values, size_t count, bool nonblocking) {
    const operation_t operation = {"an agreement", values, count, &ompi_mpi_int.dt, MPI_MAX};
    return run_collective(self, &operation, nonblocking);
}
