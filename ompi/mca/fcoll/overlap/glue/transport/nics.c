/*
 * SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The overlap project
 *
 * The NICs of this node, as Linux has them in sysfs. hwloc's OS devices tell neither speed nor link of an Ethernet port, nor
 * the rate of an InfiniBand one (its manual, "Object attributes"), so that with them a port without a cable would count.
 */
#include "nodes.h"

#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A kind of ports: the files with the rate of each, how the first lines of files beside that begin where a port counts, and
 * the way from there to the device. */
typedef struct ports_t {
    const char *rates;
    struct {
        const char *name, *beginning;
    } files[2];
    const char *bus, *physical_function; /* one that lends this device to a virtual machine */
} ports_t;

/* The faster kind first. State 4 is active, type 1 Ethernet. */
static const ports_t kinds[] = {
    {"infiniband/*/ports/*/rate",
     {{"state", "4:"}, {"link_layer", "InfiniBand\n"}},
     "../../device/subsystem",
     "../../device/physfn"},
    {"net/*/speed", {{"type", "1\n"}, {"operstate", "up\n"}}, "device/subsystem", "device/physfn"},
};

/* The path of a file beside `rate`. */
static const char *beside(const char *rate, const char *name, char path[PATH_MAX]) {
    snprintf(path, PATH_MAX, "%.*s/%s", (int)(strrchr(rate, '/') - rate), rate, name);
    return path;
}

static bool read_line(const char *path, char line[PATH_MAX]) {
    FILE *const file = fopen(path, "re");
    const bool has_one = NULL != file && NULL != fgets(line, PATH_MAX, file);

    if (NULL != file) {
        fclose(file);
    }
    return has_one;
}

/* Of a port that counts, else 0. A driver may take long to say it. */
static double rate_of(const ports_t *kind, const char *rate) {
    char path[PATH_MAX], text[PATH_MAX];

    for (size_t i = 0; i < sizeof(kind->files) / sizeof(kind->files[0]); ++i) {
        const char *const beginning = kind->files[i].beginning;
        if (!read_line(beside(rate, kind->files[i].name, path), text) || 0 != strncmp(text, beginning, strlen(beginning))) {
            return 0;
        }
    }
    if (NULL == realpath(beside(rate, kind->bus, path), text) || 0 != strcmp(strrchr(text, '/'), "/pci") ||
        0 == access(beside(rate, kind->physical_function, path), F_OK) || !read_line(rate, text)) {
        return 0;
    }
    return strtod(text, NULL);
}

int mca_fcoll_overlap_count_nics(const char *classes) {
    double highest = 0;
    int count = 0;

    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]) && 0 == count; ++i) {
        char pattern[PATH_MAX];
        glob_t found = {0};
        snprintf(pattern, sizeof(pattern), "%s/%s", classes, kinds[i].rates);
        if (0 == glob(pattern, GLOB_NOSORT, NULL, &found)) {
            for (size_t port = 0; port < found.gl_pathc; ++port) {
                const double rate = rate_of(&kinds[i], found.gl_pathv[port]);
                count = rate > highest ? 1 : count + (rate > 0 && rate == highest);
                highest = rate > highest ? rate : highest;
            }
        }
        globfree(&found);
    }
    return count;
}
