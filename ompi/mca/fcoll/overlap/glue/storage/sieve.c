/*
 * SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The overlap project
 *
 * The part of the storage port for data sieving: what is read from the file, and the locks that it is changed under. From
 * any thread.
 */
#include "storage.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

/* Locks of an open file (since Linux 3.15): two files of one process keep each other out, and a lock does not vanish when
 * the process closes another descriptor of the same file. Other processes' locks of either kind conflict with them. */
#ifdef F_OFD_SETLK
enum { OPEN_FILE_LOCK = F_OFD_SETLK };
#else
enum { OPEN_FILE_LOCK = F_SETLK };
#endif

static mca_fcoll_overlap_module_t *module_of(void *self) { return self; }

static void report(mca_fcoll_overlap_module_t *module, const char *call, int64_t offset, int64_t length, int error) {
    mca_fcoll_overlap_note(module, "%s of %lld bytes at offset %lld failed: %s; %s", call, (long long)length,
                           (long long)offset, strerror(error), module->fh->f_filename);
}

static bool locks_whole_file(const ompio_file_t *fh) { return 0 != (fh->f_flags & OMPIO_LOCK_ENTIRE_FILE); }

/* Returns 0 or an errno. A lock of an open file wants 0 as its process. A kernel that does not know such locks says EINVAL.
 */
static int set_lock(const mca_fcoll_overlap_module_t *module, short type, int64_t offset, int64_t length) {
    struct flock lock = {.l_type = type, .l_whence = SEEK_SET};
    int ret;

    /* On NFS the whole file, as OMPIO does it: a client writes whole pages, whatever was locked. */
    if (!locks_whole_file(module->fh)) {
        lock.l_start = (off_t)offset;
        lock.l_len = (off_t)length;
    }
    do {
        ret = fcntl(module->fh->fd, OPEN_FILE_LOCK, &lock);
        if (0 != ret && EINVAL == errno) {
            ret = fcntl(module->fh->fd, F_SETLK, &lock);
        }
    } while (0 != ret && EINTR == errno);
    return 0 == ret ? 0 : errno;
}

/* Clients that are not coherent may hold old pages and an old size: what is read next comes from the server (statx(2),
 * AT_STATX_FORCE_SYNC; posix_fadvise(2), POSIX_FADV_DONTNEED). */
static void look_at_the_server(const mca_fcoll_overlap_module_t *module, int64_t offset, int64_t length) {
    if (MCA_FCOLL_OVERLAP_NOT_COHERENT == module->caches && module->nodes.count > 1) {
        mca_fcoll_overlap_ask_for_size(module->fh, true, NULL);
        posix_fadvise(module->fh->fd, (off_t)offset, (off_t)length, POSIX_FADV_DONTNEED);
    }
}

static int posix_lock(void *self, int64_t offset, int64_t length, int *held) {
    mca_fcoll_overlap_module_t *module = module_of(self);
    int number;

    *held = 0;
    /* Two threads share the lock of a descriptor: of the whole file both would get it, and the first to unlock would take it
     * from the other. */
    if (locks_whole_file(module->fh) && 0 != pthread_mutex_trylock(&module->file_lock)) {
        return OVERLAP_SUCCESS;
    }
    number = set_lock(module, F_WRLCK, offset, length);
    *held = 0 == number;
    if (*held) {
        look_at_the_server(module, offset, length);
    } else if (locks_whole_file(module->fh)) {
        pthread_mutex_unlock(&module->file_lock);
    }
    if (*held || EAGAIN == number || EACCES == number) {
        return OVERLAP_SUCCESS;
    }
    report(module, "a lock", offset, length, number);
    return mca_fcoll_overlap_error_of_errno(number);
}

static void posix_unlock(void *self, int64_t offset, int64_t length) {
    mca_fcoll_overlap_module_t *module = module_of(self);
    const int number = set_lock(module, F_UNLCK, offset, length);

    if (0 != number) {
        report(module, "an unlock", offset, length, number);
    }
    if (locks_whole_file(module->fh)) {
        pthread_mutex_unlock(&module->file_lock);
    }
}

/* NFS would ask its server. What lies behind the end of the file is known without the lock of the file, which another
 * process that is writing holds. The position of the descriptor, which this moves, is used by nobody: Open MPI tells each
 * call its offset. */
static int posix_holds_data(void *self, int64_t offset, int64_t *until) {
    const ompio_file_t *fh = module_of(self)->fh;

    *until = INT64_MAX;
#if defined SEEK_DATA && defined SEEK_HOLE
    if (!locks_whole_file(fh)) {
        struct stat file;
        off_t next;
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
        if (next > (off_t)offset) {
            *until = (int64_t)next;
        }
    }
#endif
    return 1;
}

static int posix_read(void *self, int64_t offset, char *address, size_t length) {
    mca_fcoll_overlap_module_t *module = module_of(self);

    for (size_t done = 0; done < length;) {
        const ssize_t bytes = pread(module->fh->fd, address + done, length - done, (off_t)offset + (off_t)done);
        if (bytes > 0) {
            done += (size_t)bytes;
        } else if (0 == bytes) {
            memset(address + done, 0, length - done);
            done = length;
        } else if (EINTR != errno && EAGAIN != errno) {
            const int number = errno;
            report(module, "pread", offset, (int64_t)length, number);
            return mca_fcoll_overlap_error_of_errno(number);
        }
    }
    return OVERLAP_SUCCESS;
}

static int posix_write_locked(void *self, const overlap_extent *extents, size_t count, size_t *written) {
    return mca_fcoll_overlap_posix_write_all(module_of(self), extents, count, written);
}

void mca_fcoll_overlap_sieve_functions(overlap_storage *storage) {
    storage->posix_lock = posix_lock;
    storage->posix_holds_data = posix_holds_data;
    storage->posix_read = posix_read;
    storage->posix_write_locked = posix_write_locked;
    storage->posix_unlock = posix_unlock;
}
