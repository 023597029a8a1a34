/*
 * SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The overlap project
 *
 * In the place of CUDA's driver and of HIP: their device is the fake one of ../functional/fake_device.h, which Open MPI's
 * accelerator framework knows from the first allocation on. The rank that STAND_IN_LACKS names has none. At the end of the
 * program it says how often Open MPI had something copied by the device.
 */
#include "fake_device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PAGE = 4096, EITHER_WAY = 4 };

typedef unsigned long long cuda_address;

static size_t bytes_there = 0;
static size_t taken = 0;
static int blocks = 0;

__attribute__((destructor)) static void say(void) {
    if (0 != bytes_there) {
        fprintf(stderr, "stand-in: %zu copies by the device\n", fake_device_copies());
    }
}

static int count_devices(void) {
    const char *const rank = getenv("OMPI_COMM_WORLD_RANK");
    const char *const lacks = getenv("STAND_IN_LACKS");
    return NULL == rank || NULL == lacks || 0 != strcmp(rank, lacks) ? 1 : 0;
}

/* What the CPU may touch in the place of the device's memory. */
static char *reachable(const void *address) {
    const char *const first = fake_device_memory();
    const char *const byte = address;
    return NULL != first && byte >= first && byte < first + bytes_there ? fake_device_shadow() + (byte - first)
                                                                        : (char *)(size_t)address;
}

static void *allocate(size_t bytes) {
    const size_t room = (bytes + PAGE - 1) / PAGE * PAGE;
    char *memory;

    if (0 == bytes_there) {
        bytes_there = fake_device_install();
    }
    if (room > bytes_there - taken) {
        return NULL;
    }
    memory = fake_device_memory() + taken;
    taken += room;
    ++blocks;
    return memory;
}

static int release(void) {
    if (0 == --blocks) {
        taken = 0;
    }
    return 0;
}

static int copy(void *to, const void *from, size_t bytes) {
    memmove(reachable(to), reachable(from), bytes);
    return 0;
}

int cuInit(unsigned flags) { return 0 != flags; }

int cuDeviceGetCount(int *count) {
    *count = count_devices();
    return 0;
}

int cuDeviceGet(int *device, int number) {
    *device = number;
    return 0 != number;
}

int cuDevicePrimaryCtxRetain(void **context, int device) {
    *context = &bytes_there;
    return 0 != device;
}

int cuCtxSetCurrent(void *context) { return &bytes_there != context; }

int cuMemAlloc_v2(cuda_address *memory, size_t bytes) {
    *memory = (cuda_address)(size_t)allocate(bytes);
    return 0 == *memory;
}

int cuMemFree_v2(cuda_address memory) { return 0 == memory || release(); }

int cuMemcpy(cuda_address to, cuda_address from, size_t bytes) {
    return copy((void *)(size_t)to, (const void *)(size_t)from, bytes);
}

int cuCtxSynchronize(void) { return 0; }

int hipGetDeviceCount(int *count) { return cuDeviceGetCount(count); }
int hipSetDevice(int number) { return 0 != number; }

int hipMalloc(void **memory, size_t bytes) {
    *memory = allocate(bytes);
    return NULL == *memory;
}

int hipFree(void *memory) { return NULL == memory || release(); }

int hipMemcpy(void *to, const void *from, size_t bytes, int kind) { return EITHER_WAY != kind || copy(to, from, bytes); }

int hipDeviceSynchronize(void) { return 0; }
