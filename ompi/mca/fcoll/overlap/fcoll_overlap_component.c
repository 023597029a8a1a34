/*
 * SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The overlap project
 *
 * The component: what Open MPI asks for by name.
 */
#include "fcoll_overlap_params.h"
#include "glue/file/file.h"

/* In a source tree of Open MPI all components have its version. */
#ifndef OVERLAP_MAJOR_VERSION
#    define OVERLAP_MAJOR_VERSION OMPI_MAJOR_VERSION
#    define OVERLAP_MINOR_VERSION OMPI_MINOR_VERSION
#    define OVERLAP_RELEASE_VERSION OMPI_RELEASE_VERSION
#endif

static int overlap_register(void) {
#ifdef OVERLAP_OUTSIDE_OF_TREE
    if (!mca_fcoll_overlap_fits_release()) {
        return OMPI_ERR_NOT_AVAILABLE;
    }
    mca_fcoll_overlap_find_help();
#endif
    mca_fcoll_overlap_register_pvars();
    return mca_fcoll_overlap_register_params();
}

static int overlap_init_query(bool enable_progress_threads, bool enable_mpi_threads) { return OMPI_SUCCESS; }

static mca_fcoll_base_module_t *overlap_file_query(ompio_file_t *fh, int *priority) {
    *priority = mca_fcoll_overlap_priority();
#ifdef OVERLAP_OUTSIDE_OF_TREE
    if (*priority > 0 && !mca_fcoll_overlap_fits_file_handle(fh)) {
        return NULL;
    }
#endif
    return *priority > 0 ? mca_fcoll_overlap_offer(fh) : NULL;
}

/* OMPIO has chosen another component. */
static int overlap_file_unquery(ompio_file_t *fh) {
    mca_fcoll_overlap_module_release(fh);
    return OMPI_SUCCESS;
}

mca_fcoll_base_component_t mca_fcoll_overlap_component = {
    .fcollm_version =
        {
            MCA_FCOLL_OVERLAP_API_VERSION,
            .mca_component_name = "overlap",
            MCA_BASE_MAKE_VERSION(component, OVERLAP_MAJOR_VERSION, OVERLAP_MINOR_VERSION, OVERLAP_RELEASE_VERSION),
            .mca_register_component_params = overlap_register,
        },
    .fcollm_data = {MCA_BASE_METADATA_PARAM_CHECKPOINT},
    .fcollm_init_query = overlap_init_query,
    .fcollm_file_query = overlap_file_query,
    .fcollm_file_unquery = overlap_file_unquery,
};

#ifdef MCA_BASE_COMPONENT_INIT
MCA_BASE_COMPONENT_INIT(ompi, fcoll, overlap)
#endif
