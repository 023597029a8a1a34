/*
 * The transport port over the pml and the collectives of the file's communicator, which is OMPIO's own duplicate.
 */
#include "fcoll_overlap.h"

#include "ompi/communicator/communicator.h"
#include "ompi/datatype/ompi_datatype.h"
#include "ompi/group/group.h"
#include "ompi/mca/coll/coll.h"
#include "ompi/mca/pml/pml.h"
#include "ompi/proc/proc.h"
#include "ompi/request/request.h"
#include "opal/runtime/opal_progress.h"
#include "opal/util/output.h"

/* Away from the tags that other parts of OMPIO use on this communicator. */
enum { FIRST_TAG = 0x6f76 };

static ompi_communicator_t *comm_of(void *self) { return ((mca_fcoll_overlap_module_t *)self)->fh->f_comm; }

int mca_fcoll_overlap_transport_error(mca_fcoll_overlap_module_t *module, const char *call, int peer, int ret) {
    if (OMPI_SUCCESS != ret) {
        opal_output_verbose(1, ompi_fcoll_base_framework.framework_output,
                            "fcoll:overlap: rank %d: %s with rank %d for %s failed: %s", module->fh->f_rank, call, peer,
                            module->fh->f_filename, opal_strerror(ret));
    }
    return mca_fcoll_overlap_error_of_ompi(ret);
}

/* A message on its way out or in. */
typedef struct way_t {
    bool sends;
    mca_pml_base_send_mode_t mode; /* of one that is sent */
} way_t;

static int start(mca_fcoll_overlap_module_t *module, way_t way, char *address, size_t count, ompi_datatype_t *type, int peer,
                 int tag, ompi_request_t **request) {
    if (way.sends) {
        return MCA_PML_CALL(isend(address, count, type, peer, FIRST_TAG + tag, way.mode, comm_of(module), request));
    }
    return MCA_PML_CALL(irecv(address, count, type, peer, FIRST_TAG + tag, comm_of(module), request));
}

static int start_pieces(void *self, way_t way, int peer, int tag, const overlap_piece *pieces, size_t count,
                        overlap_request **request) {
    ompi_request_t *started = NULL;
    ompi_datatype_t *type;
    int ret;

    if (1 == count && 1 == pieces->count) {
        ret = start(self, way, pieces->address, pieces->length, &ompi_mpi_byte.dt, peer, tag, &started);
    } else {
        ret = mca_fcoll_overlap_type_of_pieces(pieces, count, &type);
        if (OMPI_SUCCESS == ret) {
            ret = start(self, way, NULL, 1, type, peer, tag, &started);
            /* A message under way keeps its datatype. */
            OBJ_RELEASE(type);
        }
    }
    *request = OMPI_SUCCESS == ret ? (overlap_request *)started : NULL;
    return mca_fcoll_overlap_transport_error(self, way.sends ? "a send" : "a receive", peer, ret);
}

static int transport_send(void *self, int peer, int tag, overlap_send_mode mode, const overlap_piece *pieces, size_t count,
                          overlap_request **request) {
    const way_t way = {true, OVERLAP_SEND_SYNCHRONOUS == mode ? MCA_PML_BASE_SEND_SYNCHRONOUS : MCA_PML_BASE_SEND_STANDARD};
    return start_pieces(self, way, peer, tag, pieces, count, request);
}

static int transport_receive(void *self, int peer, int tag, const overlap_piece *pieces, size_t count,
                             overlap_request **request) {
    const way_t way = {.sends = false};
    return start_pieces(self, way, peer, tag, pieces, count, request);
}

static int transport_receive_any(void *self, int tag, void *buffer, size_t capacity, int *source, size_t *received) {
    ompi_status_public_t status;
    const int ret =
        MCA_PML_CALL(recv(buffer, capacity, &ompi_mpi_byte.dt, MPI_ANY_SOURCE, FIRST_TAG + tag, comm_of(self), &status));

    if (OMPI_SUCCESS == ret) {
        *source = status.MPI_SOURCE;
        *received = status._ucount;
    }
    return mca_fcoll_overlap_transport_error(self, "a receive", -1, ret);
}

static int transport_wait(void *self, overlap_request **requests, size_t count) {
    int error = OVERLAP_SUCCESS;

    /* One by one in the order in which they were started: each wait progresses all of them, and an error names its request.
     */
    for (size_t i = 0; i < count; ++i) {
        if (NULL != requests[i]) {
            ompi_request_t *request = (ompi_request_t *)requests[i];
            const int one =
                mca_fcoll_overlap_transport_error(self, "a message", -1, ompi_request_wait(&request, MPI_STATUS_IGNORE));
            error = one > error ? one : error;
            requests[i] = NULL;
        }
    }
    return error;
}

static int transport_test(void *self, overlap_request **requests, size_t count, int *done) {
    int error = OVERLAP_SUCCESS;

    *done = 1;
    for (size_t i = 0; i < count; ++i) {
        if (NULL != requests[i]) {
            ompi_request_t *request = (ompi_request_t *)requests[i];
            int completed = 0;
            const int one = mca_fcoll_overlap_transport_error(self, "a message", -1,
                                                              ompi_request_test(&request, &completed, MPI_STATUS_IGNORE));
            error = one > error ? one : error;
            if (completed || OVERLAP_SUCCESS != one) {
                requests[i] = NULL;
            } else {
                *done = 0;
            }
        }
    }
    return error;
}

static int transport_allreduce(void *self, int64_t *values, size_t count, overlap_reduction reduction) {
    ompi_communicator_t *comm = comm_of(self);
    const int ret = comm->c_coll->coll_allreduce(MPI_IN_PLACE, values, (mca_fcoll_overlap_count_t)count,
                                                 &ompi_mpi_int64_t.dt, OVERLAP_REDUCE_SUM == reduction ? MPI_SUM : MPI_MAX,
                                                 comm, comm->c_coll->coll_allreduce_module);
    return mca_fcoll_overlap_transport_error(self, "an allreduce", -1, ret);
}

static int transport_elect(void *self, overlap_bid *bids, size_t count) {
    ompi_communicator_t *comm = comm_of(self);
    const int ret =
        comm->c_coll->coll_allreduce(MPI_IN_PLACE, bids, (mca_fcoll_overlap_count_t)count, &ompi_mpi_double_int.dt,
                                     MPI_MINLOC, comm, comm->c_coll->coll_allreduce_module);
    return mca_fcoll_overlap_transport_error(self, "an election", -1, ret);
}

static int transport_broadcast(void *self, void *data, size_t bytes) {
    ompi_communicator_t *comm = comm_of(self);
    const int ret = comm->c_coll->coll_bcast(data, (mca_fcoll_overlap_count_t)bytes, &ompi_mpi_byte.dt, 0, comm,
                                             comm->c_coll->coll_bcast_module);
    return mca_fcoll_overlap_transport_error(self, "a broadcast", -1, ret);
}

static void transport_progress(void *self) {
    (void)self;
    opal_progress();
}

/* The lowest rank on this rank's node. Processes of a node are known from the start, so no other is looked up. */
static int lowest_local_rank(ompi_communicator_t *comm) {
    for (int rank = 0; rank < ompi_comm_size(comm); ++rank) {
        const ompi_proc_t *proc = ompi_group_peer_lookup_existing(comm->c_local_group, rank);
        if (rank == ompi_comm_rank(comm) || (NULL != proc && OPAL_PROC_ON_LOCAL_NODE(proc->super.proc_flags))) {
            return rank;
        }
    }
    return ompi_comm_rank(comm);
}

/* Collective. Each rank names the lowest rank of its node; nodes are then numbered in the order of these. */
static int find_nodes(mca_fcoll_overlap_module_t *module) {
    ompi_communicator_t *comm = module->fh->f_comm;
    const int size = ompi_comm_size(comm);
    int lowest = lowest_local_rank(comm);
    int nodes = 0, ret;
    int *node = malloc((size_t)size * sizeof(int));

    if (NULL == node) {
        return OVERLAP_ERR_NO_MEM;
    }
    ret = comm->c_coll->coll_allgather(&lowest, 1, &ompi_mpi_int.dt, node, 1, &ompi_mpi_int.dt, comm,
                                       comm->c_coll->coll_allgather_module);
    if (OMPI_SUCCESS != ret) {
        free(node);
        return mca_fcoll_overlap_transport_error(module, "an allgather", -1, ret);
    }
    for (int rank = 0; rank < size; ++rank) {
        node[rank] = node[rank] == rank ? nodes++ : node[node[rank]];
    }
    module->node_of_rank = node;
    return OVERLAP_SUCCESS;
}

int mca_fcoll_overlap_transport_open(mca_fcoll_overlap_module_t *module, overlap_transport *transport) {
    if (NULL == module->node_of_rank) {
        const int error = find_nodes(module);
        if (OVERLAP_SUCCESS != error) {
            return error;
        }
    }
    if (NULL == module->locality) {
        module->locality = mca_fcoll_overlap_locality();
        if (NULL == module->locality) {
            return OVERLAP_ERR_NO_MEM;
        }
    }
    *transport = (overlap_transport){
        .self = module,
        .rank = ompi_comm_rank(module->fh->f_comm),
        .size = ompi_comm_size(module->fh->f_comm),
        .node_of_rank = module->node_of_rank,
        .host = opal_process_info.nodename,
        .locality = module->locality,
        .send = transport_send,
        .receive = transport_receive,
        .receive_any = transport_receive_any,
        .wait = transport_wait,
        .test = transport_test,
        .allreduce = transport_allreduce,
        .elect = transport_elect,
        .broadcast = transport_broadcast,
        .progress = transport_progress,
    };
    mca_fcoll_overlap_window_functions(transport);
    return OVERLAP_SUCCESS;
}
