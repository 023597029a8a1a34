/*
 * SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The overlap project
 *
 * The storage port over the fs and fbtl that OMPIO chose for the file.
 *
 * Files with a POSIX descriptor are written and read by POSIX calls, but for asynchronous writes. An fbtl tells neither why
 * one failed nor, in all versions, that it was short, so what it has not written is then written with pwrite(2), which
 * completes it or gives the errno. Where there is no such descriptor the error of the fbtl counts.
 */
#include "storage.h"

#include "ompi/mca/fbtl/fbtl.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

/* An extent that fbtl transfers; it keeps pointers to all of it. A request from mca_common_ompio_request_alloc would stand
 * in a list of the whole process that has no lock, and threads may write to a file each (MPI_THREAD_MULTIPLE). The handle is
 * a copy, as OMPIO's independent calls, which another thread may be in, keep their list in the file's. */
struct overlap_transfer {
    mca_ompio_request_t request;
    ompio_file_t fh;
    mca_common_ompio_io_array_t entry;
    overlap_extent extent;
    overlap_direction direction;
};

/* With locks fbtl's asynchronous write would hold one until the request is waited for; an aggregator that then waits for a
 * message of one that waits for the lock would wait forever. A blocking write gives the lock back before it returns. The
 * asynchronous read of fbtl posix asks again and again for what lies behind the end of the file. */
static bool is_asynchronous(const ompio_file_t *fh, overlap_direction direction) {
    const bool can = OVERLAP_READ == direction ? NULL != fh->f_fbtl->fbtl_ipreadv && !mca_fcoll_overlap_is_posix(fh)
                                               : NULL != fh->f_fbtl->fbtl_ipwritev;
    return can && !mca_fcoll_overlap_locks_writes(fh);
}

/* What fbtl is to transfer: the extent behind its first `done` bytes, as much of it as Linux takes at once. Not a list,
 * which it might sieve, that is, rewrite with what it has read from the gaps before. */
static void hand_over(overlap_transfer *transfer, const ompio_file_t *fh, size_t done) {
    const overlap_extent *extent = &transfer->extent;
    const size_t left = extent->length - done;

    transfer->entry.memory_address = extent->address + done;
    transfer->entry.offset = (void *)(intptr_t)(extent->offset + (int64_t)done);
    transfer->entry.length = left < MCA_FCOLL_OVERLAP_LARGEST_WRITE ? left : MCA_FCOLL_OVERLAP_LARGEST_WRITE;
    transfer->fh = *fh;
    /* File domains are disjoint, so no two aggregators write the same bytes and the range locks of fbtl would only cost
     * time; atomic mode is the exception. A lock of the whole file stays: on NFS it keeps the caches of the clients apart.
     */
    transfer->fh.f_flags |= fh->f_atomicity ? 0 : OMPIO_LOCK_NOT_THIS_OP;
    transfer->fh.f_io_array = &transfer->entry;
    transfer->fh.f_num_of_io_entries = 1;
}

/* Returns what fbtl says of a blocking transfer. */
static long long transfer_part(const ompio_file_t *fh, overlap_transfer *transfer, size_t done) {
    hand_over(transfer, fh, done);
    return OVERLAP_READ == transfer->direction ? fh->f_fbtl->fbtl_preadv(&transfer->fh)
                                               : fh->f_fbtl->fbtl_pwritev(&transfer->fh);
}

/* Adds what fbtl answers of what it was handed, and transfers the rest, until no more is transferred: where a read meets the
 * end of the file, or after an error. An answer above what was handed over is none. */
static int transfer_rest(mca_fcoll_overlap_module_t *module, overlap_transfer *transfer, long long answer, size_t *done) {
    const bool reads = OVERLAP_READ == transfer->direction;

    for (*done = 0;; answer = transfer_part(module->fh, transfer, *done)) {
        const bool is_too_much = answer > (long long)transfer->entry.length;
        *done += answer > 0 && !is_too_much ? (size_t)answer : 0;
        if (mca_fcoll_overlap_is_posix(module->fh)) {
            return mca_fcoll_overlap_transfer_list(module, transfer->direction, &transfer->extent, 1, done);
        }
        if (*done == transfer->extent.length || (reads && 0 == answer)) {
            return OVERLAP_SUCCESS;
        }
        if (answer <= 0 || is_too_much) {
            mca_fcoll_overlap_note_transfer(module, reads ? "a read by fbtl" : "a write by fbtl", &transfer->extent, *done,
                                            answer < 0    ? opal_strerror((int)answer)
                                            : is_too_much ? "more bytes than there were"
                                                          : "short write");
            return answer < 0 ? mca_fcoll_overlap_error_of_ompi((int)answer) : OVERLAP_ERR_IO;
        }
    }
}

/* POSIX calls take the lock of a list once: fbtl would take and give it back for each extent, which on NFS costs a flush
 * each time. */
static int storage_transfer(void *self, overlap_direction direction, const overlap_extent *extents, size_t count,
                            size_t *transferred) {
    const ompio_file_t *fh = mca_fcoll_overlap_fh(self);
    int error = OVERLAP_SUCCESS;
    bool whole = true;

    if (mca_fcoll_overlap_is_posix(fh)) {
        return mca_fcoll_overlap_posix_transfer(self, direction, extents, count, transferred);
    }
    *transferred = 0;
    for (size_t i = 0; i < count && whole; ++i) {
        overlap_transfer transfer;
        size_t done;
        transfer.extent = extents[i];
        transfer.direction = direction;
        error = transfer_rest(self, &transfer, transfer_part(fh, &transfer, 0), &done);
        *transferred += done;
        whole = done == extents[i].length;
    }
    return error;
}

/* NULL where fbtl does not take it, or there is no memory. */
static overlap_transfer *start_transfer(const ompio_file_t *fh, overlap_direction direction, const overlap_extent *extent) {
    overlap_transfer *transfer = calloc(1, sizeof(*transfer));
    ssize_t ret;

    if (NULL == transfer) {
        return NULL;
    }
    transfer->extent = *extent;
    transfer->direction = direction;
    hand_over(transfer, fh, 0);
    ret = OVERLAP_READ == direction ? fh->f_fbtl->fbtl_ipreadv(&transfer->fh, &transfer->request.req_ompi)
                                    : fh->f_fbtl->fbtl_ipwritev(&transfer->fh, &transfer->request.req_ompi);
    if (ret < 0 || NULL == transfer->request.req_progress_fn) {
        free(transfer);
        return NULL;
    }
    return transfer;
}

/* Asynchronous is a transfer of one extent, which is what a cycle without gaps has. */
static int storage_transfer_start(void *self, overlap_direction direction, const overlap_extent *extents, size_t count,
                                  overlap_transfer **request, size_t *done) {
    const ompio_file_t *fh = mca_fcoll_overlap_fh(self);

    *done = 0;
    *request = 1 == count && is_asynchronous(fh, direction) ? start_transfer(fh, direction, extents) : NULL;
    return NULL != *request ? OVERLAP_SUCCESS : storage_transfer(self, direction, extents, count, done);
}

static bool has_ended(overlap_transfer *transfer) { return transfer->request.req_progress_fn(&transfer->request); }

static int finish_transfer(void *self, overlap_transfer **request, size_t *done) {
    overlap_transfer *const transfer = *request;
    const ompi_status_public_t *const status = &transfer->request.req_ompi.req_status;
    const long long answer = OMPI_SUCCESS == status->MPI_ERROR ? (long long)status->_ucount : OMPI_ERROR;
    int error;

    if (NULL != transfer->request.req_free_fn) {
        transfer->request.req_free_fn(&transfer->request);
    }
    free(transfer->request.req_data);
    error = transfer_rest(self, transfer, answer, done);
    free(transfer);
    *request = NULL;
    return error;
}

/* Between two looks messages progress, and where nothing happens for a while the core is left to the threads that write or
 * read. */
static int storage_transfer_wait(void *self, overlap_transfer **request, size_t *done) {
    for (int looks = 0; !has_ended(*request); ++looks) {
        mca_fcoll_overlap_progress(true);
        if (looks > 100 && !mca_fcoll_overlap_is_nonblocking()) {
            mca_fcoll_overlap_pause(20000);
        }
    }
    return finish_transfer(self, request, done);
}

static int storage_transfer_test(void *self, overlap_transfer **request, int *complete, size_t *done) {
    *complete = has_ended(*request);
    return 0 != *complete ? finish_transfer(self, request, done) : OVERLAP_SUCCESS;
}

int mca_fcoll_overlap_size(void *self, int fresh, int64_t *bytes) {
    const mca_fcoll_overlap_module_t *module = self;
    ompio_file_t *fh = module->fh;
    struct statx server;
    struct stat file;

    if (!mca_fcoll_overlap_is_posix(fh)) {
        OMPI_MPI_OFFSET_TYPE size = 0;
        const int ret = fh->f_fs->fs_file_get_size(fh, &size);
        *bytes = (int64_t)size;
        return mca_fcoll_overlap_error_of_ompi(ret);
    }
    if (0 != fresh && MCA_FCOLL_OVERLAP_ONE_NODE != module->caches &&
        0 == statx(fh->fd, "", AT_EMPTY_PATH | AT_STATX_FORCE_SYNC, STATX_TYPE | STATX_SIZE, &server)) {
        file.st_mode = server.stx_mode;
        file.st_size = (off_t)server.stx_size;
    } else if (0 != fstat(fh->fd, &file)) {
        return mca_fcoll_overlap_error_of_errno(errno);
    }
    *bytes = S_ISREG(file.st_mode) ? (int64_t)file.st_size : INT64_MAX;
    return OVERLAP_SUCCESS;
}

/* A file that cannot be flushed (EINVAL) holds nothing back. */
int mca_fcoll_overlap_flush(void *self) {
    ompio_file_t *fh = mca_fcoll_overlap_fh(self);
    int ret;

    if (!mca_fcoll_overlap_is_posix(fh)) {
        return NULL == fh->f_fs->fs_file_sync ? OVERLAP_SUCCESS
                                              : mca_fcoll_overlap_error_of_ompi(fh->f_fs->fs_file_sync(fh));
    }
    do {
        ret = fdatasync(fh->fd);
    } while (0 != ret && EINTR == errno);
    return 0 == ret || EINVAL == errno ? OVERLAP_SUCCESS : mca_fcoll_overlap_error_of_errno(errno);
}

/* The facts are those that all ranks determined last, but for what the program may change at any time. */
static void storage_facts(void *self, overlap_file_facts *facts) {
    const mca_fcoll_overlap_module_t *module = self;

    *facts = module->facts;
    facts->ompio_aggregators = module->ompio_aggregators;
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
        .posix_descriptors = mca_fcoll_overlap_posix_descriptors,
    };
    mca_fcoll_overlap_posix_functions(storage);
}
