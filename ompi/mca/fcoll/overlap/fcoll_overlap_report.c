/*
 * SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The overlap project
 *
 * What a call of Open MPI that failed becomes: an error for the engine, a line for the user who turned on verbose output, or
 * the end of the job.
 */
#include "fcoll_overlap.h"

#include "ompi/runtime/mpiruntime.h"
#include "opal/util/output.h"

int mca_fcoll_overlap_report(const ompio_file_t *fh, const char *call, int peer, int ret) {
    if (OMPI_SUCCESS != ret) {
        opal_output_verbose(1, ompi_fcoll_base_framework.framework_output,
                            "fcoll:overlap: rank %d: %s with rank %d for %s failed: %s", fh->f_rank, call, peer,
                            fh->f_filename, opal_strerror(ret));
    }
    return mca_fcoll_overlap_error_of_ompi(ret);
}

void mca_fcoll_overlap_give_up(const ompio_file_t *fh, const char *call, int peer, int ret) {
    MCA_FCOLL_OVERLAP_HELP("cannot-communicate", fh->f_filename, fh->f_rank, call, peer, opal_strerror(ret));
    ompi_mpi_abort(fh->f_comm, MPI_ERR_OTHER);
}
