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

/* trace.c: the functions of the host port for timelines, and the end of what they know of a module. */
void mca_fcoll_overlap_trace_functions(overlap_host *host);
void mca_fcoll_overlap_trace_forget(mca_fcoll_overlap_module_t *module);

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
    bool warned;               /* this process has said that it writes to a file of another name */
} mca_fcoll_overlap_output_kind_t;

typedef struct mca_fcoll_overlap_output_t {
    int fd;
    bool is_new; /* made by this open, and empty */
    char path[OPAL_PATH_MAX];
} mca_fcoll_overlap_output_t;

enum { MCA_FCOLL_OVERLAP_REASON_SIZE = 160 };

/* output.c: opens the file that `pattern` names (%p is the process id, %h the name of the host) for a report or a timeline
 * on the file `fh`. A new file is made. Where there is a file of another kind, that of the name with ".1", ".2", ... behind
 * it is opened instead, and the user is notified. `flags`: 0 or O_APPEND. False: no file is open, and `why`, of
 * MCA_FCOLL_OVERLAP_REASON_SIZE, is the reason. Does not block. Local. */
bool mca_fcoll_overlap_output_open(const ompio_file_t *fh, mca_fcoll_overlap_output_kind_t *kind, const char *pattern,
                                   int flags, mca_fcoll_overlap_output_t *output, char *why);

/* output.c: closes it, and removes it where it is `empty` because nothing could be written. Returns 0 or an errno. */
int mca_fcoll_overlap_output_close(mca_fcoll_overlap_output_t *output, bool empty);

/* host.c: fills the port. */
void mca_fcoll_overlap_host_open(mca_fcoll_overlap_module_t *module, overlap_host *host);

END_C_DECLS

#endif
