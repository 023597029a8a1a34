/*
 * The component: what Open MPI asks for by name.
 */
#include "fcoll_overlap.h"

#include "opal/util/show_help.h"

#include <stdio.h>

/* Where the help file may be beside Open MPI's own folder: outside of its source tree the component is installed under a
 * prefix of its own, or copied into the folder where every Open MPI of a user looks for components. */
static void find_help(void) {
#ifdef OVERLAP_HELP_DIR
    const char *home = getenv("HOME");
    char directory[OPAL_PATH_MAX];

    opal_show_help_add_dir(OVERLAP_HELP_DIR);
    if (NULL != home && (size_t)snprintf(directory, sizeof(directory), "%s/.openmpi/components", home) < sizeof(directory)) {
        opal_show_help_add_dir(directory);
    }
#endif
}

static int overlap_register(void) {
    find_help();
    return mca_fcoll_overlap_register_params();
}

static int overlap_init_query(bool enable_progress_threads, bool enable_mpi_threads) {
    (void)enable_progress_threads;
    (void)enable_mpi_threads;
    return OMPI_SUCCESS;
}

static mca_fcoll_base_module_t *overlap_file_query(ompio_file_t *fh, int *priority) {
    mca_fcoll_base_module_t *module;

    *priority = mca_fcoll_overlap_priority();
    if (*priority <= 0) {
        return NULL;
    }
    module = mca_fcoll_overlap_module_of(fh);
    /* Another component may be chosen for this file, and this one for another handle of it, whose writes this one's marks
     * then keep from harm. */
    if (mca_fcoll_overlap_is_asked_for()) {
        mca_fcoll_overlap_mark(module);
    }
    return module;
}

static int overlap_file_unquery(ompio_file_t *fh) {
    mca_fcoll_overlap_module_release(fh);
    return OMPI_SUCCESS;
}

mca_fcoll_base_component_t mca_fcoll_overlap_component = {
    .fcollm_version =
        {
            MCA_FCOLL_OVERLAP_API_VERSION,
            .mca_component_name = "overlap",
            MCA_BASE_MAKE_VERSION(component, OMPI_MAJOR_VERSION, OMPI_MINOR_VERSION, OMPI_RELEASE_VERSION),
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
