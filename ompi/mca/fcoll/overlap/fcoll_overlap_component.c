/*
 * SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The overlap project
 *
 * The component: what Open MPI asks for by name.
 */
#include "fcoll_overlap_params.h"
#include "glue/file/file.h"

#include "opal/runtime/opal.h"

#include <stdio.h>

/* In a source tree of Open MPI all components have its version. */
#ifndef OVERLAP_MAJOR_VERSION
#    define OVERLAP_MAJOR_VERSION OMPI_MAJOR_VERSION
#    define OVERLAP_MINOR_VERSION OMPI_MINOR_VERSION
#    define OVERLAP_RELEASE_VERSION OMPI_RELEASE_VERSION
#endif

static const char made_for[] = OPAL_IDENT_STRING; /* what opal_version_string was made of */

#define DIFFERS(type) (type##_class.cls_sizeof != sizeof(type))

/* Every Open MPI of a user looks into ~/.openmpi/components, and what it asks a component for, the version of the framework,
 * does not tell whether the structs have the same fields: 4.1 and 5.0 have one version, and so has a build with
 * --enable-debug. */
static bool is_made_for_this_open_mpi(void) {
    const bool of_other_sizes = DIFFERS(opal_object_t) || DIFFERS(ompi_request_t) || DIFFERS(ompi_communicator_t) ||
                                DIFFERS(ompi_datatype_t) || DIFFERS(mca_ompio_request_t);

    return 0 == strcmp(opal_version_string, made_for) && !of_other_sizes;
}

/* Nothing of an Open MPI that this was not made for is called; and its help file may be that of another copy of this
 * component. */
static void say_that_it_is_another(void) {
    const char *rank = getenv("OMPI_COMM_WORLD_RANK");

    if (NULL == rank || 0 == strcmp(rank, "0")) {
        fprintf(stderr,
                "The Open MPI component fcoll/overlap that was found is made for Open MPI %s, and this is %s%s: it is not "
                "used. Build it for "
                "this one (configure --with-openmpi-install=PREFIX), or remove the other, which is in ~/.openmpi/components "
                "where "
                "\"make install-user\" put it.\n",
                made_for, opal_version_string,
                0 == strcmp(opal_version_string, made_for) ? ", configured in another way" : "");
    }
}

static int overlap_register(void) {
    if (!is_made_for_this_open_mpi()) {
        say_that_it_is_another();
        return OMPI_ERR_NOT_AVAILABLE;
    }
    mca_fcoll_overlap_find_help();
    mca_fcoll_overlap_register_pvars();
    return mca_fcoll_overlap_register_params();
}

static int overlap_init_query(bool enable_progress_threads, bool enable_mpi_threads) {
    (void)enable_progress_threads;
    (void)enable_mpi_threads;
    return OMPI_SUCCESS;
}

static mca_fcoll_base_module_t *overlap_file_query(ompio_file_t *fh, int *priority) {
    *priority = mca_fcoll_overlap_priority();
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
