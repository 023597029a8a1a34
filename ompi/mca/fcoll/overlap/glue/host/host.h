/*
 * SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The overlap project
 *
 * The host port: devices, timelines, and what the settings of a user refer to, for glue/file/engine.c; and the files that
 * are written for the user, for glue/file/close_report.c as well.
 */
#ifndef MCA_FCOLL_OVERLAP_HOST_PORT_H
#define MCA_FCOLL_OVERLAP_HOST_PORT_H

#include "../nonblocking/nonblocking.h"

BEGIN_C_DECLS

/* output.c: what the host port has for timelines, and the end of what it knows of a module. */
void mca_fcoll_overlap_trace_functions(mca_fcoll_overlap_module_t *module, overlap_host *host);
void mca_fcoll_overlap_trace_forget(const mca_fcoll_overlap_module_t *module);

/* device.c: whether the CPU may be unable to touch some of the access's memory, as far as its addresses tell; an error where
 * nothing else here reaches it either. */
void mca_fcoll_overlap_find_devices(const ompio_file_t *fh, overlap_access *access);

/* device.c: its functions of the host port, and the end of what they have with a module. */
void mca_fcoll_overlap_device_functions(overlap_host *host);
void mca_fcoll_overlap_device_forget(mca_fcoll_overlap_module_t *module);

/* A kind of files that MCA parameters name for output, reports and timelines. The component replaces and adds to those files
 * only that have one of its beginnings. */
typedef struct mca_fcoll_overlap_output_kind_t {
    const char *parameter;     /* that names the file */
    const char *beginnings[3]; /* ended by NULL */
    const char *end;           /* of each such file; "": none */
    bool warned;               /* this process has said that it writes to a file of another name */
} mca_fcoll_overlap_output_kind_t;

enum { MCA_FCOLL_OVERLAP_HEADER_SIZE = 640 };

/* output.c: adds `text` to the file that `pattern` names (%p is the process id, %h the name of the host), for a report or a
 * timeline on the file `fh`. A new file, and one that does not begin with this `header` or has not its end, begins with it.
 * Where there is a file of another kind, that of the name with ".1", ".2", ... behind it is taken, and the user is notified.
 * Returns NULL, or why the file holds none of the text. Local. */
const char *mca_fcoll_overlap_output_append(const ompio_file_t *fh, mca_fcoll_overlap_output_kind_t *kind,
                                            const char *pattern, const char *header, const char *text, size_t length);

/* host.c: fills the port. */
void mca_fcoll_overlap_host_open(mca_fcoll_overlap_module_t *module, overlap_host *host);

END_C_DECLS

#endif
