/*
 * SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The overlap project
 *
 * Translates errors: errno and Open MPI's to the engine's, the engine's to MPI error classes. The only file that does. A
 * call of Open MPI that fails becomes an error for the engine and a line for the user who turned on verbose output, or the
 * end of the job.
 */
#include "base.h"

#include "ompi/runtime/mpiruntime.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>

/* Of each overlap_error the MPI error class, and what else becomes it. */
static const struct {
    int mpi_class;
    int numbers[2]; /* errno */
    int ompi;       /* OMPI_ERR_* */
} names_of[] = {
    [OVERLAP_SUCCESS] = {.mpi_class = MPI_SUCCESS},
    [OVERLAP_ERR_OTHER] = {.mpi_class = MPI_ERR_OTHER},
    [OVERLAP_ERR_ARG] = {.mpi_class = MPI_ERR_ARG},
    [OVERLAP_ERR_BUFFER] = {.mpi_class = MPI_ERR_BUFFER},
    [OVERLAP_ERR_IO] = {.mpi_class = MPI_ERR_IO, .ompi = OMPI_ERR_FILE_WRITE_FAILURE},
    [OVERLAP_ERR_FILE] = {.mpi_class = MPI_ERR_FILE, .numbers = {ESTALE}},
    [OVERLAP_ERR_ACCESS] = {.mpi_class = MPI_ERR_ACCESS, .numbers = {EACCES, EPERM}},
    [OVERLAP_ERR_READ_ONLY] = {.mpi_class = MPI_ERR_READ_ONLY, .numbers = {EROFS}},
    [OVERLAP_ERR_NO_MEM] = {.mpi_class = MPI_ERR_NO_MEM, .numbers = {ENOMEM}, .ompi = OMPI_ERR_OUT_OF_RESOURCE},
    [OVERLAP_ERR_QUOTA] = {.mpi_class = MPI_ERR_QUOTA, .numbers = {EDQUOT}},
    [OVERLAP_ERR_NO_SPACE] = {.mpi_class = MPI_ERR_NO_SPACE, .numbers = {ENOSPC}},
};

enum { NAMES_OF_ERRORS = sizeof(names_of) / sizeof(names_of[0]) };

int mca_fcoll_overlap_error_of_errno(int error) {
    for (int i = OVERLAP_ERR_IO; 0 != error && i < NAMES_OF_ERRORS; ++i) {
        if (error == names_of[i].numbers[0] || error == names_of[i].numbers[1]) {
            return i;
        }
    }
    return 0 == error ? OVERLAP_SUCCESS : OVERLAP_ERR_IO;
}

/* An argument or a buffer of ours that Open MPI rejects is an internal failure, which is why these two are left out. */
int mca_fcoll_overlap_error_of_ompi(int error) {
    for (int i = OVERLAP_ERR_IO; OMPI_SUCCESS != error && i < NAMES_OF_ERRORS; ++i) {
        if (error == names_of[i].mpi_class || error == names_of[i].ompi) {
            return i;
        }
    }
    return OMPI_SUCCESS == error ? OVERLAP_SUCCESS : OVERLAP_ERR_OTHER;
}

int mca_fcoll_overlap_class_of_error(int error) {
    return error >= 0 && error < NAMES_OF_ERRORS ? names_of[error].mpi_class : MPI_ERR_OTHER;
}

int mca_fcoll_overlap_error_of_call(const void *self, const char *call, int peer, int ret) {
    if (OMPI_SUCCESS != ret && peer < 0) {
        mca_fcoll_overlap_note(self, "%s failed: %s", call, opal_strerror(ret));
    } else if (OMPI_SUCCESS != ret) {
        mca_fcoll_overlap_note(self, "%s with rank %d failed: %s", call, peer, opal_strerror(ret));
    }
    return mca_fcoll_overlap_error_of_ompi(ret);
}

void mca_fcoll_overlap_note(const void *self, const char *format, ...) {
    const ompio_file_t *fh = mca_fcoll_overlap_fh(self);
    char line[512];
    va_list arguments;

    if (mca_fcoll_overlap_is_verbose()) {
        va_start(arguments, format);
        vsnprintf(line, sizeof(line), format, arguments);
        va_end(arguments);
        fprintf(stderr, "fcoll:overlap: rank %d: %s; %s\n", fh->f_rank, line, fh->f_filename);
    }
}

void mca_fcoll_overlap_give_up(const void *self, const char *call, int peer, int ret) {
    const ompio_file_t *fh = mca_fcoll_overlap_fh(self);

    MCA_FCOLL_OVERLAP_HELP("cannot-communicate", fh->f_filename, fh->f_rank, call, peer, opal_strerror(ret));
    ompi_mpi_abort(fh->f_comm, MPI_ERR_OTHER);
}

pthread_mutex_t mca_fcoll_overlap_help_lock = PTHREAD_MUTEX_INITIALIZER;
