/*
 * SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The overlap project
 *
 * Files that MCA parameters name for output. Nothing that this component did not write is changed: a symbolic link is not
 * followed, and a file that exists is written only where it begins as the component's own do.
 */
#include "output.h"

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

typedef enum found_t {
    FOUND_OPEN,   /* the file is open */
    FOUND_OTHERS, /* a file of this name is not the component's */
    FOUND_GONE,   /* there is none any more */
    FOUND_NO_FILE /* nothing is written under this or another name */
} found_t;

/* Whether it is the file that is written, under any of its names. */
static bool is_the_file_of(const ompio_file_t *fh, const struct stat *status) {
    struct stat file;

    return 0 == stat(fh->f_filename, &file) && file.st_dev == status->st_dev && file.st_ino == status->st_ino;
}

static found_t refuse(const char *reason, char *why) {
    snprintf(why, MCA_FCOLL_OVERLAP_REASON_SIZE, "%s", reason);
    return FOUND_NO_FILE;
}

static bool has_beginning(const mca_fcoll_overlap_output_kind_t *kind, const char *text, size_t length) {
    for (int i = 0; NULL != kind->beginnings[i]; ++i) {
        const size_t needed = strlen(kind->beginnings[i]);
        if (length >= needed && 0 == memcmp(text, kind->beginnings[i], needed)) {
            return true;
        }
    }
    return false;
}

static bool is_of_kind(const mca_fcoll_overlap_output_kind_t *kind, int fd) {
    const struct timespec pause = {0, PAUSE};
    char text[BEGINNING_SIZE];
    ssize_t length = pread(fd, text, sizeof(text), 0);

    for (int i = 0; 0 == length && i < TRIES; ++i) {
        nanosleep(&pause, NULL);
        length = pread(fd, text, sizeof(text), 0);
    }
    return length > 0 && has_beginning(kind, text, (size_t)length);
}

/* Of a file that exists. A FIFO or a device is not opened: that could block, or do something. */
static found_t open_existing(const ompio_file_t *fh, const mca_fcoll_overlap_output_kind_t *kind, int flags,
                             mca_fcoll_overlap_output_t *output, char *why) {
    struct stat status;

    if (0 != lstat(output->path, &status)) {
        return ENOENT == errno ? FOUND_GONE : refuse(strerror(errno), why);
    }
    if (S_ISLNK(status.st_mode)) {
        return FOUND_OTHERS;
    }
    if (!S_ISREG(status.st_mode)) {
        return refuse(S_ISDIR(status.st_mode) ? "it is a folder" : "it is a FIFO, a device or a socket", why);
    }
    if (is_the_file_of(fh, &status)) {
        return refuse(OPENED_FILE, why);
    }
    /* Something else may have the name by now. */
    output->fd = open(output->path, O_RDWR | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | flags);
    if (output->fd < 0) {
        return ENOENT == errno ? FOUND_GONE : FOUND_OTHERS;
    }
    if (0 == fstat(output->fd, &status) && S_ISREG(status.st_mode) && !is_the_file_of(fh, &status) &&
        is_of_kind(kind, output->fd)) {
        return FOUND_OPEN;
    }
    close(output->fd);
    return FOUND_OTHERS;
}

/* Of one name. */
static found_t open_one(const ompio_file_t *fh, const mca_fcoll_overlap_output_kind_t *kind, int flags,
                        mca_fcoll_overlap_output_t *output, char *why) {
    found_t found = FOUND_GONE;

    for (int i = 0; i < TRIES && FOUND_GONE == found; ++i) {
        output->fd = open(output->path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | flags, 0666);
        output->is_new = output->fd >= 0;
        if (output->is_new) {
            return FOUND_OPEN;
        }
        found = EEXIST == errno ? open_existing(fh, kind, flags, output, why) : refuse(strerror(errno), why);
    }
    return FOUND_GONE == found ? refuse(strerror(ENOENT), why) : found;
}

/* What stands for the letter behind a %; false: nothing does. */
static bool value_of(char letter, char *value, size_t size) {
    switch (letter) {
    case 'p':
        snprintf(value, size, "%ld", (long)getpid());
        return true;
    case 'h':
        value[size - 1] = '\0';
        return 0 == gethostname(value, size - 1);
    case '%':
        snprintf(value, size, "%%");
        return true;
    default:
        return false;
    }
}

/* %p becomes the process id, %h the name of the host, %% a %. False where `size` is too small for that. */
static bool expand_pattern(const char *pattern, char *path, size_t size) {
    size_t used = 0;

    for (const char *at = pattern; '\0' != *at; ++at) {
        char value[256] = {*at, '\0'};
        if ('%' == *at && value_of(at[1], value, sizeof(value))) {
            ++at;
        }
        if (strlen(value) >= size - used) {
            return false;
        }
        used += (size_t)snprintf(path + used, size - used, "%s", value);
    }
    path[used] = '\0';
    return 0 < used;
}

bool mca_fcoll_overlap_output_open(const ompio_file_t *fh, mca_fcoll_overlap_output_kind_t *kind, const char *pattern,
                                   int flags, mca_fcoll_overlap_output_t *output, char *why) {
    char name[OPAL_PATH_MAX - 16]; /* with room for a number behind it */
    found_t found = FOUND_OTHERS;

    if (!expand_pattern(pattern, name, sizeof(name))) {
        refuse(strerror(ENAMETOOLONG), why);
        return false;
    }
    /* MPI_MODE_DELETE_ON_CLOSE: the file is gone when its report is made. */
    if (0 == strcmp(name, fh->f_filename)) {
        refuse(OPENED_FILE, why);
        return false;
    }
    snprintf(output->path, sizeof(output->path), "%s", name);
    for (int i = 1; FOUND_OTHERS == (found = open_one(fh, kind, flags, output, why)) && i < NAMES; ++i) {
        snprintf(output->path, sizeof(output->path), "%s.%d", name, i);
    }
    if (FOUND_OTHERS == found) {
        refuse("there are files of this name that the component did not write, also with .1 to .9 behind it", why);
    }
    if (FOUND_OPEN == found && 0 != strcmp(name, output->path) &&
        !__atomic_exchange_n(&kind->warned, true, __ATOMIC_RELAXED)) {
        MCA_FCOLL_OVERLAP_HELP("another-file", kind->parameter, name, output->path);
    }
    return FOUND_OPEN == found;
}

int mca_fcoll_overlap_output_close(mca_fcoll_overlap_output_t *output, bool empty) {
    if (empty) {
        unlink(output->path);
    }
    return 0 == close(output->fd) ? 0 : errno;
}
