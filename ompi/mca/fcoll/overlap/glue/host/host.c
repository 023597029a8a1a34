/*
 * SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The overlap project
 *
 * The host port: messages to the user, and what the user's settings refer to: texts that describe a network, the rules
 * of a site, and placement plugins.
 */
#include "host.h"

#include "opal/util/output.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>

/* To open a FIFO would wait for a writer. */
static int host_read_text(void *self, const char *path, char **text, size_t *length) {
    struct stat status;
    FILE *file = NULL;
    int error = 0 != stat(path, &status)             ? errno
                : S_ISDIR(status.st_mode)            ? EISDIR
                : !S_ISREG(status.st_mode)           ? EINVAL
                : NULL == (file = fopen(path, "re")) ? errno
                                                     : 0;

    *length = 0;
    *text = 0 == error ? malloc((size_t)status.st_size + 1) : NULL;
    if (NULL == file) {
        return error;
    }
    if (NULL == *text) {
        error = ENOMEM;
    } else {
        *length = fread(*text, 1, (size_t)status.st_size, file);
        error = ferror(file) ? EIO : 0;
    }
    fclose(file);
    if (0 != error) {
        free(*text);
        *text = NULL;
    }
    return error;
}

static const overlap_plugin *host_open_plugin(void *self, const char *path, void **handle, char *why, size_t why_size) {
    const overlap_plugin *plugin = NULL;
    const char *reason = NULL;
    struct stat status;

    *handle = NULL;
    if (0 == stat(path, &status) && !S_ISREG(status.st_mode)) { /* dlopen of a FIFO waits for a writer */
        reason = "it is no regular file";
    } else if (NULL == (*handle = dlopen(path, RTLD_NOW | RTLD_LOCAL))) {
        reason = dlerror();
    } else if (NULL == (plugin = dlsym(*handle, "overlap_placement_plugin"))) {
        reason = "it does not define overlap_placement_plugin (overlap_placement.h)";
        dlclose(*handle);
        *handle = NULL;
    }
    if (NULL == plugin) {
        snprintf(why, why_size, "%s", NULL == reason ? "it cannot be loaded" : reason);
    }
    return plugin;
}

static void host_close_plugin(void *self, void *handle) { dlclose(handle); }

static int host_explains(void *self) { return mca_fcoll_overlap_is_verbose(); }

static void host_explain(void *self, const char *line) {
    const mca_fcoll_overlap_module_t *module = self;
    const char *wrong = module->wrong_hints;

    opal_output_verbose(1, ompi_fcoll_base_framework.framework_output, "fcoll:overlap: %s: %s%s%s", module->fh->f_filename,
                        line, '\0' == wrong[0] ? "" : "; hints that are ignored: ", wrong);
}

static double host_seconds(void *self) { return mca_fcoll_overlap_seconds(); }

static void host_warn(void *self, overlap_warning warning, const char *why) {
    static const char *const topics[] = {
        [OVERLAP_WARNING_NO_WINDOWS] = "no-windows",
        [OVERLAP_WARNING_NOT_POSIX] = "not-posix",
        [OVERLAP_WARNING_WRITER_NOT_BUILT] = "writer-not-built",
        [OVERLAP_WARNING_NO_DIRECT] = "no-direct",
        [OVERLAP_WARNING_KERNEL_REFUSES] = "kernel-refuses",
        [OVERLAP_WARNING_TOPOLOGY] = "bad-topology",
        [OVERLAP_WARNING_STORAGE_NODES] = "unknown-storage-nodes",
        [OVERLAP_WARNING_CONFIG_LIST] = "bad-config-list",
        [OVERLAP_WARNING_LIMITS] = "no-aggregator",
        [OVERLAP_WARNING_PLUGIN] = "plugin-failed",
        [OVERLAP_WARNING_NO_SIEVE] = "no-sieve",
        [OVERLAP_WARNING_RULES] = "bad-rules",
        [OVERLAP_WARNING_TRACE] = "no-trace",
        [OVERLAP_WARNING_DECLARED] = "declared-otherwise",
        [OVERLAP_WARNING_SMALL_SUB_BUFFER] = "small-sub-buffer",
    };
    const ompio_file_t *fh = ((mca_fcoll_overlap_module_t *)self)->fh;
    MCA_FCOLL_OVERLAP_HELP(topics[warning], fh->f_filename, NULL == why ? "" : why);
}

void mca_fcoll_overlap_host_open(mca_fcoll_overlap_module_t *module, overlap_host *host) {
    *host = (overlap_host){
        .self = module,
        .explains = host_explains,
        .explain = host_explain,
        .seconds = host_seconds,
        .counters = module->counters,
        .device_copy = mca_fcoll_overlap_device_copy,
        .expects = mca_fcoll_overlap_expects,
        .warn = host_warn,
        .read_text = host_read_text,
        .open_plugin = host_open_plugin,
        .close_plugin = host_close_plugin,
    };
    mca_fcoll_overlap_trace_functions(module, host);
}
