/*
 * SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The overlap project
 *
 * The part of the storage port that goes past fbtl: POSIX calls on the descriptor of the file, from any thread. The only
 * transfers of a list, locks, and translations of what they fail with.
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

bool mca_fcoll_overlap_locks_whole_file(const ompio_file_t *fh) { return 0 != (fh->f_flags & OMPIO_LOCK_ENTIRE_FILE); }

bool mca_fcoll_overlap_locks_writes(const ompio_file_t *fh) {
    return fh->f_atomicity || mca_fcoll_overlap_locks_whole_file(fh);
}

void mca_fcoll_overlap_report_transfer(mca_fcoll_overlap_module_t *module, const char *call, const overlap_extent *extent,
                                       size_t done, const char *why) {
    mca_fcoll_overlap_note(module, "%s of %zu bytes at offset %lld failed after %zu bytes: %s; %s", call, extent->length,
                           (long long)extent->offset, done, why, module->fh->f_filename);
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

/* Writes what one call takes of the rest of an extent, of which `skip` bytes are written. Returns what pwrite(2) does. */
static ssize_t write_rest(int file, const overlap_extent *extent, size_t skip) {
    const size_t left = extent->length - skip;
    const size_t bytes = left < MCA_FCOLL_OVERLAP_LARGEST_WRITE ? left : MCA_FCOLL_OVERLAP_LARGEST_WRITE;

    return pwrite(file, extent->address + skip, bytes, (off_t)extent->offset + (off_t)skip);
}

int mca_fcoll_overlap_transfer_list(mca_fcoll_overlap_module_t *module, overlap_direction direction,
                                    const overlap_extent *extents, size_t count, size_t *done) {
    const int file = module->fh->fd;
    const bool reads = OVERLAP_READ == direction;
    size_t skip = *done; /* bytes of the first extent left that are transferred */

    for (;;) {
        ssize_t bytes;
        for (; count > 0 && skip >= extents->length; ++extents, --count) {
            skip -= extents->length;
        }
        if (0 == count) {
            return OVERLAP_SUCCESS;
        }
        bytes = reads ? read_neighbours(file, extents, count, skip) : write_rest(file, extents, skip);
        if (bytes > 0) {
            *done += (size_t)bytes;
            skip += (size_t)bytes;
        } else if (0 == bytes && reads) {
            return OVERLAP_SUCCESS; /* the end of the file */
        } else if (0 == bytes || (EINTR != errno && EAGAIN != errno)) {
            const int error = 0 == bytes ? EIO : errno;
            mca_fcoll_overlap_report_transfer(module, reads ? "preadv" : "pwrite", extents, skip, strerror(error));
            return mca_fcoll_overlap_error_of_errno(error);
        }
    }
}

int mca_fcoll_overlap_lock(mca_fcoll_overlap_module_t *module, int command, short type, int64_t offset, int64_t length,
                           bool *held) {
    struct flock lock = {.l_type = type, .l_whence = SEEK_SET}; /* l_pid 0, as F_OFD_SETLK wants it */
    int ret, error;

    /* On NFS the whole file, as OMPIO does it: a client writes whole pages, whatever was locked. */
    if (!mca_fcoll_overlap_locks_whole_file(module->fh)) {
        lock.l_start = (off_t)offset;
        lock.l_len = (off_t)length;
    }
    do {
        ret = fcntl(module->fh->fd, command, &lock);
    } while (0 != ret && EINTR == errno);
    error = errno;
    *held = 0 == ret;
    if (*held || EAGAIN == error || EACCES == error || EDEADLK == error) {
        return OVERLAP_SUCCESS;
    }
    mca_fcoll_overlap_note(module, "%s of %lld bytes at offset %lld failed: %s; %s",
                           F_UNLCK == type ? "an unlock" : "a lock", (long long)length, (long long)offset, strerror(error),
                           module->fh->f_filename);
    return mca_fcoll_overlap_error_of_errno(error);
}

/* Between two tries to get a lock, nanoseconds. */
enum { SHORTEST_PAUSE = 10000, LONGEST_PAUSE = 200000 };

/* Other ranks may wait for messages of this one, which progress only where the thread of the MPI calls lets them. */
static bool calls_mpi(const mca_fcoll_overlap_module_t *module) {
    return !mca_fcoll_overlap_is_nonblocking() && pthread_equal(module->caller, pthread_self());
}

/* Waits until the lock is there: the thread of a blocking MPI call by trying again, others in the kernel, which may see a
 * deadlock of two files where there is none (EDEADLK). A nonblocking call does not leave its fiber here, as it holds a
 * mutex. */
static int wait_for_lock(mca_fcoll_overlap_module_t *module, short type, int64_t offset, int64_t length) {
    const bool tries = calls_mpi(module);
    struct timespec pause = {0, SHORTEST_PAUSE};

    for (;;) {
        bool held;
        const int error = mca_fcoll_overlap_lock(module, tries ? F_SETLK : F_SETLKW, type, offset, length, &held);
        if (held || OVERLAP_SUCCESS != error) {
            return error;
        }
        if (tries) {
            mca_fcoll_overlap_let_go_on(true);
        }
        nanosleep(&pause, NULL);
        pause.tv_nsec = 2 * pause.tv_nsec < LONGEST_PAUSE ? 2 * pause.tv_nsec : LONGEST_PAUSE;
    }
}

/* The extents of a read need not ascend. */
static int64_t range_of(const overlap_extent *extents, size_t count, int64_t *offset) {
    int64_t end = 0;

    *offset = extents[0].offset;
    for (size_t i = 0; i < count; ++i) {
        const int64_t last = extents[i].offset + (int64_t)extents[i].length;
        *offset = extents[i].offset < *offset ? extents[i].offset : *offset;
        end = last > end ? last : end;
    }
    return end - *offset;
}

int mca_fcoll_overlap_posix_transfer(void *self, overlap_direction direction, const overlap_extent *extents, size_t count,
                                     size_t *done) {
    mca_fcoll_overlap_module_t *module = self;
    const bool locks = count > 0 && mca_fcoll_overlap_locks_writes(module->fh);
    int64_t offset = 0, length = 0;
    int error = OVERLAP_SUCCESS;

    *done = 0;
    if (!locks) {
        return mca_fcoll_overlap_transfer_list(module, direction, extents, count, done);
    }
    length = range_of(extents, count, &offset);
    /* Two threads of a process do not keep each other out of the file, and the first to unlock would do so for both. */
    pthread_mutex_lock(&module->file_lock);
    error = wait_for_lock(module, OVERLAP_READ == direction ? F_RDLCK : F_WRLCK, offset, length);
    if (OVERLAP_SUCCESS == error) {
        error = mca_fcoll_overlap_transfer_list(module, direction, extents, count, done);
        wait_for_lock(module, F_UNLCK, offset, length);
    }
    pthread_mutex_unlock(&module->file_lock);
    return error;
}

int mca_fcoll_overlap_size(void *self, int fresh, int64_t *bytes) {
    mca_fcoll_overlap_module_t *module = self;
    ompio_file_t *fh = module->fh;
    struct stat file = {0};

    if (!mca_fcoll_overlap_is_posix(fh)) {
        OMPI_MPI_OFFSET_TYPE size = 0;
        const int ret = fh->f_fs->fs_file_get_size(fh, &size);
        *bytes = (int64_t)size;
        return mca_fcoll_overlap_error_of_ompi(ret);
    }
#ifdef AT_STATX_FORCE_SYNC
    struct statx server;
    if (0 != fresh && MCA_FCOLL_OVERLAP_ONE_NODE != module->caches &&
        0 == statx(fh->fd, "", AT_EMPTY_PATH | AT_STATX_FORCE_SYNC, STATX_TYPE | STATX_SIZE, &server)) {
        file.st_mode = server.stx_mode;
        file.st_size = (off_t)server.stx_size;
    } else
#else
    (void)fresh;
#endif
        if (0 != fstat(fh->fd, &file)) {
        return mca_fcoll_overlap_error_of_errno(errno);
    }
    *bytes = S_ISREG(file.st_mode) ? (int64_t)file.st_size : INT64_MAX;
    return OVERLAP_SUCCESS;
}

int mca_fcoll_overlap_flush(void *self) {
    ompio_file_t *fh = ((mca_fcoll_overlap_module_t *)self)->fh;

    if (!mca_fcoll_overlap_is_posix(fh)) {
        return NULL == fh->f_fs->fs_file_sync ? OVERLAP_SUCCESS
                                              : mca_fcoll_overlap_error_of_ompi(fh->f_fs->fs_file_sync(fh));
    }
    while (0 != fdatasync(fh->fd)) {
        if (EINVAL == errno) { /* a file that cannot be flushed holds nothing back */
            break;
        }
        if (EINTR != errno) {
            return mca_fcoll_overlap_error_of_errno(errno);
        }
    }
    return OVERLAP_SUCCESS;
}
