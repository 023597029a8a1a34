/*
 * The part of the storage port that goes past fbtl: POSIX calls on the descriptor of the file, from any thread.
 */
#include "fcoll_overlap.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

bool mca_fcoll_overlap_is_posix(const ompio_file_t *fh) {
    return NULL != fh->f_fbtl_component && 0 == strcmp(fh->f_fbtl_component->mca_component_name, "posix") && fh->fd >= 0;
}

bool mca_fcoll_overlap_locks_writes(const ompio_file_t *fh) {
    return fh->f_atomicity || 0 != (fh->f_flags & OMPIO_LOCK_ENTIRE_FILE);
}

void mca_fcoll_overlap_report_write(mca_fcoll_overlap_module_t *module, const char *call, const overlap_extent *extent,
                                    size_t done, const char *why) {
    mca_fcoll_overlap_note(module, "%s of %zu bytes at offset %lld failed after %zu bytes: %s; %s", call, extent->length,
                           (long long)extent->offset, done, why, module->fh->f_filename);
}

int mca_fcoll_overlap_posix_finish(mca_fcoll_overlap_module_t *module, const overlap_extent *extent, size_t *done) {
    const int file = module->fh->fd;

    while (*done < extent->length) {
        const size_t left = extent->length - *done;
        const ssize_t written = pwrite(file, extent->address + *done,
                                       left < MCA_FCOLL_OVERLAP_LARGEST_WRITE ? left : MCA_FCOLL_OVERLAP_LARGEST_WRITE,
                                       (off_t)extent->offset + (off_t)*done);
        if (written > 0) {
            *done += (size_t)written;
        } else if (0 == written || (EINTR != errno && EAGAIN != errno)) {
            const int error = 0 == written ? EIO : errno;
            mca_fcoll_overlap_report_write(module, "pwrite", extent, *done, strerror(error));
            return mca_fcoll_overlap_error_of_errno(error);
        }
    }
    return OVERLAP_SUCCESS;
}

/* `length` 0: to the end of the file, wherever that will be. */
static int set_lock(mca_fcoll_overlap_module_t *module, short type, int64_t offset, int64_t length) {
    struct flock lock = {.l_type = type, .l_whence = SEEK_SET, .l_start = (off_t)offset, .l_len = (off_t)length};
    int ret;

    do {
        ret = fcntl(module->fh->fd, F_SETLKW, &lock);
    } while (0 != ret && EINTR == errno);
    if (0 != ret) {
        const int error = errno;
        mca_fcoll_overlap_note(module, "a lock of %lld bytes at offset %lld failed: %s; %s", (long long)length,
                               (long long)offset, strerror(error), module->fh->f_filename);
        return mca_fcoll_overlap_error_of_errno(error);
    }
    return OVERLAP_SUCCESS;
}

/* The range that a write of these extents locks, as fbtl does it. */
static void range_to_lock(const ompio_file_t *fh, const overlap_extent *extents, size_t count, int64_t *offset,
                          int64_t *length) {
    *offset = 0;
    *length = 0;
    if (0 == (fh->f_flags & OMPIO_LOCK_ENTIRE_FILE)) {
        *offset = extents[0].offset;
        *length = extents[count - 1].offset + (int64_t)extents[count - 1].length - *offset;
    }
}

/* A list shorter than this is not worth waiting for a turn. */
enum { LONG_LIST = 16 };

int mca_fcoll_overlap_posix_write_all(mca_fcoll_overlap_module_t *module, const overlap_extent *extents, size_t count,
                                      size_t *written) {
    int error = OVERLAP_SUCCESS;

    *written = 0;
    for (size_t i = 0; i < count && OVERLAP_SUCCESS == error; ++i) {
        size_t done = 0;
        error = mca_fcoll_overlap_posix_finish(module, &extents[i], &done);
        *written += done;
    }
    return error;
}

int mca_fcoll_overlap_posix_write(mca_fcoll_overlap_module_t *module, const overlap_extent *extents, size_t count,
                                  size_t *written) {
    const ompio_file_t *fh = module->fh;
    const bool locks = count > 0 && mca_fcoll_overlap_locks_writes(fh);
    int64_t offset = 0, length = 0;
    int error = OVERLAP_SUCCESS;

    *written = 0;
    if (!locks) {
        const bool turn = count >= LONG_LIST && mca_fcoll_overlap_take_turn(module);

        error = mca_fcoll_overlap_posix_write_all(module, extents, count, written);
        if (turn) {
            mca_fcoll_overlap_give_turn(module);
        }
        return error;
    }
    /* Two threads of a process do not keep each other out of the file, and the first to unlock would do so for both. */
    pthread_mutex_lock(&module->file_lock);
    range_to_lock(fh, extents, count, &offset, &length);
    error = set_lock(module, F_WRLCK, offset, length);
    if (OVERLAP_SUCCESS == error) {
        error = mca_fcoll_overlap_posix_write_all(module, extents, count, written);
        set_lock(module, F_UNLCK, offset, length);
    }
    pthread_mutex_unlock(&module->file_lock);
    return error;
}

static int posix_write(void *self, const overlap_extent *extents, size_t count, size_t *written) {
    return mca_fcoll_overlap_posix_write(self, extents, count, written);
}

void mca_fcoll_overlap_posix_functions(overlap_storage *storage) { storage->posix_write = posix_write; }
