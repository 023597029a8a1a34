/*
 * SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The overlap project
 *
 * Messages to the user who turned on verbose output about writes that threads do: opal_output is for one thread at a time,
 * so it is kept until the thread of the MPI calls comes by.
 */
#include "base.h"

#include "opal/util/output.h"

#include <stdarg.h>
#include <stdio.h>

void mca_fcoll_overlap_note(mca_fcoll_overlap_module_t *module, const char *format, ...) {
    mca_fcoll_overlap_notes_t *notes = &module->notes;
    va_list arguments;

    va_start(arguments, format);
    pthread_mutex_lock(&notes->lock);
    if (notes->count < MCA_FCOLL_OVERLAP_NOTES) {
        vsnprintf(notes->texts[notes->count], sizeof(notes->texts[0]), format, arguments);
        ++notes->count;
    } else {
        ++notes->more;
    }
    pthread_mutex_unlock(&notes->lock);
    va_end(arguments);
}

void mca_fcoll_overlap_say_notes(mca_fcoll_overlap_module_t *module) {
    mca_fcoll_overlap_notes_t *notes = &module->notes;

    pthread_mutex_lock(&notes->lock);
    for (int i = 0; i < notes->count; ++i) {
        opal_output_verbose(1, ompi_fcoll_base_framework.framework_output, "fcoll:overlap: rank %d: %s", module->fh->f_rank,
                            notes->texts[i]);
    }
    if (notes->more > 0) {
        opal_output_verbose(1, ompi_fcoll_base_framework.framework_output, "fcoll:overlap: rank %d: and %d more of the kind",
                            module->fh->f_rank, notes->more);
    }
    notes->count = notes->more = 0;
    pthread_mutex_unlock(&notes->lock);
}
