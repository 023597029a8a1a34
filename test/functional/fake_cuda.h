/*
 * SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The overlap project
 *
 * A device for tests as Open MPI 4.1 with CUDA knows such: in the place of its function that finds them. For a program that
 * is linked with -rdynamic.
 */
#ifndef FAKE_CUDA_H
#define FAKE_CUDA_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Returns how many bytes of either memory there are, 0 where there is none. */
size_t fake_cuda_install(void);

/* Which the CPU may not touch. */
char *fake_cuda_device(void);

/* Which it may. */
char *fake_cuda_managed(void);

#ifdef __cplusplus
}
#endif

#endif
