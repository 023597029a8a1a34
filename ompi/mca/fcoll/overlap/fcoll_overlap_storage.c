/*
 * The storage port over the fs and fbtl that OMPIO chose for the file.
 *
 * An fbtl tells neither why a write failed nor, in all versions, that it was short. After a failed or short write the rest
 * of the extent is therefore written with pwrite(2), which completes it or gives the errno. That is done where the fbtl
 * writes to a POSIX descriptor; others keep their own error.
 */
#include "fcoll_overlap.h"

#include "ompi/mca/fbtl/fbtl.h"
#include "opal/runtime/opal_progress.h"
#include "opal/util/output.h"

#include <errno.h>
#include <time.h>

/* Asynchronous writes of one overlap_write that are under way at a time; POSIX aio keeps a control block for each. */
enum { WINDOW = 64 };

/* Bytes; below it a list longer than that is not written asynchronously. */
enum { SMALL_WRITE = 8192 };

struct overlap_write {
    overlap_extent *extents; /* each at most MCA_FCOLL_OVERLAP_LARGEST_WRITE long */
    size_t count;
    size_t started;
    size_t completed;
    size_t written; /* bytes of the completed extents */
    int error;
    mca_ompio_request_t *requests[WINDOW]; /* of extent i at i % WINDOW, NULL where it could not be started */
};

/* File domains are disjoint, so no two aggregators write the same bytes and the range locks of fbtl would only cost time;
 * atomic mode is the exception. A lock of the whole file stays: on NFS it keeps the caches of the clients apart. Returns the
 * flags to restore. */
static int32_t without_locks(ompio_file_t *fh) {
    const int32_t flags = fh->f_flags;
    if (!fh->f_atomicity) {
        fh->f_flags |= OMPIO_LOCK_NOT_THIS_OP;
    }
    return flags;
}

/* fbtl's asynchronous write would hold the lock until the request is waited for; an aggregator that then waits for a message
 * of one that waits for the lock would wait forever. A blocking write gives the lock back before it returns. */
static const char *reason_to_block(const ompio_file_t *fh) {
    return mca_fcoll_overlap_locks_writes(fh) ? "is locked for each write" : "has an fbtl without asynchronous writes";
}

bool mca_fcoll_overlap_writes_asynchronously(const ompio_file_t *fh) {
    return NULL != fh->f_fbtl->fbtl_ipwritev && !mca_fcoll_overlap_locks_writes(fh);
}

/* Hands one extent to fbtl: a list might be sieved, that is, rewritten with what was read from its gaps before. */
static void one_entry(ompio_file_t *fh, mca_common_ompio_io_array_t *entry, const overlap_extent *extent, size_t length) {
    entry->memory_address = extent->address;
    entry->offset = (void *)(intptr_t)extent->offset;
    entry->length = length;
    fh->f_io_array = entry;
    fh->f_num_of_io_entries = 1;
}

static void no_entry(ompio_file_t *fh) {
    fh->f_io_array = NULL;
    fh->f_num_of_io_entries = 0;
}

/* What fbtl says of `extent`: after an error or a short write, the rest. */
static int settle(mca_fcoll_overlap_module_t *module, const overlap_extent *extent, const char *call, long long answer,
                  size_t *done) {
    *done = answer > 0 && (size_t)answer <= extent->length ? (size_t)answer : 0;
    if (*done == extent->length) {
        return OVERLAP_SUCCESS;
    }
    if (mca_fcoll_overlap_is_posix(module->fh)) {
        return mca_fcoll_overlap_posix_finish(module, extent, done);
    }
    mca_fcoll_overlap_report_write(module, call, extent, *done, answer < 0 ? opal_strerror((int)answer) : "short write");
    return answer < 0 ? mca_fcoll_overlap_error_of_ompi((int)answer) : OVERLAP_ERR_IO;
}

static int write_extent(mca_fcoll_overlap_module_t *module, const overlap_extent *extent, size_t *done) {
    ompio_file_t *fh = module->fh;
    const int32_t flags = without_locks(fh);
    mca_common_ompio_io_array_t entry;
    ssize_t answer;

    one_entry(fh, &entry, extent,
              extent->length < MCA_FCOLL_OVERLAP_LARGEST_WRITE ? extent->length : MCA_FCOLL_OVERLAP_LARGEST_WRITE);
    answer = fh->f_fbtl->fbtl_pwritev(fh);
    no_entry(fh);
    fh->f_flags = flags;
    return settle(module, extent, "fbtl_pwritev", answer, done);
}

static int storage_write(void *self, const overlap_extent *extents, size_t count, size_t *written) {
    mca_fcoll_overlap_module_t *module = self;
    ompio_file_t *fh = module->fh;

    /* fbtl would take and give back the lock for each extent, which on NFS costs a flush each time, and does more for each
     * than to write it. */
    if (mca_fcoll_overlap_is_posix(fh) && (count > 1 || mca_fcoll_overlap_locks_writes(fh))) {
        return mca_fcoll_overlap_posix_write(module, extents, count, written);
    }
    *written = 0;
    for (size_t i = 0; i < count; ++i) {
        size_t done = 0;
        const int error = write_extent(module, &extents[i], &done);
        *written += done;
        if (OVERLAP_SUCCESS != error) {
            return error;
        }
    }
    return OVERLAP_SUCCESS;
}

/* A copy of the extents, cut at MCA_FCOLL_OVERLAP_LARGEST_WRITE. */
static int copy_extents(overlap_write *write, const overlap_extent *extents, size_t count) {
    size_t needed = 0;
    for (size_t i = 0; i < count; ++i) {
        needed += (extents[i].length + MCA_FCOLL_OVERLAP_LARGEST_WRITE - 1) / MCA_FCOLL_OVERLAP_LARGEST_WRITE;
    }
    write->extents = malloc((needed > 0 ? needed : 1) * sizeof(*write->extents));
    if (NULL == write->extents) {
        return OVERLAP_ERR_NO_MEM;
    }
    for (size_t i = 0; i < count; ++i) {
        for (size_t done = 0; done < extents[i].length; done += MCA_FCOLL_OVERLAP_LARGEST_WRITE) {
            const size_t left = extents[i].length - done;
            overlap_extent *extent = &write->extents[write->count++];
            extent->offset = extents[i].offset + (int64_t)done;
            extent->address = extents[i].address + done;
            extent->length = left < MCA_FCOLL_OVERLAP_LARGEST_WRITE ? left : MCA_FCOLL_OVERLAP_LARGEST_WRITE;
        }
    }
    return OVERLAP_SUCCESS;
}

/* Starts one extent, NULL where fbtl does not take it. The request is ours alone: one from mca_common_ompio_request_alloc
 * would stand in a list of the whole process that has no lock, and threads may write to a file each (MPI_THREAD_MULTIPLE).
 */
static mca_ompio_request_t *start_extent(ompio_file_t *fh, const overlap_extent *extent) {
    mca_ompio_request_t *request = calloc(1, sizeof(*request));
    const int32_t flags = without_locks(fh);
    mca_common_ompio_io_array_t entry;
    ssize_t ret;

    if (NULL == request) {
        return NULL;
    }
    one_entry(fh, &entry, extent, extent->length);
    ret = fh->f_fbtl->fbtl_ipwritev(fh, &request->req_ompi);
    no_entry(fh);
    fh->f_flags = flags;
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

/* Starts extents as far as the window goes. One that fbtl does not take is written when its turn to complete comes. */
static void start_more(ompio_file_t *fh, overlap_write *write) {
    while (write->started < write->count && write->started - write->completed < WINDOW) {
        write->requests[write->started % WINDOW] = start_extent(fh, &write->extents[write->started]);
        ++write->started;
    }
}

/* An asynchronous write of some hundred bytes costs more than the write: POSIX aio hands each to a thread. The rest of a
 * long list would not go on before the wait, anyway. */
static bool is_list_of_small_writes(const overlap_extent *extents, size_t count) {
    size_t bytes = 0;
    if (count <= WINDOW) {
        return false;
    }
    for (size_t i = 0; i < count; ++i) {
        bytes += extents[i].length;
    }
    return bytes / count < SMALL_WRITE;
}

/* What is written before the start returns. */
static int write_at_once(mca_fcoll_overlap_module_t *module, overlap_write *write) {
    if (mca_fcoll_overlap_is_posix(module->fh)) {
        return mca_fcoll_overlap_posix_write(module, write->extents, write->count, &write->written);
    }
    return storage_write(module, write->extents, write->count, &write->written);
}

static int storage_write_start(void *self, const overlap_extent *extents, size_t count, overlap_write **request) {
    mca_fcoll_overlap_module_t *module = self;
    overlap_write *write = calloc(1, sizeof(*write));

    *request = NULL;
    if (NULL == write || OVERLAP_SUCCESS != copy_extents(write, extents, count)) {
        free(write);
        return OVERLAP_ERR_NO_MEM;
    }
    *request = write;
    if (mca_fcoll_overlap_writes_asynchronously(module->fh)) {
        if (is_list_of_small_writes(write->extents, write->count)) {
            write->error = write_at_once(module, write);
            write->started = write->completed = write->count;
        } else {
            start_more(module->fh, write);
        }
    } else {
        if (!module->blocking_said) {
            opal_output_verbose(
                1, ompi_fcoll_base_framework.framework_output,
                "fcoll:overlap: %s %s, so the shuffle goes on during a write only where it needs no help of the "
                "writing rank",
                module->fh->f_filename, reason_to_block(module->fh));
            module->blocking_said = true;
        }
        write->error = storage_write(self, write->extents, write->count, &write->written);
        write->started = write->completed = write->count;
    }
    return OVERLAP_SUCCESS;
}

/* Whether the oldest extent under way has completed. */
static bool oldest_is_done(overlap_write *write) {
    mca_ompio_request_t *request = write->requests[write->completed % WINDOW];
    return NULL == request || request->req_progress_fn(request);
}

/* Takes the answer for the oldest extent under way, which has completed or was never taken by fbtl. */
static void complete_oldest(mca_fcoll_overlap_module_t *module, overlap_write *write) {
    const overlap_extent *extent = &write->extents[write->completed];
    mca_ompio_request_t **slot = &write->requests[write->completed % WINDOW];
    size_t done = 0;
    int error;

    if (NULL == *slot) {
        error = OVERLAP_SUCCESS == write->error ? write_extent(module, extent, &done) : write->error;
    } else {
        const ompi_status_public_t *status = &(*slot)->req_ompi.req_status;
        const long long answer = OMPI_SUCCESS == status->MPI_ERROR ? (long long)status->_ucount : OMPI_ERROR;
        error = settle(module, extent, "fbtl_ipwritev", answer, &done);
        release_request(*slot);
    }
    *slot = NULL;
    ++write->completed;
    /* Bytes behind the first one that could not be written do not count. */
    if (OVERLAP_SUCCESS == write->error) {
        write->written += done;
        write->error = error;
    }
    if (OVERLAP_SUCCESS != write->error) {
        write->count = write->started;
    } else {
        start_more(module->fh, write);
    }
}

static int finish_write(overlap_write **request, size_t *written) {
    const int error = (*request)->error;

    *written = (*request)->written;
    free((*request)->extents);
    free(*request);
    *request = NULL;
    return error;
}

/* Between two looks at a write: messages go on, and where nothing happens for a while the core is left to the threads that
 * write. */
static void let_others_work(int looks) {
    static const struct timespec pause = {0, 20000};

    opal_progress();
    if (looks > 100) {
        nanosleep(&pause, NULL);
    }
}

static int storage_write_wait(void *self, overlap_write **request, size_t *written) {
    overlap_write *write = *request;

    while (write->completed < write->count) {
        for (int looks = 0; !oldest_is_done(write); ++looks) {
            let_others_work(looks);
        }
        complete_oldest(self, write);
    }
    return finish_write(request, written);
}

static int storage_write_test(void *self, overlap_write **request, int *done, size_t *written) {
    overlap_write *write = *request;

    *done = 0;
    while (write->completed < write->count) {
        if (!oldest_is_done(write)) {
            return OVERLAP_SUCCESS;
        }
        complete_oldest(self, write);
    }
    *done = 1;
    return finish_write(request, written);
}

static void storage_facts(void *self, overlap_file_facts *facts) { *facts = ((mca_fcoll_overlap_module_t *)self)->facts; }

void mca_fcoll_overlap_storage_open(mca_fcoll_overlap_module_t *module, overlap_storage *storage) {
    *storage = (overlap_storage){
        .self = module,
        .facts = storage_facts,
        .write = storage_write,
        .write_start = storage_write_start,
        .write_wait = storage_write_wait,
        .write_test = storage_write_test,
    };
    mca_fcoll_overlap_posix_functions(storage);
    mca_fcoll_overlap_descriptor_functions(storage);
    mca_fcoll_overlap_sieve_functions(storage);
    mca_fcoll_overlap_marks_functions(storage);
}
