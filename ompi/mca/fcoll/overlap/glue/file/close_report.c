/*
 * SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The overlap project
 *
 * What is said of a file when it is closed: the engine's text, and where the user wants it.
 */
#include "file.h"

#include <errno.h>
#include <stdio.h>

static void show(const mca_fcoll_overlap_module_t *module, const char *text) {
    const char *pattern = module->settings.report_file, *why;

    if ('\0' == pattern[0]) {
        fputs(text, stderr);
        return;
    }
    why = mca_fcoll_overlap_append_report(module->fh, pattern, text);
    if (NULL != why) {
        MCA_FCOLL_OVERLAP_HELP("no-report", module->fh->f_filename, pattern, why);
    }
}

void mca_fcoll_overlap_close_report(mca_fcoll_overlap_module_t *module) {
    int error = OVERLAP_SUCCESS;
    char *text;

    if (NULL == module->engine || OVERLAP_REPORT_OFF == module->settings.report) {
        return;
    }
    text = overlap_file_report(module->engine, module->fh->f_filename, module->wrong_hints, &error);
    if (NULL != text) {
        show(module, text);
        free(text);
    } else if (OVERLAP_SUCCESS != error && 0 == module->fh->f_rank) {
        MCA_FCOLL_OVERLAP_HELP("no-report", module->fh->f_filename, "(the counters of all ranks)",
                               OVERLAP_ERR_NO_MEM == error ? strerror(ENOMEM) : strerror(EIO));
    }
}
