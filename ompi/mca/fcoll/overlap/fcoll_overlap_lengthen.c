/*
 * The part of the storage port that makes a file longer before several ranks write to it.
 *
 * Linux lets direct writes to a file of FUSE by side by side, but for those that end behind the end of the file
 * (fuse_dio_wr_exclusive_lock): each waits for the one before to come back from the storage, so that of a small call, which
 * is one write for each aggregator, the storage's latency is paid as often. fallocate(2) makes the file longer without that,
 * and unlike ftruncate(2) never shorter, whatever others write meanwhile.
 */
#include "fcoll_overlap.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>

/* The write that passes the limit of the process is the one that is to get its signal. */
static bool is_within_limit(int64_t end) {
    struct rlimit limit;

    return 0 == getrlimit(RLIMIT_FSIZE, &limit) && (RLIM_INFINITY == limit.rlim_cur || (rlim_t)end <= limit.rlim_cur);
}

static void storage_lengthen(void *self, int64_t end) {
    mca_fcoll_overlap_module_t *module = self;
    const ompio_file_t *fh = module->fh;
    struct stat file;

    if (!module->lengthens || end <= module->length || !mca_fcoll_overlap_is_posix(fh) ||
        mca_fcoll_overlap_locks_writes(fh) || 0 != fstat(fh->fd, &file) || !S_ISREG(file.st_mode)) {
        return;
    }
    module->length = (int64_t)file.st_size;
    if (module->length < end && is_within_limit(end) && 0 == fallocate(fh->fd, 0, (off_t)(end - 1), 1)) {
        module->length = end;
    }
}

void mca_fcoll_overlap_lengthen_functions(overlap_storage *storage) { storage->lengthen = storage_lengthen; }
