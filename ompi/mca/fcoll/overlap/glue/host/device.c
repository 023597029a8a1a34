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

/* On the device that this process used last. */
static _Atomic intptr_t last_address = 0;

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
            if (is) {
                last_address = (intptr_t)address;
            }
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

#if MCA_FCOLL_OVERLAP_COPIES_FROM_DEVICES

static int error_of_copy(const void *self, int ret) {
    return mca_fcoll_overlap_error_of_call(self, "a copy of the device", -1, ret);
}

static void free_copies(mca_fcoll_overlap_copies_t *copies) {
    if (NULL != copies->event) {
        OBJ_RELEASE(copies->event);
    }
    if (NULL != copies->stream) {
        OBJ_RELEASE(copies->stream);
    }
    *copies = (mca_fcoll_overlap_copies_t){0};
}

/* Waits for copies. `address` is one of theirs on the device; NULL where none was started. While they run messages progress,
 * after which the call may be in another thread. To ask for the address binds the device to that thread. */
static int end_copies(mca_fcoll_overlap_copies_t *copies, const void *address) {
    int ret = mca_fcoll_overlap_copies_test(copies, true);

    while (OPAL_ERR_RESOURCE_BUSY == ret) {
        if (NULL != address) {
            mca_fcoll_overlap_progress(false);
            (void)mca_fcoll_overlap_is_device_memory(address);
        }
        ret = mca_fcoll_overlap_copies_test(copies, false);
    }
    return ret;
}

static bool make_copies(mca_fcoll_overlap_copies_t *copies) {
    *copies = (mca_fcoll_overlap_copies_t){0};
    if (OPAL_SUCCESS != opal_accelerator.create_stream(MCA_ACCELERATOR_NO_DEVICE_ID, &copies->stream)) {
        copies->stream = NULL; /* it has been released */
    } else if (OPAL_SUCCESS == end_copies(copies, NULL)) {
        return true;
    }
    free_copies(copies);
    return false;
}

/* A stream is of the device that was bound when it was made, and Open MPI of one device a process. An accelerator that has
 * no stream, does not start a copy in it, or cannot wait for it is not asked again. */
static bool start_copy(mca_fcoll_overlap_device_copies_t *of, void *to, const void *from, size_t bytes) {
    const int any = MCA_ACCELERATOR_NO_DEVICE_ID;

    if (COPIES_UNKNOWN == of->state) {
        of->state = make_copies(&of->copies) ? COPIES_TOGETHER : COPIES_ONE_BY_ONE;
    }
    if (COPIES_TOGETHER == of->state &&
        OPAL_SUCCESS !=
            opal_accelerator.mem_copy_async(any, any, to, from, bytes, of->copies.stream, MCA_ACCELERATOR_TRANSFER_UNSPEC)) {
        of->state = COPIES_ONE_BY_ONE;
    }
    return COPIES_TOGETHER == of->state;
}

/* To ask for an address binds its device to the thread, which in a nonblocking call may be another one than at its start. */
static int device_copy(void *self, void *to, const void *from, size_t bytes) {
    const int any = MCA_ACCELERATOR_NO_DEVICE_ID;
    mca_fcoll_overlap_module_t *const module = self;
    const bool to_device = mca_fcoll_overlap_is_device_memory(to);
    const bool from_device = mca_fcoll_overlap_is_device_memory(from);

    if (!to_device && !from_device) {
        memcpy(to, from, bytes);
        return OVERLAP_SUCCESS;
    }
    if (start_copy(&module->device_copies, to, from, bytes)) {
        module->device_copies.under_way = to_device ? to : from;
        return OVERLAP_SUCCESS;
    }
    return error_of_copy(module, opal_accelerator.mem_copy(any, any, to, from, bytes, MCA_ACCELERATOR_TRANSFER_UNSPEC));
}

static int device_wait(void *self) {
    mca_fcoll_overlap_module_t *const module = self;
    mca_fcoll_overlap_device_copies_t *const of = &module->device_copies;
    const void *const address = of->under_way;
    int ret;

    if (NULL == address) {
        return OVERLAP_SUCCESS;
    }
    of->under_way = NULL;
    (void)mca_fcoll_overlap_is_device_memory(address);
    ret = end_copies(&of->copies, address);
    if (OPAL_SUCCESS != ret) {
        of->state = COPIES_ONE_BY_ONE;
    }
    mca_fcoll_overlap_advanced();
    return error_of_copy(module, ret);
}

void mca_fcoll_overlap_device_forget(mca_fcoll_overlap_module_t *module) {
    free_copies(&module->device_copies.copies);
    module->device_copies.state = COPIES_UNKNOWN;
}

/* Without a device bound to the thread CUDA refuses, which Open MPI says in a message of its own. */
static int device_pin(void *self, void *memory, size_t bytes) {
    return mca_fcoll_overlap_is_device_memory((void *)last_address) &&
           OPAL_SUCCESS == opal_accelerator.host_register(MCA_ACCELERATOR_NO_DEVICE_ID, memory, bytes);
}

static void device_unpin(void *self, void *memory) {
    (void)mca_fcoll_overlap_is_device_memory((void *)last_address);
    (void)opal_accelerator.host_unregister(MCA_ACCELERATOR_NO_DEVICE_ID, memory);
}

void mca_fcoll_overlap_device_functions(overlap_host *host) {
    host->device_copy = device_copy;
    host->device_wait = device_wait;
    host->device_pin = device_pin;
    host->device_unpin = device_unpin;
}

#endif
