/*
 * The part of the storage port that makes a file longer before several ranks write to it.
 *
 * Where a file of FUSE has FOPEN_PARALLEL_DIRECT_WRITES Linux does direct writes to it side by side, but for those that end
 * behind the end of the file (fuse_dio_wr_exclusive_lock): each waits for the one before to come back from the storage, so
 * that of a small call, which is one write for each aggregator, the storage's latency is paid as often. fallocate(2) makes
 * the file longer without that, and unlike ftruncate(2) never shorter, whatever others write meanwhile. It costs a request
 * or two of each aggregator, beside the first shuffle: each node has to know of the length.
 */
#include "fcoll_overlap.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>

void mca_fcoll_overlap_lengthen(mca_fcoll_overlap_module_t *module, int64_t end) {
    const ompio_file_t *fh = module->fh;
    struct stat file;

    if (module->lengthens && mca_fcoll_overlap_is_posix(fh) && !mca_fcoll_overlap_locks_writes(fh) &&
        0 == fstat(fh->fd, &file) && S_ISREG(file.st_mode) && (int64_t)file.st_size < end &&
        mca_fcoll_overlap_may_reach(end) && 0 != fallocate(fh->fd, 0, (off_t)(end - 1), 1) && EOPNOTSUPP == errno) {
        module->lengthens = false;
    }
}

static void storage_lengthen(void *self, int64_t end) { mca_fcoll_overlap_lengthen(self, end); }

void mca_fcoll_overlap_lengthen_functions(overlap_storage *storage) { storage->lengthen = storage_lengthen; }
