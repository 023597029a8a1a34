/*
 * SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The overlap project
 *
 * The part of the storage port that goes past fbtl: POSIX calls on the descriptor of the file, from any thread.
 */
#include "storage.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

bool mca_fcoll_overlap_is_posix(const ompio_file_t *fh) {
    return NULL != fh->f_fbtl_component && 0 == strcmp(fh->f_fbtl_component->mca_component_name, "posix") && fh->fd >= 0;
}

bool mca_fcoll_overlap_locks_writes(const ompio_file_t *fh) {
    return fh->f_atomicity || 0 != (fh->f_flags & OMPIO_LOCK_ENTIRE_FILE);
}

void mca_fcoll_overlap_report_transfer(mca_fcoll_overlap_module_t *module, const char *call, const overlap_extent *extent,
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
            mca_fcoll_overlap_report_transfer(module, "pwrite", extent, *done, strerror(error));
            return mca_fcoll_overlap_error_of_errno(error);
        }
    }
    return OVERLAP_SUCCESS;
}

/* What readv(2) takes at once. */
enum { MOST_PIECES = 1024 };

/* Reads the first bytes of extents that follow each other in the file, as many of them as one call takes, `skip` bytes of
 * the first one left out. Returns what preadv(2) does. */
static ssize_t read_neighbours(int file, const overlap_extent *extents, size_t count, size_t skip) {
    struct iovec pieces[MOST_PIECES];
    const int64_t offset = extents[0].offset + (int64_t)skip;
    int64_t end = extents[0].offset;
    size_t bytes = 0;
    int used = 0;

    for (size_t i = 0;
         i < count && used < MOST_PIECES && extents[i].offset == end && bytes < MCA_FCOLL_OVERLAP_LARGEST_WRITE; ++i) {
        const size_t before = 0 == i ? skip : 0;
        const size_t room = MCA_FCOLL_OVERLAP_LARGEST_WRITE - bytes;
        const size_t left = extents[i].length - before;
        pieces[used].iov_base = extents[i].address + before;
        pieces[used].iov_len = left < room ? left : room;
        bytes += pieces[used++].iov_len;
        end += (int64_t)extents[i].length;
    }
    return preadv(file, pieces, used, (off_t)offset);
}

static int read_list(mca_fcoll_overlap_module_t *module, const overlap_extent *extents, size_t count, size_t *done) {
    size_t next = 0; /* extent, of which `skip` bytes are read */
    size_t skip = 0;

    while (next < count) {
        ssize_t got = 0;
        if (skip == extents[next].length) {
            ++next;
            skip = 0;
            continue;
        }
        got = read_neighbours(module->fh->fd, extents + next, count - next, skip);
        if (got < 0 && (EINTR == errno || EAGAIN == errno)) {
            continue;
        }
        if (got < 0) {
            const int error = errno;
            mca_fcoll_overlap_report_transfer(module, "preadv", &extents[next], skip, strerror(error));
            return mca_fcoll_overlap_error_of_errno(error);
        }
        if (0 == got) {
            return OVERLAP_SUCCESS; /* the end of the file */
        }
        *done += (size_t)got;
        for (skip += (size_t)got; next < count && skip >= extents[next].length; ++next) {
            skip -= extents[next].length;
        }
    }
    return OVERLAP_SUCCESS;
}

int mca_fcoll_overlap_posix_finish_read(mca_fcoll_overlap_module_t *module, const overlap_extent *extent, size_t *done) {
    const overlap_extent rest = {extent->offset + (int64_t)*done, extent->address + *done, extent->length - *done};
    return read_list(module, &rest, 1, done);
}

/* Between two tries to get a lock, nanoseconds. */
enum { SHORTEST_PAUSE = 10000, LONGEST_PAUSE = 200000 };

/* Other ranks may wait for messages of this one, which progress only where the thread of the MPI calls lets them. */
static bool calls_mpi(const mca_fcoll_overlap_module_t *module) {
    return !mca_fcoll_overlap_is_nonblocking() && pthread_equal(module->caller, pthread_self());
}

/* `length` 0: to the end of the file, wherever that will be. Waits until the lock is there: the thread of a blocking MPI
 * call by trying again, others in the kernel, which may see a deadlock of two files where there is none (EDEADLK). A
 * nonblocking call does not leave its fiber here, as it holds a mutex. */
static int set_lock(mca_fcoll_overlap_module_t *module, short type, int64_t offset, int64_t length) {
    struct flock lock = {.l_type = type, .l_whence = SEEK_SET, .l_start = (off_t)offset, .l_len = (off_t)length};
    const bool tries = calls_mpi(module);
    struct timespec pause = {0, SHORTEST_PAUSE};

    while (0 != fcntl(module->fh->fd, tries ? F_SETLK : F_SETLKW, &lock)) {
        const int error = errno;
        if (EAGAIN == error || EACCES == error || EDEADLK == error) {
            if (tries) {
                mca_fcoll_overlap_let_go_on(true);
            }
            nanosleep(&pause, NULL);
            pause.tv_nsec = 2 * pause.tv_nsec < LONGEST_PAUSE ? 2 * pause.tv_nsec : LONGEST_PAUSE;
        } else if (EINTR != error) {
            mca_fcoll_overlap_note(module, "a lock of %lld bytes at offset %lld failed: %s; %s", (long long)length,
                                   (long long)offset, strerror(error), module->fh->f_filename);
            return mca_fcoll_overlap_error_of_errno(error);
        }
    }
    return OVERLAP_SUCCESS;
}

int mca_fcoll_overlap_ask_for_size(const ompio_file_t *fh, bool fresh, int64_t *bytes) {
    struct stat file = {0};

#ifdef AT_STATX_FORCE_SYNC
    struct statx server;
    if (fresh && 0 == statx(fh->fd, "", AT_EMPTY_PATH | AT_STATX_FORCE_SYNC, STATX_TYPE | STATX_SIZE, &server)) {
        file.st_mode = server.stx_mode;
        file.st_size = (off_t)server.stx_size;
    } else
#endif
        if (0 != fstat(fh->fd, &file)) {
        return mca_fcoll_overlap_error_of_errno(errno);
    }
    if (NULL != bytes) {
        *bytes = S_ISREG(file.st_mode) ? (int64_t)file.st_size : INT64_MAX;
    }
    return OVERLAP_SUCCESS;
}

/* The range that a transfer of these extents locks, as fbtl does it. */
static void range_to_lock(const ompio_file_t *fh, const overlap_extent *extents, size_t count, int64_t *offset,
                          int64_t *length) {
    int64_t end = 0;

    *offset = 0;
    *length = 0;
    if (0 != (fh->f_flags & OMPIO_LOCK_ENTIRE_FILE)) {
        return;
    }
    *offset = extents[0].offset;
    for (size_t i = 0; i < count; ++i) { /* those of a read need not ascend */
        const int64_t last = extents[i].offset + (int64_t)extents[i].length;
        *offset = extents[i].offset < *offset ? extents[i].offset : *offset;
        end = last > end ? last : end;
    }
    *length = end - *offset;
}

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

static int transfer_list(mca_fcoll_overlap_module_t *module, overlap_direction direction, const overlap_extent *extents,
                         size_t count, size_t *done) {
    return OVERLAP_READ == direction ? read_list(module, extents, count, done)
                                     : mca_fcoll_overlap_posix_write_all(module, extents, count, done);
}

int mca_fcoll_overlap_posix_transfer(mca_fcoll_overlap_module_t *module, overlap_direction direction,
                                     const overlap_extent *extents, size_t count, size_t *done) {
    const ompio_file_t *fh = module->fh;
    const bool locks = count > 0 && mca_fcoll_overlap_locks_writes(fh);
    int64_t offset = 0, length = 0;
    int error = OVERLAP_SUCCESS;

    *done = 0;
    if (!locks) {
        return transfer_list(module, direction, extents, count, done);
    }
    /* Two threads of a process do not keep each other out of the file, and the first to unlock would do so for both. */
    pthread_mutex_lock(&module->file_lock);
    range_to_lock(fh, extents, count, &offset, &length);
    error = set_lock(module, OVERLAP_READ == direction ? F_RDLCK : F_WRLCK, offset, length);
    if (OVERLAP_SUCCESS == error) {
        error = transfer_list(module, direction, extents, count, done);
        set_lock(module, F_UNLCK, offset, length);
    }
    pthread_mutex_unlock(&module->file_lock);
    return error;
}

static int posix_transfer(void *self, overlap_direction direction, const overlap_extent *extents, size_t count,
                          size_t *done) {
    return mca_fcoll_overlap_posix_transfer(self, direction, extents, count, done);
}

void mca_fcoll_overlap_posix_functions(overlap_storage *storage) { storage->posix_transfer = posix_transfer; }
