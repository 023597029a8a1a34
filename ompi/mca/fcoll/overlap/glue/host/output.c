/*
 * SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The overlap project
 *
 * Files that MCA parameters name for output: reports and timelines. Nothing that this component did not write is changed: a
 * symbolic link is not followed, and a file that exists is written only where it begins as the component's own do.
 *
 * What is added goes in one pwrite, together with the end of such a file, which it overwrites. A process that is killed
 * leaves what was there before, or all of it; only where the kill meets the pwrite itself the kernel may have stopped within
 * it. Several processes of a job add to one file, so it is locked meanwhile.
 */
#include "host.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

/* NAME, NAME.1, ... NAME.9. A file that another process has just made is empty for a moment. */
enum { NAMES = 10, TRIES = 50, LOCK_TRIES = 1000, PAUSE = 1000000 /* ns */, BEGINNING_SIZE = 80 };

/* The component replaces and adds to those files only that have one of the beginnings of their kind. */
typedef struct output_kind_t {
    const char *parameter;     /* that names the file */
    const char *beginnings[3]; /* ended by NULL */
    const char *end;           /* of each such file; "": none */
    bool warned;               /* this process has said that it writes to a file of another name */
} output_kind_t;

enum { HEADER_SIZE = 640 };

static const char opened_file[] = "it is the file that was opened with MPI_File_open";
static const char not_ours[] = "there are files of this name that the component did not write, also with .1 to .9 behind it";

/* Whether it is the file that is written, under any of its names. */
static bool is_the_file_of(const ompio_file_t *fh, const struct stat *status) {
    struct stat file;

    return 0 == stat(fh->f_filename, &file) && file.st_dev == status->st_dev && file.st_ino == status->st_ino;
}

static bool is_of_kind(const output_kind_t *kind, int fd) {
    char text[BEGINNING_SIZE + 1] = "";
    bool is = false;

    for (int i = 0; i < TRIES && 0 == pread(fd, text, BEGINNING_SIZE, 0); ++i) {
        mca_fcoll_overlap_pause(PAUSE);
    }
    for (int i = 0; NULL != kind->beginnings[i]; ++i) {
        is = is || 0 == strncmp(text, kind->beginnings[i], strlen(kind->beginnings[i]));
    }
    return is;
}

/* Why a file that exists is not written, as far as its status tells; or NULL. */
static const char *reason_against(const ompio_file_t *fh, const struct stat *status) {
    if (S_ISLNK(status->st_mode)) {
        return not_ours;
    }
    if (!S_ISREG(status->st_mode)) {
        return S_ISDIR(status->st_mode) ? "it is a folder" : "it is a FIFO, a device or a socket";
    }
    return is_the_file_of(fh, status) ? opened_file : NULL;
}

/* Of one name. A new file is made. A FIFO or a device is not opened: that could block, or do something. Something else may
 * have the name when a file is opened that exists. Returns why no file is open, or NULL. */
static const char *open_one(const ompio_file_t *fh, const output_kind_t *kind, const char *path, int *fd) {
    /* Where there are no locks, reports of several processes still do not overwrite each other. */
    const int appends = '\0' == kind->end[0] ? O_APPEND : 0;
    const int modes = O_RDWR | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | appends;
    struct stat status;
    const char *why;

    *fd = open(path, modes | O_CREAT | O_EXCL, 0666);
    if (*fd >= 0 || EEXIST != errno || 0 != lstat(path, &status)) {
        return *fd >= 0 ? NULL : strerror(errno);
    }
    why = reason_against(fh, &status);
    *fd = NULL == why ? open(path, modes) : -1;
    if (*fd >= 0 && 0 == fstat(*fd, &status) && NULL == reason_against(fh, &status) && is_of_kind(kind, *fd)) {
        return NULL;
    }
    if (*fd >= 0) {
        close(*fd);
    }
    return NULL == why ? not_ours : why;
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

/* The file that `pattern` names; where there is a file of another kind, the first of the other names. */
static const char *open_output(const ompio_file_t *fh, output_kind_t *kind, const char *pattern, char path[OPAL_PATH_MAX],
                               int *fd) {
    char name[OPAL_PATH_MAX - 16]; /* with room for a number behind it */
    const char *why;

    if (!expand_pattern(pattern, name, sizeof(name))) {
        return strerror(ENAMETOOLONG);
    }
    /* MPI_MODE_DELETE_ON_CLOSE: the file is gone when its report is made. */
    if (0 == strcmp(name, fh->f_filename)) {
        return opened_file;
    }
    snprintf(path, OPAL_PATH_MAX, "%s", name);
    for (int i = 1; not_ours == (why = open_one(fh, kind, path, fd)) && i < NAMES; ++i) {
        snprintf(path, OPAL_PATH_MAX, "%s.%d", name, i);
    }
    if (NULL == why && 0 != strcmp(name, path) && !__atomic_exchange_n(&kind->warned, true, __ATOMIC_RELAXED)) {
        MCA_FCOLL_OVERLAP_HELP("another-file", kind->parameter, name, path);
    }
    return why;
}

/* Waits for others who write to it, for a second at most: a process that is stopped must not hold up the job. On a file
 * system without locks there is nobody to wait for that could be known. Returns 0 or an errno. */
static int lock_output(int fd) {
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};

    for (int i = 0; i < LOCK_TRIES; ++i) {
        if (0 == fcntl(fd, F_OFD_SETLK, &whole) || (EAGAIN != errno && EACCES != errno && EINTR != errno)) {
            return 0;
        }
        mca_fcoll_overlap_pause(PAUSE);
    }
    return EAGAIN;
}

static bool holds_at(int fd, const char *text, size_t length, off_t offset) {
    char held[HEADER_SIZE];

    return length <= sizeof(held) && (ssize_t)length == pread(fd, held, length, offset) && 0 == memcmp(held, text, length);
}

/* Returns 0 or an errno, that of a full file system where not all was written. */
static int write_at(int fd, const char *text, size_t length, off_t offset) {
    size_t done = 0;

    while (done < length) {
        const ssize_t wrote = pwrite(fd, text + done, length - done, offset + (off_t)done);
        if (wrote < 0 && EINTR != errno) {
            return errno;
        }
        if (0 == wrote) {
            return ENOSPC;
        }
        done += wrote > 0 ? (size_t)wrote : 0;
    }
    return 0;
}

/* What is written: the header, what is added, and the end. */
typedef struct text_t {
    char *all;
    size_t length, header, end;
} text_t;

/* A full disk must not cost what was there. Sets `*empty` where nothing is in the file then. Returns 0 or an errno. */
static int append_to_file(int fd, const text_t *text, bool *empty) {
    const char *const end = text->all + text->length - text->end;
    struct stat status;
    size_t there = 0, kept = 0; /* of the header, and of the end */
    off_t at = 0;
    int error = lock_output(fd);

    if (0 == error && 0 != fstat(fd, &status)) {
        error = errno;
    }
    if (0 != error) {
        return error;
    }
    if (status.st_size >= (off_t)(text->header + text->end) && holds_at(fd, text->all, text->header, 0) &&
        holds_at(fd, end, text->end, status.st_size - (off_t)text->end)) {
        at = status.st_size - (off_t)text->end;
        there = text->header;
        kept = text->end;
    } else if (0 != ftruncate(fd, 0)) {
        return errno;
    }
    error = write_at(fd, text->all + there, text->length - there, at);
    if (0 != error) {
        write_at(fd, end, kept, at);
        *empty = 0 == ftruncate(fd, at + (off_t)kept) && 0 == at + (off_t)kept;
    }
    return error;
}

/* Adds `added`. A new file, and one that does not begin with this header or has not its end, begins with it. Returns NULL,
 * or why the file holds none of it. */
static const char *append_output(const ompio_file_t *fh, output_kind_t *kind, const char *pattern, const char *header,
                                 const char *added, size_t length) {
    text_t text = {.header = strlen(header), .end = strlen(kind->end)};
    char path[OPAL_PATH_MAX];
    const char *why = NULL;
    bool empty = false;
    int fd = -1, error;

    text.length = text.header + length + text.end;
    text.all = malloc(text.length + 1);
    if (NULL == text.all) {
        return strerror(ENOMEM);
    }
    memcpy(text.all, header, text.header);
    memcpy(text.all + text.header, added, length);
    memcpy(text.all + text.header + length, kind->end, text.end + 1);
    why = open_output(fh, kind, pattern, path, &fd);
    if (NULL == why) {
        error = append_to_file(fd, &text, &empty);
        if (empty) {
            unlink(path);
        }
        if (0 != close(fd) && 0 == error) {
            error = errno;
        }
        why = 0 == error ? NULL : strerror(error);
    }
    free(text.all);
    return why;
}

const char *mca_fcoll_overlap_append_report(const ompio_file_t *fh, const char *pattern, const char *report) {
    static output_kind_t reports = {
        .parameter = "fcoll_overlap_report_file",
        .beginnings = {"fcoll/overlap: ", "{\"overlap_report\":", NULL},
        .end = "",
    };
    return append_output(fh, &reports, pattern, "", report, strlen(report));
}

/* Timelines: one file for a job, which whoever writes to it leaves as valid JSON. A job replaces that of another one. */

#define HEADER_BEGINNING "{\"displayTimeUnit\":\"ms\",\"otherData\":{\"tool\":\"overlap\","
#define CLOCKS                                                                                                              \
    "times are those of CLOCK_MONOTONIC on the node of rank 0 of each file; clocks of other nodes are set back by "         \
    "ahead_ns, and wrong by error_ns at most (events \\\"clock\\\")"
#define HEADER_FORMAT HEADER_BEGINNING "\"job\":\"%08" PRIx32 "\",\"clocks\":\"" CLOCKS "\"},\"traceEvents\":[\n"

static output_kind_t timelines = {
    .parameter = "fcoll_overlap_trace",
    .beginnings = {HEADER_BEGINNING, NULL},
    .end = "{\"ph\":\"M\",\"name\":\"end\",\"pid\":0,\"tid\":0,\"args\":{}}\n]}\n",
};

static int64_t files_named = 0;

static const char *append_trace(void *self, const char *pattern, const char *events, size_t length) {
    const mca_fcoll_overlap_module_t *module = self;
    char header[HEADER_SIZE];

    snprintf(header, sizeof(header), HEADER_FORMAT, (uint32_t)OPAL_PROC_MY_NAME.jobid);
    return append_output(module->fh, &timelines, pattern, header, events, length);
}

void mca_fcoll_overlap_trace_functions(mca_fcoll_overlap_module_t *module, overlap_host *host) {
    host->trace_names = (overlap_trace_names){
        .process = (int)OPAL_PROC_MY_NAME.vpid,
        .handle = module->trace_handle,
        .number = __atomic_fetch_add(&files_named, 1, __ATOMIC_RELAXED),
        .file = module->fh->f_filename,
    };
    host->append_trace = append_trace;
}
