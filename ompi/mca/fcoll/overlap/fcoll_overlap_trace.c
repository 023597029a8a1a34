/*
 * The host port's part for timelines: one file for a job, which whoever writes to it leaves as valid JSON.
 *
 * It is a header, events, and an end that the next events overwrite, in one pwrite together with a new end. A process that
 * is killed leaves what was there before, or all of it; only where the kill meets the pwrite itself the kernel may have
 * stopped within it. Several processes of a job write to the file where its communicators have several first ranks, so it is
 * locked meanwhile. A job replaces what it finds of another one.
 */
#include "fcoll_overlap.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#define HEADER_FORMAT                                                                                                       \
    "{\"displayTimeUnit\":\"ms\",\"otherData\":{\"tool\":\"overlap\",\"job\":\"%08" PRIx32 "\","                            \
    "\"clocks\":\"times are those of CLOCK_MONOTONIC on the node of rank 0 of each file; clocks of other nodes are set "    \
    "back "                                                                                                                 \
    "by ahead_ns, half of the shortest of 8 round trips to their first rank at each collection, and wrong by error_ns at "  \
    "most (events \\\"clock\\\")\"},\"traceEvents\":[\n"
#define END "{\"ph\":\"M\",\"name\":\"end\",\"pid\":0,\"tid\":0,\"args\":{}}\n]}\n"

enum { HEADER_SIZE = 640, END_LENGTH = sizeof(END) - 1, MOST_TRIES = 100, HANDLES = 64 };

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

/* Waits for others who write to it. On a file system without locks there is nobody to wait for that could be known. */
static void lock(int fd) {
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
#ifdef F_OFD_SETLKW
    const int command = F_OFD_SETLKW;
#else
    const int command = F_SETLKW;
#endif
    while (0 != fcntl(fd, command, &whole) && EINTR == errno) {
    }
}

static bool is_at(int fd, const char *path) {
    struct stat open_file, there;
    return 0 == fstat(fd, &open_file) && 0 == stat(path, &there) && open_file.st_dev == there.st_dev &&
           open_file.st_ino == there.st_ino;
}

static bool holds_at(int fd, const char *text, size_t length, off_t offset) {
    char held[HEADER_SIZE];
    return length <= sizeof(held) && (ssize_t)length == pread(fd, held, length, offset) && 0 == memcmp(held, text, length);
}

/* A file system may have no links. Returns 0 or an errno. */
static int put_in_place(const char *name, const char *path, bool replaces) {
    if (!replaces) {
        if (0 == link(name, path)) {
            return 0;
        }
        if (EEXIST == errno) {
            return EEXIST;
        }
    }
    return 0 == rename(name, path) ? 0 : errno;
}

/* Of this process: threads with a file each may begin at the same time, and processes of other nodes may have its number. */
static uint64_t begun = 0;

/* Puts header, events and end in the place of what is at the path, all at once. EEXIST: somebody was faster where nothing
 * was there. */
static int begin(const char *path, bool replaces, const char *header, const char *text, size_t length) {
    char name[OPAL_PATH_MAX];
    const size_t header_length = strlen(header);
    int fd, error;

    if ((size_t)snprintf(name, sizeof(name), "%s.%08" PRIx32 ".%" PRIu32 ".%" PRIu64, path,
                         (uint32_t)OPAL_PROC_MY_NAME.jobid, (uint32_t)OPAL_PROC_MY_NAME.vpid,
                         __atomic_fetch_add(&begun, 1, __ATOMIC_RELAXED)) >= sizeof(name)) {
        return ENAMETOOLONG;
    }
    fd = open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (fd < 0) {
        return errno;
    }
    error = write_at(fd, header, header_length, 0);
    if (0 == error) {
        error = write_at(fd, text, length, (off_t)header_length);
    }
    if (0 != close(fd) && 0 == error) {
        error = errno;
    }
    if (0 == error) {
        error = put_in_place(name, path, replaces);
    }
    unlink(name);
    return error;
}

/* A full disk must not cost what was there. */
static int add(int fd, off_t end, const char *text, size_t length) {
    const int error = write_at(fd, text, length, end);

    if (0 != error) {
        const int restored = write_at(fd, END, END_LENGTH, end);
        return 0 != ftruncate(fd, end + END_LENGTH) && 0 == restored ? errno : error;
    }
    return 0;
}

/* EAGAIN: the file is another one by now. */
static int add_or_replace(int fd, const char *path, const char *header, const char *text, size_t length) {
    struct stat status;
    off_t end;

    lock(fd);
    if (!is_at(fd, path) || 0 != fstat(fd, &status)) {
        return EAGAIN;
    }
    if (!S_ISREG(status.st_mode)) {
        return EINVAL;
    }
    end = status.st_size - END_LENGTH;
    if (end >= (off_t)strlen(header) && holds_at(fd, header, strlen(header), 0) && holds_at(fd, END, END_LENGTH, end)) {
        return add(fd, end, text, length);
    }
    return begin(path, true, header, text, length);
}

/* Once; EEXIST and EAGAIN: again. */
static int append(const char *path, const char *header, const char *text, size_t length) {
    const int fd = open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK);
    int error;

    if (fd < 0) {
        return ENOENT == errno ? begin(path, false, header, text, length) : errno;
    }
    error = add_or_replace(fd, path, header, text, length);
    close(fd);
    return error;
}

static int append_trace(void *self, const char *pattern, const char *events, size_t length) {
    char header[HEADER_SIZE], path[OPAL_PATH_MAX];
    char *text;
    int error = EAGAIN;

    (void)self;
    if (!mca_fcoll_overlap_expand_pattern(pattern, path, sizeof(path))) {
        return ENAMETOOLONG;
    }
    text = malloc(length + END_LENGTH);
    if (NULL == text) {
        return ENOMEM;
    }
    memcpy(text, events, length);
    memcpy(text + length, END, END_LENGTH);
    snprintf(header, sizeof(header), HEADER_FORMAT, (uint32_t)OPAL_PROC_MY_NAME.jobid);
    for (int i = 0; i < MOST_TRIES && (EAGAIN == error || EEXIST == error); ++i) {
        error = append(path, header, text, length + END_LENGTH);
    }
    free(text);
    return error;
}

void mca_fcoll_overlap_trace_functions(overlap_host *host) {
    host->trace_names = trace_names;
    host->append_trace = append_trace;
}
