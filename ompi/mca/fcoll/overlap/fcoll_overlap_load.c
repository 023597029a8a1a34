/*
 * What the engine has read or loaded from outside the file: texts that describe a network, and placement plugins.
 */
#include "fcoll_overlap.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

/* A description of the largest machines takes some MiB. */
#define LARGEST_TEXT ((off_t)1 << 30)

/* Reads `length` bytes, or what there is of them. Returns 0 or an errno. */
static int read_all(int fd, char *text, size_t *length) {
    size_t done = 0;

    while (done < *length) {
        const ssize_t got = read(fd, text + done, *length - done);
        if (0 == got) {
            break;
        }
        if (got < 0 && EINTR != errno) {
            return errno;
        }
        done += got > 0 ? (size_t)got : 0;
    }
    *length = done;
    return 0;
}

static int read_descriptor(int fd, char **text, size_t *length) {
    struct stat status;
    int error;

    if (0 != fstat(fd, &status)) {
        return errno;
    }
    if (!S_ISREG(status.st_mode)) {
        return S_ISDIR(status.st_mode) ? EISDIR : EINVAL;
    }
    if (status.st_size > LARGEST_TEXT) {
        return EFBIG;
    }
    *length = (size_t)status.st_size;
    *text = malloc(*length + 1);
    if (NULL == *text) {
        return ENOMEM;
    }
    error = read_all(fd, *text, length);
    if (0 != error) {
        free(*text);
        *text = NULL;
    }
    return error;
}

static int storage_read_text(void *self, const char *path, char **text, size_t *length) {
    /* A pipe without a writer would keep an open without O_NONBLOCK waiting. */
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    int error;

    (void)self;
    *text = NULL;
    *length = 0;
    if (fd < 0) {
        return errno;
    }
    error = read_descriptor(fd, text, length);
    close(fd);
    return error;
}

static const overlap_plugin *storage_open_plugin(void *self, const char *path, void **handle, char *why, size_t why_size) {
    const overlap_plugin *plugin;
    const char *reason;

    (void)self;
    *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (NULL == *handle) {
        reason = dlerror();
        snprintf(why, why_size, "%s", NULL == reason ? "it cannot be loaded" : reason);
        return NULL;
    }
    plugin = dlsym(*handle, "overlap_placement_plugin");
    if (NULL == plugin) {
        snprintf(why, why_size, "it does not define overlap_placement_plugin (overlap_placement.h)");
        dlclose(*handle);
        *handle = NULL;
    }
    return plugin;
}

static void storage_close_plugin(void *self, void *handle) {
    (void)self;
    dlclose(handle);
}

void mca_fcoll_overlap_load_functions(overlap_storage *storage) {
    storage->read_text = storage_read_text;
    storage->open_plugin = storage_open_plugin;
    storage->close_plugin = storage_close_plugin;
}
