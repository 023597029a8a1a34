/*
 * SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The overlap project
 *
 * The transport port over the pml and the collectives of the file's communicator, which is OMPIO's own duplicate.
 */
#include "transport.h"

#include "ompi/communicator/communicator.h"
#include "ompi/datatype/ompi_datatype.h"
#include "ompi/mca/coll/coll.h"
#include "ompi/mca/pml/pml.h"
#include "ompi/request/request.h"
#include "opal/runtime/opal_progress.h"

/* Away from the tags that other parts of OMPIO use on this communicator. */
enum { FIRST_TAG = 0x6f76 };

static ompi_communicator_t *comm_of(void *self) { return mca_fcoll_overlap_fh(self)->f_comm; }

/* A message to or from a peer, of bytes in memory as Open MPI wants them. */
typedef struct message_t {
    bool sends;
    mca_pml_base_send_mode_t mode; /* of one that is sent */
    int peer, tag;
    char *address;
    size_t count;
    ompi_datatype_t *type;
} message_t;

static const char *name_of_message(const message_t *message) { return message->sends ? "a send" : "a receive"; }

static ompi_request_t *start_message(void *self, const message_t *of) {
    const int tag = FIRST_TAG + of->tag;
    ompi_request_t *request = NULL;
    int tries = 0, ret;

    do {
        ret = of->sends
                  ? MCA_PML_CALL(isend(of->address, of->count, of->type, of->peer, tag, of->mode, comm_of(self), &request))
                  : MCA_PML_CALL(irecv(of->address, of->count, of->type, of->peer, tag, comm_of(self), &request));
    } while (OMPI_SUCCESS != ret && mca_fcoll_overlap_may_try_again(&tries));
    if (OMPI_SUCCESS != ret) {
        mca_fcoll_overlap_give_up(self, name_of_message(of), of->peer, ret);
    }
    return request;
}

/* A receive keeps the number of bytes that it waits for where a request that has no callback has room: it needs no memory of
 * its own, and no pml looks at it. Sends keep 0. Some pmls give one request for all sends that are complete at once, so what
 * is right already is not stored again. */
static void expect(ompi_request_t *request, size_t bytes) {
    void *const expected = (void *)(uintptr_t)bytes;
    if (expected != request->req_complete_cb_data) {
        request->req_complete_cb_data = expected;
    }
}

static size_t expected_of(const ompi_request_t *request) { return (size_t)(uintptr_t)request->req_complete_cb_data; }

static size_t bytes_of(const overlap_piece *pieces, size_t count) {
    size_t bytes = 0;
    for (size_t i = 0; i < count; ++i) {
        bytes += pieces[i].count * pieces[i].length;
    }
    return bytes;
}

/* To Open MPI's datatypes an extent of -1 says that there is none. */
#define NO_EXTENT (-1)

/* Adds the blocks of a piece to `type`, whose displacements are absolute addresses. */
static int add_piece(ompi_datatype_t *type, const overlap_piece *piece) {
    ompi_datatype_t *block;
    int ret = OMPI_SUCCESS;

    if (1 == piece->count || NO_EXTENT == piece->stride) {
        for (size_t i = 0; i < piece->count && OMPI_SUCCESS == ret; ++i) {
            ret = ompi_datatype_add(type, &ompi_mpi_byte.dt, piece->length,
                                    (ptrdiff_t)(intptr_t)piece->address - (ptrdiff_t)i, 1);
        }
        return ret;
    }
    block = ompi_datatype_create(4);
    if (NULL == block) {
        return OMPI_ERR_OUT_OF_RESOURCE;
    }
    ret = ompi_datatype_add(block, &ompi_mpi_byte.dt, piece->length, 0, 1);
    if (OMPI_SUCCESS == ret) {
        ret = ompi_datatype_add(type, block, piece->count, (ptrdiff_t)(intptr_t)piece->address, piece->stride);
    }
    OBJ_RELEASE(block);
    return ret;
}

/* A committed datatype for a list of pieces, relative to address 0. It is for messages of this process: it has no
 * description that another one could be sent. Returns an OMPI_* value. */
static int type_of_pieces(const overlap_piece *pieces, size_t count, ompi_datatype_t **type) {
    int ret = OMPI_SUCCESS;
    size_t entries = 2 + 4 * count; /* all at once: a type that had to grow was written past its end (5.0.7) */

    for (size_t i = 0; i < count; ++i) {
        entries += NO_EXTENT == pieces[i].stride ? pieces[i].count : 0;
    }
    if (entries > INT32_MAX) {
        return OMPI_ERR_OUT_OF_RESOURCE;
    }
    *type = ompi_datatype_create((int32_t)entries);
    if (NULL == *type) {
        return OMPI_ERR_OUT_OF_RESOURCE;
    }
    for (size_t i = 0; i < count && OMPI_SUCCESS == ret; ++i) {
        ret = add_piece(*type, &pieces[i]);
    }
    if (OMPI_SUCCESS == ret) {
        ret = ompi_datatype_commit(type);
    }
    if (OMPI_SUCCESS != ret) {
        OBJ_RELEASE(*type);
        *type = NULL;
    }
    return ret;
}

/* Without a datatype a message of no bytes goes in the place of the one that was asked for. A receive drops what comes then,
 * and one that meets such a send sees fewer bytes than it expects. */
static int start_pieces(void *self, message_t message, const overlap_piece *pieces, size_t count,
                        overlap_request **request) {
    ompi_request_t *started;
    ompi_datatype_t *made = NULL;
    int ret = OMPI_SUCCESS;

    message.type = &ompi_mpi_byte.dt;
    if (1 == count && 1 == pieces->count) {
        message.address = pieces->address;
        message.count = pieces->length;
    } else {
        ret = type_of_pieces(pieces, count, &made);
        if (OMPI_SUCCESS == ret) {
            message.count = 1;
            message.type = made;
        }
    }
    started = start_message(self, &message);
    expect(started, message.sends ? 0 : bytes_of(pieces, count));
    if (NULL != made) {
        OBJ_RELEASE(made); /* a message under way keeps its datatype */
    }
    *request = (overlap_request *)started;
    return mca_fcoll_overlap_error_of_call(self, name_of_message(&message), message.peer, ret);
}

static int transport_send(void *self, int peer, int tag, overlap_send_mode mode, const overlap_piece *pieces, size_t count,
                          overlap_request **request) {
    const mca_pml_base_send_mode_t of_pml =
        OVERLAP_SEND_SYNCHRONOUS == mode ? MCA_PML_BASE_SEND_SYNCHRONOUS : MCA_PML_BASE_SEND_STANDARD;
    return start_pieces(self, (message_t){.sends = true, .mode = of_pml, .peer = peer, .tag = tag}, pieces, count, request);
}

static int transport_receive(void *self, int peer, int tag, const overlap_piece *pieces, size_t count,
                             overlap_request **request) {
    return start_pieces(self, (message_t){.peer = peer, .tag = tag}, pieces, count, request);
}

/* Waits for a request, which is gone then. Open MPI leaves one with an error to its owner. */
static int complete(void *self, ompi_request_t *request, ompi_status_public_t *status) {
    const size_t expected = expected_of(request);
    int ret, peer;

    *status = ompi_status_empty;
    mca_fcoll_overlap_await(request);
    ret = ompi_request_wait(&request, status);
    peer = status->MPI_SOURCE >= 0 ? status->MPI_SOURCE : -1;
    if (OMPI_SUCCESS != ret && MPI_REQUEST_NULL != request) {
        ompi_request_free(&request);
    }
    if (OMPI_SUCCESS == ret && status->_ucount < expected) {
        return mca_fcoll_overlap_error_of_call(self, "a message whose sender could not make it", peer, MPI_ERR_OTHER);
    }
    return mca_fcoll_overlap_error_of_call(self, "a message", peer, ret);
}

/* Waits for a message with this tag from any rank. */
static int look_for(void *self, int tag, ompi_status_public_t *status) {
    int found = 0, ret = OMPI_SUCCESS;

    while (OMPI_SUCCESS == ret && !found) {
        ret = MCA_PML_CALL(iprobe(MPI_ANY_SOURCE, FIRST_TAG + tag, comm_of(self), &found, status));
        if (!found) {
            mca_fcoll_overlap_progress(false);
        }
    }
    return ret;
}

/* The message is looked at before it is received: pml ucx of 4.1 does not tell whose message it was that did not fit. One
 * that is lost on the way may have a rest, which nobody would receive, and whose sender would wait for ever. */
static int transport_receive_any(void *self, int tag, void *buffer, size_t capacity, int *source, size_t *received) {
    message_t message = {.tag = tag, .address = buffer, .count = capacity, .type = &ompi_mpi_byte.dt};
    ompi_status_public_t status;
    ompi_request_t *request;
    int ret;

    do {
        ret = look_for(self, tag, &status);
    } while (OMPI_ERR_OUT_OF_RESOURCE == ret || OMPI_ERR_TEMP_OUT_OF_RESOURCE == ret);
    if (OMPI_SUCCESS != ret) {
        mca_fcoll_overlap_give_up(self, "a probe", -1, ret);
    }
    *source = message.peer = status.MPI_SOURCE;
    request = start_message(self, &message);
    expect(request, 0);
    ret = complete(self, request, &status);
    if (OVERLAP_SUCCESS != ret) {
        mca_fcoll_overlap_give_up(self, "the receipt of a message", *source, OMPI_ERROR);
    }
    *received = status._ucount;
    return ret;
}

/* Completes one of a list; `error` keeps the most severe of all. */
static void complete_one(void *self, overlap_request **request, int *error) {
    ompi_status_public_t status;
    const int one = complete(self, (ompi_request_t *)*request, &status);

    *error = one > *error ? one : *error;
    *request = NULL;
}

/* One by one in the order in which they were started: each wait progresses all of them, and an error names its request. */
static int transport_wait(void *self, overlap_request **requests, size_t count) {
    int error = OVERLAP_SUCCESS;

    for (size_t i = 0; i < count; ++i) {
        if (NULL != requests[i]) {
            complete_one(self, &requests[i], &error);
        }
    }
    return error;
}

/* Who tests in a nonblocking call makes no progress by it, and comes again after others have. */
static int transport_test(void *self, overlap_request **requests, size_t count, int *done) {
    const bool nonblocking = mca_fcoll_overlap_is_nonblocking();
    int error = OVERLAP_SUCCESS;

    *done = 1;
    for (size_t i = 0; i < count; ++i) {
        ompi_request_t *const request = (ompi_request_t *)requests[i];
        if (NULL != request && !nonblocking && !REQUEST_COMPLETE(request)) {
            opal_progress();
        }
        if (NULL != request && REQUEST_COMPLETE(request)) {
            complete_one(self, &requests[i], &error);
        }
        *done = NULL == requests[i] && *done;
    }
    if (!*done && nonblocking) {
        mca_fcoll_overlap_progress(false);
    }
    return error;
}

static void transport_progress(void *self) { mca_fcoll_overlap_progress(true); }

static int transport_waits(void *self) { return !mca_fcoll_overlap_is_nonblocking(); }

static const char *transport_locality(void *self) {
    mca_fcoll_overlap_module_t *const module = self;

    module->locality = NULL == module->locality ? mca_fcoll_overlap_locality() : module->locality;
    return module->locality;
}

void mca_fcoll_overlap_transport_open(mca_fcoll_overlap_module_t *module, overlap_transport *transport) {
    *transport = (overlap_transport){
        .self = module,
        .rank = ompi_comm_rank(module->fh->f_comm),
        .size = ompi_comm_size(module->fh->f_comm),
        .nodes = module->nodes,
        .host = opal_process_info.nodename,
        .locality = transport_locality,
        .nics = module->nics,
        .send = transport_send,
        .receive = transport_receive,
        .receive_any = transport_receive_any,
        .wait = transport_wait,
        .test = transport_test,
        .allreduce = mca_fcoll_overlap_allreduce,
        .broadcast = mca_fcoll_overlap_broadcast,
        .progress = transport_progress,
        .waits = transport_waits,
    };
    mca_fcoll_overlap_window_functions(transport);
    mca_fcoll_overlap_node_memory_functions(transport);
}
