/*
 * SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The overlap project
 *
 * Files that MCA parameters name for output: reports and timelines.
 */
#ifndef MCA_FCOLL_OVERLAP_OUTPUT_H
#define MCA_FCOLL_OVERLAP_OUTPUT_H

#include "../base/base.h"

/* A kind of file. The component replaces and adds to those files only that have one of its beginnings. */
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

/* Opens the file that `pattern` names (%p is the process id, %h the name of the host) for a report or a timeline on the file
 * `fh`. A new file is made. Where there is a file of another kind, that of the name with ".1", ".2", ... behind it is opened
 * instead, and the user is notified. `flags`: 0 or O_APPEND. False: no file is open, and `why`, of
 * MCA_FCOLL_OVERLAP_REASON_SIZE, is the reason. Does not block. Local. */
bool mca_fcoll_overlap_output_open(const ompio_file_t *fh, mca_fcoll_overlap_output_kind_t *kind, const char *pattern,
                                   int flags, mca_fcoll_overlap_output_t *output, char *why);

/* Closes it, and removes it where it is `empty` because nothing could be written. Returns 0 or an errno. */
int mca_fcoll_overlap_output_close(mca_fcoll_overlap_output_t *output, bool empty);

#endif
