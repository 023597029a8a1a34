/*
 * SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The overlap project
 *
 * Files that MCA parameters name for output. Nothing that this component did not write is changed: a symbolic link is not
 * followed, and a file that exists is written only where it begins as the component's own do.
 */
#include "host.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* NAME, NAME.1, ... NAME.9. A file that another process has just made is empty for a moment: it is looked at again, 50
 * times, a millisecond apart. */
enum { NAMES = 10, TRIES = 50, BEGINNING_SIZE = 80 };

#define PAUSE 1000000L /* nanoseconds */
#define OPENED_FILE "it is the file that was opened with MPI_File_open"

typedef enum outcome_t {
    OPENED,
    REFUSED, /* a file of this name is not the component's */
    FAILED   /* nothing is written under this or another name */
} outcome_t;

/* Whether it is the file that is written, under any of its names. */
static bool is_the_file_of(const ompio_file_t *fh, const struct stat *status) {
    struct stat file;

    return 0 == stat(fh->f_filename, &file) && file.st_dev == status->st_dev && file.st_ino == status->st_ino;
}

static outcome_t fail(const char *reason, char *why) {
    snprintf(why, MCA_FCOLL_OVERLAP_REASON_SIZE, "%s", reason);
    return FAILED;
}

static bool is_of_kind(const mca_fcoll_overlap_output_kind_t *kind, int fd) {
    const struct timespec pause = {0, PAUSE};
    char text[BEGINNING_SIZE + 1] = "";
    bool is = false;

    for (int i = 0; i < TRIES && 0 == pread(fd, text, BEGINNING_SIZE, 0); ++i) {
        nanosleep(&pause, NULL);
    }
    for (int i = 0; NULL != kind->beginnings[i]; ++i) {
        is = is || 0 == strncmp(text, kind->beginnings[i], strlen(kind->beginnings[i]));
    }
    return is;
}

/* Of one name. A new file is made. A FIFO or a device is not opened: that could block, or do something. Something else may
 * have the name when a file is opened that exists, or nothing any more. */
static outcome_t open_one(const ompio_file_t *fh, const mca_fcoll_overlap_output_kind_t *kind, int flags,
                          mca_fcoll_overlap_output_t *output, char *why) {
    const int modes = O_RDWR | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | flags;
    struct stat status;

    for (int i = 0; i < TRIES; ++i) {
        output->fd = open(output->path, modes | O_CREAT | O_EXCL, 0666);
        output->is_new = output->fd >= 0;
        if (output->is_new) {
            return OPENED;
        }
        if (EEXIST != errno) {
            return fail(strerror(errno), why);
        }
        if (0 != lstat(output->path, &status)) {
            if (ENOENT != errno) {
                return fail(strerror(errno), why);
            }
            continue;
        }
        if (S_ISLNK(status.st_mode)) {
            return REFUSED;
        }
        if (!S_ISREG(status.st_mode)) {
            return fail(S_ISDIR(status.st_mode) ? "it is a folder" : "it is a FIFO, a device or a socket", why);
        }
        if (is_the_file_of(fh, &status)) {
            return fail(OPENED_FILE, why);
        }
        output->fd = open(output->path, modes);
        if (output->fd >= 0) {
            if (0 == fstat(output->fd, &status) && S_ISREG(status.st_mode) && !is_the_file_of(fh, &status) &&
                is_of_kind(kind, output->fd)) {
                return OPENED;
            }
            close(output->fd);
            return REFUSED;
        }
        if (ENOENT != errno) {
            return REFUSED;
        }
    }
    return fail(strerror(ENOENT), why);
}

/* %p becomes the process id, %h the name of the host, %% a %. False where `size` is too small for that. */
static bool expand_pattern(const char *pattern, char *path, size_t size) {
    char process[24], host[256] = "";
    size_t used = 0;

    snprintf(process, sizeof(process), "%ld", (long)getpid());
    if (0 != gethostname(host, sizeof(host) - 1)) {
        snprintf(host, sizeof(host), "%%h");
    }
    for (const char *at = pattern; '\0' != *at && used < size; ++at) {
        const char plain[] = {*at, '\0'};
        const char *value = '%' != at[0] ? NULL : 'p' == at[1] ? process : 'h' == at[1] ? host : '%' == at[1] ? "%" : NULL;
        used += (size_t)snprintf(path + used, size - used, "%s", NULL == value ? plain : value);
        at += NULL == value ? 0 : 1;
    }
    return 0 < used && used < size;
}

bool mca_fcoll_overlap_output_open(const ompio_file_t *fh, mca_fcoll_overlap_output_kind_t *kind, const char *pattern,
                                   int flags, mca_fcoll_overlap_output_t *output, char *why) {
    char name[OPAL_PATH_MAX - 16]; /* with room for a number behind it */
    outcome_t outcome;

    if (!expand_pattern(pattern, name, sizeof(name))) {
        return OPENED == fail(strerror(ENAMETOOLONG), why);
    }
    /* MPI_MODE_DELETE_ON_CLOSE: the file is gone when its report is made. */
    if (0 == strcmp(name, fh->f_filename)) {
        return OPENED == fail(OPENED_FILE, why);
    }
    snprintf(output->path, sizeof(output->path), "%s", name);
    for (int i = 1; REFUSED == (outcome = open_one(fh, kind, flags, output, why)) && i < NAMES; ++i) {
        snprintf(output->path, sizeof(output->path), "%s.%d", name, i);
    }
    if (REFUSED == outcome) {
        fail("there are files of this name that the component did not write, also with .1 to .9 behind it", why);
    } else if (OPENED == outcome && 0 != strcmp(name, output->path) &&
               !__atomic_exchange_n(&kind->warned, true, __ATOMIC_RELAXED)) {
        MCA_FCOLL_OVERLAP_HELP("another-file", kind->parameter, name, output->path);
    }
    return OPENED == outcome;
}

int mca_fcoll_overlap_output_close(mca_fcoll_overlap_output_t *output, bool empty) {
    if (empty) {
        unlink(output->path);
    }
    return 0 == close(output->fd) ? 0 : errno;
}
