/*
 * SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The overlap project
 *
 * Declared writes (overlap_declare.h) of a file: the layouts that the engine gets, and the bytes that this process holds.
 */
#include "file.h"

#include "ompi/errhandler/errcode.h"
#include "ompi/runtime/mpiruntime.h"

#include <stdio.h>
#include <unistd.h>

int mca_fcoll_overlap_declared_write_own(mca_fcoll_overlap_module_t *module) {
    int error = OVERLAP_SUCCESS;

    if (NULL != module && module->functions_replaced && NULL != module->engine) {
        module->caller = pthread_self();
        error = overlap_file_write_own(module->engine);
        mca_fcoll_overlap_say_notes(module);
    }
    return error;
}

/* MPI returns it from no call. opal_show_help loses texts of 4.1 when a job ends right after them. */
void mca_fcoll_overlap_say_declared_lost(const mca_fcoll_overlap_module_t *module, int error) {
    dprintf(STDERR_FILENO, "fcoll/overlap: %s: bytes of declared writes (overlap_declare.h) are not in the file: %s\n",
            module->fh->f_filename, ompi_mpi_errnum_get_string(mca_fcoll_overlap_class_of_error(error)));
}

void mca_fcoll_overlap_declared_end(mca_fcoll_overlap_module_t *module) {
    const int error = mca_fcoll_overlap_declared_write_own(module);

    if (OVERLAP_SUCCESS != error) {
        mca_fcoll_overlap_say_declared_lost(module, error);
    }
    mca_fcoll_overlap_give_functions_back(module);
}

int mca_fcoll_overlap_declared_flush(mca_fcoll_overlap_module_t *module) {
    int error = OVERLAP_SUCCESS;

    if (NULL != module->engine) {
        mca_fcoll_overlap_operations_wait(module);
        module->caller = pthread_self();
        error = overlap_file_flush(module->engine);
        mca_fcoll_overlap_say_notes(module);
    }
    return error;
}

/* This process has opened the file by another handle (`open`), or has closed the last of them. */
static void other_handle(mca_fcoll_overlap_module_t *module, bool open) {
    module->other_handle = open;
    if (NULL != module->engine) {
        overlap_file_hold(module->engine, !open);
        if (open) {
            mca_fcoll_overlap_declared_write_own(module);
        }
    }
}

/* Whether what the module knows of other handles is still so. Needs the list of modules. */
static bool is_up_to_date(const mca_fcoll_overlap_module_t *module, const mca_fcoll_overlap_module_t *first) {
    bool open = false;

    for (; NULL != first && !open; first = first->next) {
        open = mca_fcoll_overlap_is_another_handle(first, module);
    }
    return open == module->other_handle;
}

/* A file with declared writes has one thread that calls MPI, so a module that was found stays there. */
void mca_fcoll_overlap_update_other_handles(void) {
    mca_fcoll_overlap_module_t *module;

    do {
        const mca_fcoll_overlap_module_t *const first = module = mca_fcoll_overlap_modules_begin();
        while (NULL != module && (!module->functions_replaced || is_up_to_date(module, first))) {
            module = module->next;
        }
        mca_fcoll_overlap_modules_end();
        if (NULL != module) {
            other_handle(module, !module->other_handle);
        }
    } while (NULL != module);
}

void mca_fcoll_overlap_declare(mca_fcoll_overlap_module_t *module) {
    const char *const layouts = NULL == module->declaration ? "" : module->declaration;
    int error = NULL == module->declaration ? OVERLAP_ERR_NO_MEM : OVERLAP_SUCCESS;

    if (ompi_mpi_thread_multiple && '\0' != layouts[0]) {
        error = OVERLAP_ERR_ACCESS;
    }
    overlap_file_declare(module->engine, layouts, error);
    free(module->declaration);
    module->declaration = NULL;
    mca_fcoll_overlap_declared_look(module);
    mca_fcoll_overlap_update_other_handles();
}

void mca_fcoll_overlap_declared_look(mca_fcoll_overlap_module_t *module) {
    if (NULL == module->engine || 0 == overlap_file_declares(module->engine)) {
        mca_fcoll_overlap_give_functions_back(module);
    } else {
        mca_fcoll_overlap_replace_functions(module);
    }
}
