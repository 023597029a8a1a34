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
int mca_fcoll_overlap_posix_lock(void *self, int64_t offset, int64_t length, int *held) {
    mca_fcoll_overlap_module_t *module = self;
    const bool whole = mca_fcoll_overlap_locks_whole_file(module->fh);
    bool locked = false;
    int error;

    *held = 0;
    /* Two threads share the lock of a descriptor: of the whole file both would get it, and the first to unlock would take it
     * from the other. */
    if (whole && 0 != pthread_mutex_trylock(&module->file_lock)) {
        return OVERLAP_SUCCESS;
    }
    error = mca_fcoll_overlap_lock(module, F_OFD_SETLK, F_WRLCK, offset, length, &locked);
    *held = locked;
    if (locked) {
        look_at_the_server(module, offset, length);
    } else if (whole) {
        pthread_mutex_unlock(&module->file_lock);
    }
    return error;
}

void mca_fcoll_overlap_posix_unlock(void *self, int64_t offset, int64_t length) {
    mca_fcoll_overlap_module_t *module = self;
    bool unlocked;

    mca_fcoll_overlap_lock(module, F_OFD_SETLK, F_UNLCK, offset, length, &unlocked);
    if (mca_fcoll_overlap_locks_whole_file(module->fh)) {
        pthread_mutex_unlock(&module->file_lock);
    }
}

/* NFS would ask its server. What lies behind the end of the file is known without the lock of the file, which another
 * process that is writing holds. The position of the descriptor, which this moves, is used by nobody: Open MPI tells each
 * call its offset. */
int mca_fcoll_overlap_posix_holds_data(void *self, int64_t offset, int64_t *until) {
    const ompio_file_t *fh = ((mca_fcoll_overlap_module_t *)self)->fh;

    *until = INT64_MAX;
#if defined SEEK_DATA && defined SEEK_HOLE
    if (!mca_fcoll_overlap_locks_whole_file(fh)) {
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

int mca_fcoll_overlap_posix_read(void *self, int64_t offset, char *address, size_t length) {
    const overlap_extent extent = {offset, address, length};
    size_t done = 0;
    const int error = mca_fcoll_overlap_transfer_list(self, OVERLAP_READ, &extent, 1, &done);

    if (OVERLAP_SUCCESS == error) { /* behind the end of the file */
        memset(address + done, 0, length - done);
    }
    return error;
}

int mca_fcoll_overlap_posix_write_locked(void *self, const overlap_extent *extents, size_t count, size_t *written) {
    *written = 0;
    return mca_fcoll_overlap_transfer_list(self, OVERLAP_WRITE, extents, count, written);
}
