/*
 * SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The overlap project
 *
 * The count of MPI_File_read_all at the end of a file. OMPIO replaces the one that fcoll returns by the count that was asked
 * for (mca_io_ompio_file_read_all, in 4.1, 5.0, 6.0 and main of August 2026), so a program that reads until nothing is left
 * does not end. All other collective reads return the count of fcoll.
 *
 * So one function is replaced, in the file's own copy of io's table (f_io_selected_module of ompi_file_t, which Open MPI
 * makes for each file), and it calls OMPIO's. A table of another version is left alone. Where OMPIO has not asked this
 * component for the bytes, its count stays.
 */
#include "file.h"

#include "ompi/file/file.h"

typedef int read_all_t(ompi_file_t *, void *, mca_fcoll_overlap_count_t, ompi_datatype_t *, ompi_status_public_t *);

static read_all_t *ompio_read_all = NULL; /* the same for all files */

static int read_all(ompi_file_t *file, void *buf, mca_fcoll_overlap_count_t count, ompi_datatype_t *datatype,
                    ompi_status_public_t *status) {
    mca_fcoll_overlap_module_t *const module = mca_fcoll_overlap_module_of_file(file);
    const size_t not_asked = SIZE_MAX;
    int ret;

    if (NULL != module) {
        module->bytes_done = not_asked;
    }
    ret = __atomic_load_n(&ompio_read_all, __ATOMIC_RELAXED)(file, buf, count, datatype, status);
    if (NULL != module && MPI_STATUS_IGNORE != status && not_asked != module->bytes_done) {
        status->_ucount = module->bytes_done;
    }
    return ret;
}

void mca_fcoll_overlap_count_reads(mca_fcoll_overlap_module_t *module) {
    mca_fcoll_overlap_io_t *const io = MCA_FCOLL_OVERLAP_IO(module->file);

    if (MCA_FCOLL_OVERLAP_IO_VERSION == module->file->f_io_version && 0 == (module->fh->f_flags & OMPIO_SHAREDFP_IS_SET) &&
        (NULL == ompio_read_all || ompio_read_all == io->io_module_file_read_all)) {
        __atomic_store_n(&ompio_read_all, io->io_module_file_read_all, __ATOMIC_RELAXED);
        io->io_module_file_read_all = read_all;
    }
}
