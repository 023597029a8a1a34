/*
 * SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The overlap project
 *
 * The host port: devices, timelines, and what the settings of a user refer to, for glue/file/engine.c; and the files that
 * are written for the user, for glue/file/engine.c as well.
 */
#ifndef MCA_FCOLL_OVERLAP_HOST_PORT_H
#define MCA_FCOLL_OVERLAP_HOST_PORT_H

#include "../nonblocking/nonblocking.h"

/* output.c: what the host port has for timelines. */
void mca_fcoll_overlap_trace_functions(mca_fcoll_overlap_module_t *module, overlap_host *host);

/* device.c: whether the CPU may be unable to touch some of the access's memory, as far as its addresses tell; an error where
 * nothing else here reaches it either. */
void mca_fcoll_overlap_find_devices(const ompio_file_t *fh, overlap_access *access);

/* device.c: a function of the host port. */
int mca_fcoll_overlap_device_copy(void *self, void *to, const void *from, size_t bytes);

/* output.c: adds a report on the file `fh` to the file that `pattern` names (%p is the process id, %h the name of the host).
 * Where there is a file of another kind, that of the name with ".1", ".2", ... behind it is taken, and the user is notified.
 * Returns NULL, or why the file holds none of the report. Local. */
const char *mca_fcoll_overlap_append_report(const ompio_file_t *fh, const char *pattern, const char *report);

/* host.c: fills the port. */
void mca_fcoll_overlap_host_open(mca_fcoll_overlap_module_t *module, overlap_host *host);

#endif
