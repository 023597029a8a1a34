/*
 * What is said of a file when it is closed: the engine's text, and where the user wants it.
 */
#include "fcoll_overlap.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

/* `*left_of_it`: bytes of the text that were not written. */
static int write_all(int fd, const char *text, size_t *left_of_it) {
    size_t left = strlen(text);

    while (left > 0) {
        const ssize_t written = write(fd, text, left);
        if (written < 0 && EINTR != errno) {
            *left_of_it = left;
            return errno;
        }
        text += written > 0 ? written : 0;
        left -= written > 0 ? (size_t)written : 0;
    }
    *left_of_it = 0;
    return 0;
}

/* What a disk had room for is no report, and the next one would stand in its line. Behind what somebody else has added since
 * it stays. */
static void cut(int fd, size_t length) {
    const off_t end = lseek(fd, 0, SEEK_CUR);
    struct stat status;

    if (length > 0 && end >= (off_t)length && 0 == fstat(fd, &status) && S_ISREG(status.st_mode) && status.st_size == end &&
        0 != ftruncate(fd, end - (off_t)length)) {
        return; /* then it stays */
    }
}

/* One write: reports of several files and processes do not mix. A pipe without a reader would keep an open without
 * O_NONBLOCK waiting, and all ranks with it. Returns 0 or an errno. */
static int append(const char *path, const char *text) {
    const int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, 0666);
    size_t left;
    int error;

    if (fd < 0) {
        return errno;
    }
    error = write_all(fd, text, &left);
    if (0 != error) {
        cut(fd, strlen(text) - left);
    }
    if (0 != close(fd) && 0 == error) {
        error = errno;
    }
    return error;
}

static void show(const mca_fcoll_overlap_module_t *module, const char *text) {
    const char *pattern = module->settings.report_file;
    char path[OPAL_PATH_MAX] = "";
    size_t left;
    int error;

    if ('\0' == pattern[0]) {
        write_all(STDERR_FILENO, text, &left);
        return;
    }
    error = mca_fcoll_overlap_expand_pattern(pattern, path, sizeof(path)) ? append(path, text) : ENAMETOOLONG;
    if (0 != error) {
        MCA_FCOLL_OVERLAP_HELP("no-report", module->fh->f_filename, pattern, strerror(error));
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
