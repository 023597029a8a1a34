/*
 * SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The overlap project
 *
 * The device functions of the host port where nothing is copied from or to a device: an access of its memory has an error.
 */
#include "../glue/host/host.h"

#if !MCA_FCOLL_OVERLAP_COPIES_FROM_DEVICES

static int no_device_copy(void *self, void *to, const void *from, size_t bytes) { return OVERLAP_ERR_BUFFER; }

static int no_device_wait(void *self) { return OVERLAP_SUCCESS; }

static int no_device_pin(void *self, void *memory, size_t bytes) { return 0; }

static void no_device_unpin(void *self, void *memory) {}

void mca_fcoll_overlap_device_functions(overlap_host *host) {
    host->device_copy = no_device_copy;
    host->device_wait = no_device_wait;
    host->device_pin = no_device_pin;
    host->device_unpin = no_device_unpin;
}

void mca_fcoll_overlap_device_forget(mca_fcoll_overlap_module_t *module) { (void)module; }

#endif
