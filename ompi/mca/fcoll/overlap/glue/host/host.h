/*
 * SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The overlap project
 *
 * The host port: devices, timelines, and what the settings of a user refer to. The engine of a file (glue/file/engine.c) is
 * opened with it.
 */
#ifndef MCA_FCOLL_OVERLAP_HOST_PORT_H
#define MCA_FCOLL_OVERLAP_HOST_PORT_H

#include "../nonblocking/nonblocking.h"

BEGIN_C_DECLS

/* trace.c: the functions of the host port for timelines, and the end of what they know of a module. */
void mca_fcoll_overlap_trace_functions(overlap_host *host);
void mca_fcoll_overlap_trace_forget(mca_fcoll_overlap_module_t *module);

/* device.c: whether the CPU may be unable to touch some of the access's memory, as far as its addresses tell; an error where
 * nothing else here reaches it either. */
void mca_fcoll_overlap_find_devices(const ompio_file_t *fh, overlap_access *access);

/* device.c: its functions of the host port, and the end of what they have with a module. */
void mca_fcoll_overlap_device_functions(overlap_host *host);
void mca_fcoll_overlap_device_forget(mca_fcoll_overlap_module_t *module);

/* host.c: fills the port. */
void mca_fcoll_overlap_host_open(mca_fcoll_overlap_module_t *module, overlap_host *host);

END_C_DECLS

#endif
