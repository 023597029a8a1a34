/*
 * SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The overlap project
 *
 * Where opal_show_help finds help-fcoll-overlap.txt, and the lock of those who show a message of it.
 */
#include "base.h"

#include <stdio.h>

pthread_mutex_t mca_fcoll_overlap_help_lock = PTHREAD_MUTEX_INITIALIZER;

#if defined(OVERLAP_OUTSIDE_OF_TREE) && !defined(MCA_FCOLL_OVERLAP_OWN_HELP)

#    include "help_dir.h"

/* The component is installed under a prefix of its own, or copied into the folder where every Open MPI of a user looks for
 * components. */
void mca_fcoll_overlap_find_help(void) {
    const char *home = getenv("HOME");
    char directory[OPAL_PATH_MAX];

    opal_show_help_add_dir(OVERLAP_HELP_DIR);
    if (NULL != home && (size_t)snprintf(directory, sizeof(directory), "%s/.openmpi/components", home) < sizeof(directory)) {
        opal_show_help_add_dir(directory);
    }
}

#else

void mca_fcoll_overlap_find_help(void) {}

#endif
