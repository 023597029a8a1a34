/*
 * SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The overlap project
 */
#include "fake_cuda.h"

#include "opal_config.h"

#include "opal/datatype/opal_convertor.h"

#include <stdbool.h>
#include <sys/mman.h>

enum { BYTES = 1 << 20 };

static char *device = NULL;
static char *managed = NULL;

static bool is_inside(const char *address, const char *memory) {
    return NULL != memory && address >= memory && address < memory + BYTES;
}

/* As that of Open MPI 4.1 with CUDA, which the component looks for. */
bool opal_cuda_check_one_buf(char *address, opal_convertor_t *convertor);
bool opal_cuda_check_one_buf(char *address, opal_convertor_t *convertor) {
    if (is_inside(address, managed)) {
        convertor->flags |= CONVERTOR_CUDA_UNIFIED;
        return true;
    }
    return is_inside(address, device);
}

static char *map(int protection) {
    char *const memory = mmap(NULL, BYTES, protection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return MAP_FAILED == memory ? NULL : memory;
}

size_t fake_cuda_install(void) {
    device = map(PROT_NONE);
    managed = map(PROT_READ | PROT_WRITE);
    return NULL != device && NULL != managed ? BYTES : 0;
}

char *fake_cuda_device(void) { return device; }
char *fake_cuda_managed(void) { return managed; }
