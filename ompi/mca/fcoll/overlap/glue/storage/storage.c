/*
 * SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The overlap project
 *
 * The storage port over the fs and fbtl that OMPIO chose for the file.
 *
 * An fbtl tells neither why a transfer failed nor, in all versions, that it was short. After a failed or short one the rest
 * of the extent is therefore written with pwrite(2), or read with preadv(2), which completes it or gives the errno. That is
 * done where the fbtl has a POSIX descriptor; others keep their own error.
 */
#include "storage.h"

#include "ompi/mca/fbtl/fbtl.h"
#include "opal/util/output.h"

#include <time.h>

/* Asynchronous parts of one overlap_transfer that are under way at a time; POSIX aio keeps a control block for each. */
enum { WINDOW = 64 };

/* Bytes; below it a list longer than that is not transferred asynchronously. */
enum { SMALL = 8192 };

struct overlap_transfer {
    overlap_direction direction;
    overlap_extent *extents;
    size_t count;
    size_t started;
    size_t completed;
    size_t done; /* bytes of the completed extents */
    int error;
    bool over;                             /* after an error, or the end of the file: nothing that follows is transferred */
    mca_ompio_request_t *requests[WINDOW]; /* of extent i at i % WINDOW, NULL where it could not be started */
};

/* File domains are disjoint, so no two aggregators write the same bytes and the range locks of fbtl would only cost time;
 * atomic mode is the exception. A lock of the whole file stays: on NFS it keeps the caches of the clients apart. */
static int32_t without_locks(const ompio_file_t *fh) {
    return fh->f_atomicity ? fh->f_flags : fh->f_flags | OMPIO_LOCK_NOT_THIS_OP;
}

/* With locks fbtl's asynchronous write would hold one until the request is waited for; an aggregator that then waits for a
 * message of one that waits for the lock would wait forever. A blocking write gives the lock back before it returns. The
 * asynchronous read of fbtl posix asks again and again for what lies behind the end of the file. */
static bool is_asynchronous(const ompio_file_t *fh, overlap_direction direction) {
    const bool can = OVERLAP_READ == direction ? NULL != fh->f_fbtl->fbtl_ipreadv && !mca_fcoll_overlap_is_posix(fh)
                                               : NULL != fh->f_fbtl->fbtl_ipwritev;
    return can && !mca_fcoll_overlap_locks_writes(fh);
}

/* Hands one extent to fbtl: a list might be sieved, that is, rewritten with what was read from its gaps before. The handle
 * that fbtl is given is a copy, as OMPIO's independent calls, which another thread may be in, keep their list in the file's.
 * It stays where it is, as asynchronous transfers refer to it. */
static ompio_file_t *with_one_entry(mca_fcoll_overlap_module_t *module, mca_common_ompio_io_array_t *entry,
                                    const overlap_extent *extent) {
    entry->memory_address = extent->address;
    entry->offset = (void *)(intptr_t)extent->offset;
    entry->length = extent->length;
    module->for_fbtl = *module->fh;
    module->for_fbtl.f_flags = without_locks(module->fh);
    module->for_fbtl.f_io_array = entry;
    module->for_fbtl.f_num_of_io_entries = 1;
    return &module->for_fbtl;
}

/* What fbtl says of `extent`: after an error or a short transfer, the rest. */
static int settle(mca_fcoll_overlap_module_t *module, overlap_direction direction, const overlap_extent *extent,
                  long long answer, size_t *done) {
    const bool reads = OVERLAP_READ == direction;

    *done = answer > 0 && (size_t)answer <= extent->length ? (size_t)answer : 0;
    if (*done == extent->length) {
        return OVERLAP_SUCCESS;
    }
    if (mca_fcoll_overlap_is_posix(module->fh)) {
        return mca_fcoll_overlap_transfer_list(module, direction, extent, 1, done);
    }
    if (reads && answer >= 0) {
        return OVERLAP_SUCCESS; /* as much as it takes at once, or the end of the file */
    }
    mca_fcoll_overlap_report_transfer(module, reads ? "a read by fbtl" : "a write by fbtl", extent, *done,
                                      answer < 0 ? opal_strerror((int)answer) : "short write");
    return answer < 0 ? mca_fcoll_overlap_error_of_ompi((int)answer) : OVERLAP_ERR_IO;
}

/* The extent behind its first `done` bytes, as much of it as Linux takes at once. */
static overlap_extent part_of(const overlap_extent *extent, size_t done) {
    const size_t left = extent->length - done;

    return (overlap_extent){extent->offset + (int64_t)done, extent->address + done,
                            left < MCA_FCOLL_OVERLAP_LARGEST_WRITE ? left : MCA_FCOLL_OVERLAP_LARGEST_WRITE};
}

/* Transfers the extent behind its first `*done` bytes, and adds what it transfers: less where a read meets the end of the
 * file. */
static int transfer_rest(mca_fcoll_overlap_module_t *module, overlap_direction direction, const overlap_extent *extent,
                         size_t *done) {
    int error = OVERLAP_SUCCESS;

    for (size_t bytes = 1; bytes > 0 && OVERLAP_SUCCESS == error && *done < extent->length; *done += bytes) {
        const overlap_extent part = part_of(extent, *done);
        mca_common_ompio_io_array_t entry;
        ompio_file_t *fh = with_one_entry(module, &entry, &part);
        error = settle(module, direction, &part,
                       OVERLAP_READ == direction ? fh->f_fbtl->fbtl_preadv(fh) : fh->f_fbtl->fbtl_pwritev(fh), &bytes);
    }
    return error;
}

static int storage_transfer(void *self, overlap_direction direction, const overlap_extent *extents, size_t count,
                            size_t *transferred) {
    const ompio_file_t *fh = ((mca_fcoll_overlap_module_t *)self)->fh;
    int error = OVERLAP_SUCCESS;
    bool whole = true;

    /* fbtl would take and give back the lock for each extent, which on NFS costs a flush each time, and does more for each
     * than to transfer it. */
    if (mca_fcoll_overlap_is_posix(fh) && (count > 1 || mca_fcoll_overlap_locks_writes(fh))) {
        return mca_fcoll_overlap_posix_transfer(self, direction, extents, count, transferred);
    }
    *transferred = 0;
    for (size_t i = 0; i < count && whole; ++i) {
        size_t done = 0;
        error = transfer_rest(self, direction, &extents[i], &done);
        *transferred += done;
        whole = done == extents[i].length;
    }
    return error;
}

/* NULL where fbtl does not take it. The request is ours alone: one from mca_common_ompio_request_alloc would stand in a list
 * of the whole process that has no lock, and threads may write to a file each (MPI_THREAD_MULTIPLE). */
static mca_ompio_request_t *start_part(mca_fcoll_overlap_module_t *module, overlap_direction direction,
                                       const overlap_extent *part) {
    mca_ompio_request_t *request = calloc(1, sizeof(*request));
    mca_common_ompio_io_array_t entry;
    ompio_file_t *fh;
    ssize_t ret;

    if (NULL == request) {
        return NULL;
    }
    fh = with_one_entry(module, &entry, part);
    ret = OVERLAP_READ == direction ? fh->f_fbtl->fbtl_ipreadv(fh, &request->req_ompi)
                                    : fh->f_fbtl->fbtl_ipwritev(fh, &request->req_ompi);
    if (ret < 0 || NULL == request->req_progress_fn) {
        free(request);
        return NULL;
    }
    return request;
}

static void release_request(mca_ompio_request_t *request) {
    if (NULL != request->req_free_fn) {
        request->req_free_fn(request);
    }
    free(request->req_data);
    free(request);
}

/* Starts extents as far as the window goes. One that fbtl does not take is transferred when its turn to complete comes. */
static void start_more(mca_fcoll_overlap_module_t *module, overlap_transfer *transfer) {
    while (transfer->started < transfer->count && transfer->started - transfer->completed < WINDOW) {
        const overlap_extent part = part_of(&transfer->extents[transfer->started], 0);
        transfer->requests[transfer->started++ % WINDOW] = start_part(module, transfer->direction, &part);
    }
}

/* An asynchronous transfer of some hundred bytes costs more than the transfer: POSIX aio hands each to a thread. The rest of
 * a long list would not progress before the wait, anyway. */
static bool is_list_of_small_extents(const overlap_extent *extents, size_t count) {
    size_t bytes = 0;
    if (count <= WINDOW) {
        return false;
    }
    for (size_t i = 0; i < count; ++i) {
        bytes += extents[i].length;
    }
    return bytes / count < SMALL;
}

/* Once, for the user who turned on verbose output: a blocking write may delay messages. */
static void say_that_it_blocks(mca_fcoll_overlap_module_t *module) {
    if (!module->blocking_said) {
        opal_output_verbose(1, ompi_fcoll_base_framework.framework_output,
                            "fcoll:overlap: %s %s, so the shuffle progresses during a write only where it needs no help of "
                            "the writing rank",
                            module->fh->f_filename,
                            mca_fcoll_overlap_locks_writes(module->fh) ? "is locked for each write"
                                                                       : "has an fbtl without asynchronous writes");
        module->blocking_said = true;
    }
}

static int storage_transfer_start(void *self, overlap_direction direction, const overlap_extent *extents, size_t count,
                                  overlap_transfer **request) {
    mca_fcoll_overlap_module_t *module = self;
    overlap_transfer *transfer = calloc(1, sizeof(*transfer));
    overlap_extent *copies = malloc((count > 0 ? count : 1) * sizeof(*copies));
    const bool asynchronous = is_asynchronous(module->fh, direction);

    *request = NULL;
    if (NULL == transfer || NULL == copies) {
        free(copies);
        free(transfer);
        return OVERLAP_ERR_NO_MEM;
    }
    transfer->direction = direction;
    if (count > 0) {
        memcpy(copies, extents, count * sizeof(*copies));
    }
    transfer->extents = copies;
    transfer->count = count;
    *request = transfer;
    if (asynchronous && !is_list_of_small_extents(extents, count)) {
        start_more(module, transfer);
        return OVERLAP_SUCCESS;
    }
    if (!asynchronous && OVERLAP_WRITE == direction) {
        say_that_it_blocks(module);
    }
    transfer->error = storage_transfer(self, direction, extents, count, &transfer->done);
    transfer->started = transfer->completed = count;
    return OVERLAP_SUCCESS;
}

/* Whether the oldest extent under way has completed. */
static bool oldest_is_done(overlap_transfer *transfer) {
    mca_ompio_request_t *request = transfer->requests[transfer->completed % WINDOW];
    return NULL == request || request->req_progress_fn(request);
}

/* Takes the answer for the oldest extent under way, which has completed or was never taken by fbtl, and transfers its rest.
 */
static void complete_oldest(mca_fcoll_overlap_module_t *module, overlap_transfer *transfer) {
    const overlap_extent *extent = &transfer->extents[transfer->completed];
    mca_ompio_request_t **slot = &transfer->requests[transfer->completed % WINDOW];
    size_t done = 0;
    int error = OVERLAP_SUCCESS;

    if (NULL != *slot) {
        const ompi_status_public_t *status = &(*slot)->req_ompi.req_status;
        const long long answer = OMPI_SUCCESS == status->MPI_ERROR ? (long long)status->_ucount : OMPI_ERROR;
        const overlap_extent part = part_of(extent, 0);
        error = settle(module, transfer->direction, &part, answer, &done);
        release_request(*slot);
        *slot = NULL;
    }
    ++transfer->completed;
    /* Bytes behind the first one that could not be transferred do not count. */
    if (!transfer->over) {
        transfer->error = OVERLAP_SUCCESS == error ? transfer_rest(module, transfer->direction, extent, &done) : error;
        transfer->done += done;
        transfer->over = done < extent->length;
    }
    if (transfer->over) {
        transfer->count = transfer->started;
    } else {
        start_more(module, transfer);
    }
}

static int finish_transfer(overlap_transfer **request, size_t *done) {
    const int error = (*request)->error;

    *done = (*request)->done;
    free((*request)->extents);
    free(*request);
    *request = NULL;
    return error;
}

/* Between two looks at a transfer: messages progress, and where nothing happens for a while the core is left to the threads
 * that write or read. */
static void let_others_work(int looks) {
    static const struct timespec pause = {0, 20000};

    mca_fcoll_overlap_let_go_on(true);
    if (looks > 100 && !mca_fcoll_overlap_is_nonblocking()) {
        nanosleep(&pause, NULL);
    }
}

static int storage_transfer_wait(void *self, overlap_transfer **request, size_t *done) {
    overlap_transfer *transfer = *request;

    while (transfer->completed < transfer->count) {
        for (int looks = 0; !oldest_is_done(transfer); ++looks) {
            let_others_work(looks);
        }
        complete_oldest(self, transfer);
    }
    return finish_transfer(request, done);
}

static int storage_transfer_test(void *self, overlap_transfer **request, int *complete, size_t *done) {
    overlap_transfer *transfer = *request;

    *complete = 0;
    while (transfer->completed < transfer->count) {
        if (!oldest_is_done(transfer)) {
            return OVERLAP_SUCCESS;
        }
        complete_oldest(self, transfer);
    }
    *complete = 1;
    return finish_transfer(request, done);
}

/* The facts are those that all ranks determined last, but for what the program may change at any time. */
static void storage_facts(void *self, overlap_file_facts *facts) {
    const mca_fcoll_overlap_module_t *module = self;

    *facts = module->facts;
    facts->atomic_mode = module->fh->f_atomicity;
}

void mca_fcoll_overlap_storage_open(mca_fcoll_overlap_module_t *module, overlap_storage *storage) {
    *storage = (overlap_storage){
        .self = module,
        .facts = storage_facts,
        .size = mca_fcoll_overlap_size,
        .flush = mca_fcoll_overlap_flush,
        .transfer = storage_transfer,
        .transfer_start = storage_transfer_start,
        .transfer_wait = storage_transfer_wait,
        .transfer_test = storage_transfer_test,
        .posix_transfer = mca_fcoll_overlap_posix_transfer,
        .posix_lock = mca_fcoll_overlap_posix_lock,
        .posix_read = mca_fcoll_overlap_posix_read,
        .posix_write_locked = mca_fcoll_overlap_posix_write_locked,
        .posix_unlock = mca_fcoll_overlap_posix_unlock,
        .posix_holds_data = mca_fcoll_overlap_posix_holds_data,
        .posix_descriptors = mca_fcoll_overlap_posix_descriptors,
        .posix_locks = mca_fcoll_overlap_posix_locks,
        .posix_error = mca_fcoll_overlap_posix_error,
    };
}
