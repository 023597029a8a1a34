/*
 * SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The overlap project
 */
#define _GNU_SOURCE
#include "fake_device.h"

/* Not all Open MPIs install the headers that those of the accelerator include. */
#include "compat/threads.h"

#include "opal/constants.h"
#include "opal/mca/accelerator/accelerator.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { DEVICE_BYTES = 16 << 20 };

static char *device = NULL;
static char *shadow = NULL;
static size_t copies = 0;
static int fails = 0;

static int is_inside(const void *address) {
    return (const char *)address >= device && (const char *)address < device + DEVICE_BYTES;
}

static char *reachable(const void *address) {
    return is_inside(address) ? shadow + ((const char *)address - device) : (char *)(size_t)address;
}

static int check_addr(const void *address, int *number, uint64_t *flags) {
    *number = 0;
    *flags = 0;
    return is_inside(address);
}

static int move(int to_device, int from_device, void *to, const void *from, size_t bytes,
                opal_accelerator_transfer_type_t type) {
    (void)to_device;
    (void)from_device;
    (void)type;
    ++copies;
    if (fails) {
        return OPAL_ERROR;
    }
    memmove(reachable(to), reachable(from), bytes);
    return OPAL_SUCCESS;
}

size_t fake_device_install(void) {
    const int memory = memfd_create("fake device", 0);

    if (memory < 0 || 0 != ftruncate(memory, DEVICE_BYTES)) {
        return 0;
    }
    device = mmap(NULL, DEVICE_BYTES, PROT_NONE, MAP_SHARED, memory, 0);
    shadow = mmap(NULL, DEVICE_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, memory, 0);
    close(memory);
    if (MAP_FAILED == device || MAP_FAILED == shadow) {
        return 0;
    }
    opal_accelerator.check_addr = check_addr;
    opal_accelerator.mem_copy = move;
    opal_accelerator.mem_move = move;
    return DEVICE_BYTES;
}

char *fake_device_memory(void) { return device; }
char *fake_device_shadow(void) { return shadow; }
void fake_device_fail(int fail) { fails = fail; }

size_t fake_device_copies(void) { return copies; }
