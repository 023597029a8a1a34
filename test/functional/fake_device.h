/*
 * SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The overlap project
 *
 * A device for tests: memory that the CPU may not touch, and Open MPI's accelerator framework saying so and copying. Open
 * MPI 5.0 and later.
 */
#ifndef FAKE_DEVICE_H
#define FAKE_DEVICE_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Puts itself in the place of Open MPI's own accelerator, after MPI_Init. Returns how many bytes of the device there are, 0
 * where there is none. */
size_t fake_device_install(void);

/* The first byte of the device. */
char *fake_device_memory(void);

/* The same byte as the CPU may touch it. */
char *fake_device_shadow(void);

/* Copies that Open MPI or a component of it asked for since the start. */
size_t fake_device_copies(void);

/* Whether all copies fail from now on. */
void fake_device_fail(int fail);

#ifdef __cplusplus
}
#endif

#endif
