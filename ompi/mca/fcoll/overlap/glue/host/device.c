/*
 * SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The overlap project
 *
 * Memory of a device, which the CPU may not be able to touch: finds it out, and copies for the engine by Open MPI's
 * accelerator framework.
 */
#include "host.h"

/* No page is a device's in part. */
enum { PAGE_BITS = 12 };

/* The address is all that tells. MPI_BOTTOM is none: its blocks may lie anywhere, many of them in one page. */
static bool is_on_a_device(const overlap_access *access) {
    const overlap_layout *const memory = &access->memory;
    const size_t looked_at = 0 == memory->origin ? memory->block_count : 1;
    int64_t page = -1;
    bool is = false;

    if (OVERLAP_SUCCESS != access->error || 0 == access->bytes || NULL == memory->blocks) {
        return false;
    }
    for (size_t i = 0; i < looked_at && !is; ++i) {
        const int64_t address = memory->origin + (int64_t)(intptr_t)memory->blocks[i].iov_base;
        if (memory->blocks[i].iov_len > 0 && address >> PAGE_BITS != page) {
            page = address >> PAGE_BITS;
            is = mca_fcoll_overlap_is_device_memory((void *)(intptr_t)address);
        }
    }
    return is;
}

void mca_fcoll_overlap_find_devices(const ompio_file_t *fh, overlap_access *access) {
    access->on_device = is_on_a_device(access);
    if (access->on_device && !MCA_FCOLL_OVERLAP_COPIES_FROM_DEVICES) {
        access->error = OVERLAP_ERR_BUFFER;
        MCA_FCOLL_OVERLAP_HELP("device-memory", fh->f_filename);
    }
}

/* Messages do not progress meanwhile. To ask for an address binds its device to the thread, which in a nonblocking call may
 * be another one than at its start. */
int mca_fcoll_overlap_device_copy(void *self, void *to, const void *from, size_t bytes) {
    if (!mca_fcoll_overlap_is_device_memory(to) && !mca_fcoll_overlap_is_device_memory(from)) {
        memcpy(to, from, bytes);
        return OVERLAP_SUCCESS;
    }
    return mca_fcoll_overlap_error_of_call(self, "a copy of the device", -1, mca_fcoll_overlap_copy_device(to, from, bytes));
}
