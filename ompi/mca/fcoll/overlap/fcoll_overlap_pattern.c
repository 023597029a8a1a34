/*
 * SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The overlap project
 *
 * Paths that a user gives once for all processes of a job.
 */
#include "fcoll_overlap.h"

#include <stdio.h>
#include <unistd.h>

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

bool mca_fcoll_overlap_expand_pattern(const char *pattern, char *path, size_t size) {
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
