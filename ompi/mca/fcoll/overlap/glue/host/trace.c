/*
 * SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The overlap project
 *
 * The host port's part for timelines: one file for a job, which whoever writes to it leaves as valid JSON.
 *
 * It is a header, events, and an end that the next events overwrite, in one pwrite together with a new end. A process that
 * is killed leaves what was there before, or all of it; only where the kill meets the pwrite itself the kernel may have
 * stopped within it. Several processes of a job write to the file where its communicators have several first ranks, so it is
 * locked meanwhile. A job replaces the timeline of another one.
 */
#include "host.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define HEADER_BEGINNING "{\"displayTimeUnit\":\"ms\",\"otherData\":{\"tool\":\"overlap\","
#define HEADER_FORMAT                                                                                                       \
    HEADER_BEGINNING "\"job\":\"%08" PRIx32 "\","                                                                           \
                     "\"clocks\":\"times are those of CLOCK_MONOTONIC on the node of rank 0 of each file; clocks of other " \
                     "nodes are set "                                                                                       \
                     "back "                                                                                                \
                     "by ahead_ns, half of the shortest of 8 round trips to their first rank at each collection, and "      \
                     "wrong by error_ns at "                                                                                \
                     "most (events \\\"clock\\\")\"},\"traceEvents\":[\n"
#define END "{\"ph\":\"M\",\"name\":\"end\",\"pid\":0,\"tid\":0,\"args\":{}}\n]}\n"

enum { HEADER_SIZE = 640, END_LENGTH = sizeof(END) - 1, LOCK_TRIES = 1000, HANDLES = 64 };

static mca_fcoll_overlap_output_kind_t timelines = {"fcoll_overlap_trace", {HEADER_BEGINNING, NULL}, false};

/* Small numbers for open files, so that what is opened after another has been closed shows where that was. */
static uint64_t handles_taken = 0;
static int64_t files_named = 0;
static pthread_mutex_t handles_lock = PTHREAD_MUTEX_INITIALIZER;

static int take_handle(void) {
    int handle = 0;

    pthread_mutex_lock(&handles_lock);
    while (handle < HANDLES - 1 && 0 != (handles_taken & (UINT64_C(1) << handle))) {
        ++handle;
    }
    handles_taken |= UINT64_C(1) << handle;
    pthread_mutex_unlock(&handles_lock);
    return handle;
}

void mca_fcoll_overlap_trace_forget(mca_fcoll_overlap_module_t *module) {
    if (module->trace_named) {
        pthread_mutex_lock(&handles_lock);
        handles_taken &= ~(UINT64_C(1) << module->trace_handle);
        pthread_mutex_unlock(&handles_lock);
        module->trace_named = false;
    }
}

static void trace_names(void *self, overlap_trace_names *names) {
    mca_fcoll_overlap_module_t *module = self;

    if (!module->trace_named) {
        module->trace_handle = take_handle();
        module->trace_named = true;
    }
    pthread_mutex_lock(&handles_lock);
    names->number = files_named++;
    pthread_mutex_unlock(&handles_lock);
    names->process = (int)OPAL_PROC_MY_NAME.vpid;
    names->handle = module->trace_handle;
    names->file = module->fh->f_filename;
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

/* Waits for others who write to it, for a second at most: a process that is stopped must not hold up the job. On a file
 * system without locks there is nobody to wait for that could be known. Returns 0 or an errno. */
static int lock(int fd) {
    const struct timespec pause = {0, 1000000};
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
#ifdef F_OFD_SETLK
    const int command = F_OFD_SETLK;
#else
    const int command = F_SETLK;
#endif
    for (int i = 0; i < LOCK_TRIES; ++i) {
        if (0 == fcntl(fd, command, &whole) || (EAGAIN != errno && EACCES != errno && EINTR != errno)) {
            return 0;
        }
        nanosleep(&pause, NULL);
    }
    return EAGAIN;
}

static bool holds_at(int fd, const char *text, size_t length, off_t offset) {
    char held[HEADER_SIZE];
    return length <= sizeof(held) && (ssize_t)length == pread(fd, held, length, offset) && 0 == memcmp(held, text, length);
}

/* `text` is the header, of so many bytes, and what follows it in a new file. Sets `*empty` where nothing is in the file. A
 * full disk must not cost what was there. */
static int append_events(int fd, const char *text, size_t header_length, size_t length, bool *empty) {
    struct stat status;
    off_t end = 0;
    size_t there = 0, kept = 0; /* of the text; behind `end`, where the rest of it cannot be written */
    int error = lock(fd);

    if (0 == error && 0 != fstat(fd, &status)) {
        error = errno;
    }
    if (0 != error) {
        return error;
    }
    if (status.st_size >= (off_t)(header_length + END_LENGTH) && holds_at(fd, text, header_length, 0) &&
        holds_at(fd, END, END_LENGTH, status.st_size - END_LENGTH)) {
        end = status.st_size - END_LENGTH;
        there = header_length;
        kept = END_LENGTH;
    } else if (0 != ftruncate(fd, 0)) {
        return errno;
    }
    error = write_at(fd, text + there, length - there, end);
    if (0 != error) {
        write_at(fd, END, kept, end);
        *empty = 0 == ftruncate(fd, end + (off_t)kept) && 0 == kept;
    }
    return error;
}

static int append_trace(void *self, const char *pattern, const char *events, size_t length, char *why, size_t why_size) {
    const mca_fcoll_overlap_module_t *module = self;
    char reason[MCA_FCOLL_OVERLAP_REASON_SIZE] = "";
    mca_fcoll_overlap_output_t output;
    char *text = malloc(HEADER_SIZE + length + END_LENGTH);
    int error = ENOMEM, header_length, of_close;
    bool empty = false;

    if (NULL != text && !mca_fcoll_overlap_output_open(module->fh, &timelines, pattern, 0, &output, reason)) {
        error = EIO;
    } else if (NULL != text) {
        header_length = snprintf(text, HEADER_SIZE, HEADER_FORMAT, (uint32_t)OPAL_PROC_MY_NAME.jobid);
        memcpy(text + header_length, events, length);
        memcpy(text + header_length + length, END, END_LENGTH);
        error = append_events(output.fd, text, (size_t)header_length, (size_t)header_length + length + END_LENGTH, &empty);
        of_close = mca_fcoll_overlap_output_close(&output, empty);
        error = 0 != error ? error : of_close;
    }
    if (0 != error) {
        snprintf(why, why_size, "%s", '\0' != reason[0] ? reason : strerror(error));
    }
    free(text);
    return error;
}

void mca_fcoll_overlap_trace_functions(overlap_host *host) {
    host->trace_names = trace_names;
    host->append_trace = append_trace;
}
