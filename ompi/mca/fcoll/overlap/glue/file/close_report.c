/*
 * SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The overlap project
 *
 * What is said of a file when it is closed: the engine's text, and where the user wants it.
 */
#include "file.h"

#include "../host/host.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

/* Returns how many bytes are left; then errno is why. */
static size_t write_all(int fd, const char *text) {
    size_t left = strlen(text);

    while (left > 0) {
        const ssize_t written = write(fd, text, left);
        if (written < 0 && EINTR != errno) {
            break;
        }
        text += written > 0 ? written : 0;
        left -= written > 0 ? (size_t)written : 0;
    }
    return left;
}

static mca_fcoll_overlap_output_kind_t reports = {
    "fcoll_overlap_report_file", {"fcoll/overlap: ", "{\"overlap_report\":", NULL}, false};

/* What a disk had room for is no report, and the next one would stand in its line. Behind what somebody else has added since
 * it stays. Returns whether nothing is left in the file. */
static bool cut(int fd, size_t length) {
    const off_t end = lseek(fd, 0, SEEK_CUR);
    struct stat status;

    if (length > 0 && end >= (off_t)length && 0 == fstat(fd, &status) && status.st_size == end &&
        0 != ftruncate(fd, end - (off_t)length)) {
        return false; /* then it stays */
    }
    return 0 == fstat(fd, &status) && 0 == status.st_size;
}

/* One write: reports of several files and processes do not mix. Returns 0 or an errno. */
static int append_report(mca_fcoll_overlap_output_t *output, const char *text) {
    const size_t left = write_all(output->fd, text);
    const int error = left > 0 ? errno : 0;
    const bool is_empty = left > 0 && cut(output->fd, strlen(text) - left);
    const int of_close = mca_fcoll_overlap_output_close(output, output->is_new && is_empty);

    return 0 != error ? error : of_close;
}

static void show(const mca_fcoll_overlap_module_t *module, const char *text) {
    const char *pattern = module->settings.report_file;
    char why[MCA_FCOLL_OVERLAP_REASON_SIZE];
    mca_fcoll_overlap_output_t output;
    int error;

    if ('\0' == pattern[0]) {
        (void)write_all(STDERR_FILENO, text);
        return;
    }
    if (!mca_fcoll_overlap_output_open(module->fh, &reports, pattern, O_APPEND, &output, why)) {
        MCA_FCOLL_OVERLAP_HELP("no-report", module->fh->f_filename, pattern, why);
        return;
    }
    error = append_report(&output, text);
    if (0 != error) {
        MCA_FCOLL_OVERLAP_HELP("no-report", module->fh->f_filename, output.path, strerror(error));
    }
}

void mca_fcoll_overlap_close_report(mca_fcoll_overlap_module_t *module) {
    int error = OVERLAP_SUCCESS;
    char *text;

    if (NULL == module->engine || OVERLAP_REPORT_OFF == module->settings.report) {
        return;
    }
    text = overlap_file_report(module->engine, module->fh->f_filename, &error);
    if (NULL != text) {
        show(module, text);
        free(text);
    } else if (OVERLAP_SUCCESS != error && 0 == module->fh->f_rank) {
        MCA_FCOLL_OVERLAP_HELP("no-report", module->fh->f_filename, "(the counters of all ranks)",
                               OVERLAP_ERR_NO_MEM == error ? strerror(ENOMEM) : strerror(EIO));
    }
}
