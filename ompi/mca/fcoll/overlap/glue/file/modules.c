/*
 * SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The overlap project
 *
 * The modules of all open files of this process. OMPIO selects a component anew with every file view, without telling the
 * one that it had, so they are found by their file.
 */
#include "file.h"

static mca_fcoll_overlap_module_t *modules = NULL;
static opal_mutex_t modules_lock = OPAL_MUTEX_STATIC_INIT;

/* The link that points to the module of a file, or the end of the list. Needs the lock. */
static mca_fcoll_overlap_module_t **find(const ompio_file_t *fh) {
    mca_fcoll_overlap_module_t **link = &modules;
    while (NULL != *link && fh != (*link)->fh) {
        link = &(*link)->next;
    }
    return link;
}

/* A file is opened and closed by one thread at a time. */
void mca_fcoll_overlap_modules_add(mca_fcoll_overlap_module_t *module) {
    opal_mutex_lock(&modules_lock);
    module->next = modules;
    modules = module;
    opal_mutex_unlock(&modules_lock);
}

mca_fcoll_overlap_module_t *mca_fcoll_overlap_modules_remove(const ompio_file_t *fh) {
    mca_fcoll_overlap_module_t **link, *module;

    opal_mutex_lock(&modules_lock);
    link = find(fh);
    module = *link;
    if (NULL != module) {
        *link = module->next;
    }
    opal_mutex_unlock(&modules_lock);
    return module;
}

mca_fcoll_overlap_module_t *mca_fcoll_overlap_module_in(const ompio_file_t *fh) {
    mca_fcoll_overlap_module_t *module;

    opal_mutex_lock(&modules_lock);
    module = *find(fh);
    opal_mutex_unlock(&modules_lock);
    return module;
}

mca_fcoll_overlap_module_t *mca_fcoll_overlap_modules_begin(void) {
    opal_mutex_lock(&modules_lock);
    return modules;
}

void mca_fcoll_overlap_modules_end(void) { opal_mutex_unlock(&modules_lock); }

/* What OMPIO opens for shared pointers has a handle of its own, with the same file. */
bool mca_fcoll_overlap_counters_of(const ompi_file_t *file, overlap_counters counters[2]) {
    const mca_fcoll_overlap_module_t *module;

    opal_mutex_lock(&modules_lock);
    module = modules;
    while (NULL != module && (file != module->file || module->for_shared_pointer)) {
        module = module->next;
    }
    if (NULL != module) {
        memcpy(counters, module->counters, sizeof(module->counters));
    }
    opal_mutex_unlock(&modules_lock);
    return NULL != module;
}
