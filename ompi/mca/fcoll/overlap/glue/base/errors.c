/*
 * SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The overlap project
 *
 * Translates errors: errno and Open MPI's to the engine's, the engine's to MPI error classes. The only file that does. What
 * a call of Open MPI that failed becomes: an error for the engine, a line for the user who turned on verbose output, or the
 * end of the job.
 */
#include "base.h"

#include "ompi/runtime/mpiruntime.h"
#include "opal/util/output.h"

#include <errno.h>

int mca_fcoll_overlap_error_of_errno(int error) {
    switch (error) {
    case 0:
        return OVERLAP_SUCCESS;
    case ENOSPC:
        return OVERLAP_ERR_NO_SPACE;
    case EDQUOT:
        return OVERLAP_ERR_QUOTA;
    case ENOMEM:
        return OVERLAP_ERR_NO_MEM;
    case EROFS:
        return OVERLAP_ERR_READ_ONLY;
    case EACCES:
    case EPERM:
        return OVERLAP_ERR_ACCESS;
    case ESTALE:
        return OVERLAP_ERR_FILE;
    default:
        return OVERLAP_ERR_IO;
    }
}

int mca_fcoll_overlap_error_of_ompi(int error) {
    switch (error) {
    case OMPI_SUCCESS:
        return OVERLAP_SUCCESS;
    case OMPI_ERR_OUT_OF_RESOURCE:
    case MPI_ERR_NO_MEM:
        return OVERLAP_ERR_NO_MEM;
    case MPI_ERR_NO_SPACE:
        return OVERLAP_ERR_NO_SPACE;
    case MPI_ERR_QUOTA:
        return OVERLAP_ERR_QUOTA;
    case MPI_ERR_READ_ONLY:
        return OVERLAP_ERR_READ_ONLY;
    case MPI_ERR_ACCESS:
        return OVERLAP_ERR_ACCESS;
    case MPI_ERR_FILE:
        return OVERLAP_ERR_FILE;
    case MPI_ERR_IO:
    case OMPI_ERR_FILE_WRITE_FAILURE:
        return OVERLAP_ERR_IO;
    default:
        return OVERLAP_ERR_OTHER;
    }
}

int mca_fcoll_overlap_class_of_error(int error) {
    switch (error) {
    case OVERLAP_SUCCESS:
        return MPI_SUCCESS;
    case OVERLAP_ERR_ARG:
        return MPI_ERR_ARG;
    case OVERLAP_ERR_BUFFER:
        return MPI_ERR_BUFFER;
    case OVERLAP_ERR_IO:
        return MPI_ERR_IO;
    case OVERLAP_ERR_FILE:
        return MPI_ERR_FILE;
    case OVERLAP_ERR_ACCESS:
        return MPI_ERR_ACCESS;
    case OVERLAP_ERR_READ_ONLY:
        return MPI_ERR_READ_ONLY;
    case OVERLAP_ERR_NO_MEM:
        return MPI_ERR_NO_MEM;
    case OVERLAP_ERR_QUOTA:
        return MPI_ERR_QUOTA;
    case OVERLAP_ERR_NO_SPACE:
        return MPI_ERR_NO_SPACE;
    default:
        return MPI_ERR_OTHER;
    }
}

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
