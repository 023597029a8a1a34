/*
 * SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The overlap project
 *
 * The part of the storage port that goes past fbtl: POSIX calls on the descriptor of the file, from any thread. The only
 * transfers of a list, locks, data sieving, and translations of what they fail with.
 */
#include "storage.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

bool mca_fcoll_overlap_is_posix(const ompio_file_t *fh) {
    return 0 == strcmp(fh->f_fbtl_component->mca_component_name, "posix") && fh->fd >= 0;
}

static bool locks_whole_file(const ompio_file_t *fh) { return 0 != (fh->f_flags & OMPIO_LOCK_ENTIRE_FILE); }

bool mca_fcoll_overlap_locks_writes(const ompio_file_t *fh) { return fh->f_atomicity || locks_whole_file(fh); }

void mca_fcoll_overlap_note_transfer(const void *self, const char *call, const overlap_extent *extent, size_t done,
                                     const char *why) {
    mca_fcoll_overlap_note(self, "%s of %zu bytes at offset %lld failed after %zu bytes: %s", call, extent->length,
                           (long long)extent->offset, done, why);
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

int mca_fcoll_overlap_transfer_list(void *self, overlap_direction direction, const overlap_extent *extents, size_t count,
                                    size_t *done) {
    const int file = mca_fcoll_overlap_fh(self)->fd;
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
            mca_fcoll_overlap_note_transfer(self, reads ? "preadv" : "pwrite", extents, skip, strerror(error));
            return mca_fcoll_overlap_error_of_errno(error);
        }
    }
}

/* Takes a lock of a range, or of the whole file where that is what locks are, or gives it back; by this command of fcntl(2).
 * Returns an overlap_error; success where another has it, and `*held` is false. */
static int set_lock(mca_fcoll_overlap_module_t *module, int command, short type, int64_t offset, int64_t length,
                    bool *held) {
    struct flock lock = {.l_type = type, .l_whence = SEEK_SET}; /* l_pid 0, as F_OFD_SETLK wants it */
    int ret, error;

    /* On NFS the whole file, as OMPIO does it: a client writes whole pages, whatever was locked. */
    if (!locks_whole_file(module->fh)) {
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
    mca_fcoll_overlap_note(module, "%s of %lld bytes at offset %lld failed: %s", F_UNLCK == type ? "an unlock" : "a lock",
                           (long long)length, (long long)offset, strerror(error));
    return mca_fcoll_overlap_error_of_errno(error);
}

/* Between two tries to get a lock, nanoseconds. */
enum { SHORTEST_PAUSE = 10000, LONGEST_PAUSE = 200000 };

/* Waits until the lock is there: the thread of a blocking MPI call by trying again, others in the kernel, which may see a
 * deadlock of two files where there is none (EDEADLK). A nonblocking call does not leave its fiber here, as it holds a
 * mutex. */
static int wait_for_lock(mca_fcoll_overlap_module_t *module, short type, int64_t offset, int64_t length) {
    /* Other ranks may wait for messages of this one, which progress only where the thread of the MPI calls lets them. */
    const bool tries = !mca_fcoll_overlap_is_nonblocking() && pthread_equal(module->caller, pthread_self());
    long pause = SHORTEST_PAUSE;

    for (;;) {
        bool held;
        const int error = set_lock(module, tries ? F_SETLK : F_SETLKW, type, offset, length, &held);
        if (held || OVERLAP_SUCCESS != error) {
            return error;
        }
        if (tries) {
            mca_fcoll_overlap_progress(true);
        }
        mca_fcoll_overlap_pause(pause);
        pause = 2 * pause < LONGEST_PAUSE ? 2 * pause : LONGEST_PAUSE;
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
    int64_t offset, length;
    int error;

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

/* Clients that are not coherent may hold old pages and an old size: what is read next comes from the server (statx(2),
 * AT_STATX_FORCE_SYNC; posix_fadvise(2), POSIX_FADV_DONTNEED). */
static void look_at_the_server(mca_fcoll_overlap_module_t *module, int64_t offset, int64_t length) {
    int64_t bytes;

    if (MCA_FCOLL_OVERLAP_NOT_COHERENT == module->caches && module->nodes.count > 1) {
        mca_fcoll_overlap_size(module, 1, &bytes);
        posix_fadvise(module->fh->fd, (off_t)offset, (off_t)length, POSIX_FADV_DONTNEED);
    }
}

/* Locks of an open file (since Linux 3.15): two files of one process keep each other out, and a lock does not vanish when
 * the process closes another descriptor of the same file. Other processes' locks of either kind conflict with them. */
static int posix_lock(void *self, int64_t offset, int64_t length, int *held) {
    mca_fcoll_overlap_module_t *module = self;
    const bool whole = locks_whole_file(module->fh);
    bool locked = false;
    int error;

    *held = 0;
    /* Two threads share the lock of a descriptor: of the whole file both would get it, and the first to unlock would take it
     * from the other. */
    if (whole && 0 != pthread_mutex_trylock(&module->file_lock)) {
        return OVERLAP_SUCCESS;
    }
    error = set_lock(module, F_OFD_SETLK, F_WRLCK, offset, length, &locked);
    *held = locked;
    if (locked) {
        look_at_the_server(module, offset, length);
    } else if (whole) {
        pthread_mutex_unlock(&module->file_lock);
    }
    return error;
}

static void posix_unlock(void *self, int64_t offset, int64_t length) {
    mca_fcoll_overlap_module_t *module = self;
    bool unlocked;

    set_lock(module, F_OFD_SETLK, F_UNLCK, offset, length, &unlocked);
    if (locks_whole_file(module->fh)) {
        pthread_mutex_unlock(&module->file_lock);
    }
}

/* NFS would ask its server. What lies behind the end of the file is known without the lock of the file, which another
 * process that is writing holds. The position of the descriptor, which this moves, is used by nobody: Open MPI tells each
 * call its offset. */
static int posix_holds_data(void *self, int64_t offset, int64_t *until) {
    const ompio_file_t *fh = mca_fcoll_overlap_fh(self);
    struct stat file;
    off_t next;

    *until = INT64_MAX;
    if (locks_whole_file(fh)) {
        return 1;
    }
    if (0 == fstat(fh->fd, &file) && (int64_t)file.st_size <= offset) {
        return 0;
    }
    next = lseek(fh->fd, (off_t)offset, SEEK_DATA);
    if (next > (off_t)offset) {
        *until = (int64_t)next;
        return 0;
    }
    if (next < 0) {
        return ENXIO != errno;
    }
    next = lseek(fh->fd, (off_t)offset, SEEK_HOLE);
    *until = next > (off_t)offset ? (int64_t)next : INT64_MAX;
    return 1;
}

static int posix_locks(void *self) { return mca_fcoll_overlap_locks_writes(mca_fcoll_overlap_fh(self)); }

static int posix_error(void *self, const overlap_extent *extent, int number) {
    mca_fcoll_overlap_note_transfer(self, "a queued transfer", extent, 0, strerror(number));
    return mca_fcoll_overlap_error_of_errno(number);
}

void mca_fcoll_overlap_posix_functions(overlap_storage *storage) {
    storage->posix_transfer = mca_fcoll_overlap_posix_transfer;
    storage->posix_transfer_locked = mca_fcoll_overlap_transfer_list;
    storage->posix_lock = posix_lock;
    storage->posix_unlock = posix_unlock;
    storage->posix_holds_data = posix_holds_data;
    storage->posix_locks = posix_locks;
    storage->posix_error = posix_error;
}
