/*
 * SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The overlap project
 *
 * The part of the storage port for writers that hand descriptors to the kernel: a second descriptor of the file, for direct
 * transfers, and what the file asks of them.
 */
#include "storage.h"

#include "opal/util/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

/* What every device and file system takes, where the kernel does not tell. */
enum { COMMON_ALIGNMENT = 4096 };

/* The largest block of a Linux file system, whose page cache may keep whole blocks together. st_blksize can be larger: a
 * stripe. */
enum { LARGEST_BLOCK = 65536 };

static int64_t larger(int64_t a, int64_t b) { return a > b ? a : b; }

/* tmpfs takes O_DIRECT since Linux 6.6, and copies all the same. */
static bool is_in_memory(const overlap_file_facts *facts) {
    return 0 == strcmp(facts->file_system, "tmpfs") || 0 == strcmp(facts->file_system, "ramfs");
}

/* statx(2), STATX_DIOALIGN, since Linux 6.1 and for some file systems. False where the kernel says that there are no direct
 * writes. */
static bool alignments_of(int descriptor, overlap_descriptors *descriptors) {
    int64_t of_offsets = COMMON_ALIGNMENT, of_memory = COMMON_ALIGNMENT;
    struct stat file;
#ifdef STATX_DIOALIGN
    struct statx known;

    if (0 == statx(descriptor, "", AT_EMPTY_PATH, STATX_DIOALIGN, &known) && 0 != (known.stx_mask & STATX_DIOALIGN)) {
        of_offsets = known.stx_dio_offset_align;
        of_memory = known.stx_dio_mem_align;
    }
#endif
    if (0 == of_offsets || 0 == of_memory || 0 != fstat(descriptor, &file)) {
        return false;
    }
    if (file.st_blksize <= LARGEST_BLOCK && 0 == (file.st_blksize & (file.st_blksize - 1))) {
        of_offsets = larger(of_offsets, file.st_blksize);
    }
    descriptors->offset_alignment = larger(of_offsets, sysconf(_SC_PAGESIZE));
    descriptors->memory_alignment = (size_t)of_memory;
    return true;
}

/* Opened again by the descriptor: the name may be relative to a folder that the program has left, or another file's by now.
 */
int mca_fcoll_overlap_posix_descriptors(void *self, overlap_descriptors *descriptors) {
    const mca_fcoll_overlap_module_t *module = self;
    const ompio_file_t *fh = module->fh;
    char path[32];

    *descriptors = (overlap_descriptors){.ordinary = fh->fd, .direct = -1};
    if (!mca_fcoll_overlap_is_posix(fh)) {
        return OVERLAP_ERR_IO;
    }
    if (is_in_memory(&module->facts) || !alignments_of(fh->fd, descriptors)) {
        return OVERLAP_SUCCESS;
    }
    snprintf(path, sizeof(path), "/proc/self/fd/%d", fh->fd);
    descriptors->direct = open(path, (fcntl(fh->fd, F_GETFL) & O_ACCMODE) | O_DIRECT | O_CLOEXEC);
    if (descriptors->direct < 0) {
        opal_output_verbose(1, ompi_fcoll_base_framework.framework_output,
                            "fcoll:overlap: rank %d: %s cannot be opened for direct writes: %s", fh->f_rank, fh->f_filename,
                            strerror(errno));
    }
    return OVERLAP_SUCCESS;
}
