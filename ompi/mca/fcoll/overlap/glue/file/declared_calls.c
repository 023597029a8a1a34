/*
 * SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The overlap project
 *
 * The calls that OMPIO does without asking fcoll, of a file with declared writes (overlap_declare.h): while a declaration is
 * in force, the functions of the file that access it are replaced by the ones below. Open MPI keeps a table of them in each
 * file, and a pointer to the table of its file system.
 *
 * A call that MPI makes collective first writes what is held, with all ranks, and returns an error of that. An independent
 * access to the declared range returns MPI_ERR_ACCESS; any other goes to OMPIO as it is.
 */
#include "file.h"

#include "ompi/errhandler/errhandler.h"
#include "ompi/file/file.h"

#include <strings.h>

static mca_fcoll_overlap_module_t *module_of(ompi_file_t *file) {
    mca_common_ompio_data_t *data = (mca_common_ompio_data_t *)file->f_io_selected_data;
    return mca_fcoll_overlap_module_in(&data->ompio_fh);
}

/* OMPIO's own functions. */
static const mca_fcoll_overlap_io_t *ompio(ompi_file_t *file) { return &module_of(file)->io; }

/* Collective. Returns an MPI error class. */
static int write_first(ompi_file_t *file) {
    return mca_fcoll_overlap_class_of_error(mca_fcoll_overlap_declared_flush(module_of(file)));
}

/* The first of two results. */
static int either(int error, int ret) { return MPI_SUCCESS != error ? error : ret; }

/* Collective calls. Some of OMPIO's components for shared file pointers make an ordered write a collective write at an
 * offset. It is then a declared call on all ranks, with other bytes than those declared. */

static int file_sync(ompi_file_t *file) {
    const int error = write_first(file);
    return either(error, ompio(file)->io_module_file_sync(file));
}

static int file_set_size(ompi_file_t *file, MPI_Offset size) {
    const int error = write_first(file);
    return either(error, ompio(file)->io_module_file_set_size(file, size));
}

static int file_preallocate(ompi_file_t *file, MPI_Offset size) {
    const int error = write_first(file);
    return either(error, ompio(file)->io_module_file_preallocate(file, size));
}

static int file_set_atomicity(ompi_file_t *file, int flag) {
    mca_fcoll_overlap_module_t *const module = module_of(file);
    const int error = write_first(file);
    const int ret = ompio(file)->io_module_file_set_atomicity(file, flag);

    /* It may have failed on some ranks only: nothing is declared any more on any. */
    if (NULL != module->engine) {
        overlap_file_declare(module->engine, "", OVERLAP_SUCCESS);
        mca_fcoll_overlap_declared_look(module);
    }
    module->settings_agreed = false; /* the engine learns of the mode in the next call */
    return either(error, ret);
}

static int file_read_ordered(ompi_file_t *file, void *buf, mca_fcoll_overlap_count_t count, ompi_datatype_t *datatype,
                             ompi_status_public_t *status) {
    const int error = write_first(file);
    return either(error, ompio(file)->io_module_file_read_ordered(file, buf, count, datatype, status));
}

static int file_write_ordered(ompi_file_t *file, const void *buf, mca_fcoll_overlap_count_t count, ompi_datatype_t *datatype,
                              ompi_status_public_t *status) {
    const int error = write_first(file);
    return either(error, ompio(file)->io_module_file_write_ordered(file, buf, count, datatype, status));
}

static int file_read_ordered_begin(ompi_file_t *file, void *buf, mca_fcoll_overlap_count_t count,
                                   ompi_datatype_t *datatype) {
    const int error = write_first(file);
    return either(error, ompio(file)->io_module_file_read_ordered_begin(file, buf, count, datatype));
}

static int file_write_ordered_begin(ompi_file_t *file, const void *buf, mca_fcoll_overlap_count_t count,
                                    ompi_datatype_t *datatype) {
    const int error = write_first(file);
    return either(error, ompio(file)->io_module_file_write_ordered_begin(file, buf, count, datatype));
}

/* MPI_File_close returns success whatever happens (ompi_file_close), so the error goes to the error handler and to stderr.
 * All ranks have the same one. */
static int file_close(ompi_file_t *file) {
    mca_fcoll_overlap_module_t *module = module_of(file);
    const int error = mca_fcoll_overlap_declared_flush(module), error_class = mca_fcoll_overlap_class_of_error(error);

    mca_fcoll_overlap_give_functions_back(module); /* the close frees the module */
    if (OVERLAP_SUCCESS != error) {
        if (0 == module->fh->f_rank) {
            mca_fcoll_overlap_say_declared_lost(module, error);
        }
        if (NULL != file->error_handler) {
            OMPI_ERRHANDLER_INVOKE(file, error_class, "MPI_File_close");
        }
    }
    return either(error_class, MCA_FCOLL_OVERLAP_IO(file)->io_module_file_close(file));
}

/* All ranks give the same data representation. With the view OMPIO may choose another component for the file. */
static int file_set_view(ompi_file_t *file, OMPI_MPI_OFFSET_TYPE disp, ompi_datatype_t *etype, ompi_datatype_t *filetype,
                         const char *datarep, opal_info_t *info) {
    mca_fcoll_overlap_module_t *module = module_of(file);
    ompio_file_t *fh = module->fh;
    const int error = 0 == strcasecmp(datarep, "native") ? MPI_SUCCESS : write_first(file);
    const int ret = ompio(file)->io_module_file_set_view(file, disp, etype, filetype, datarep, info);

    module = mca_fcoll_overlap_module_in(fh);
    if (NULL != module && fh->f_fcoll != &module->super) {
        mca_fcoll_overlap_declared_end(module);
    }
    return either(error, ret);
}

/* Independent calls. */

static bool is_refused(const mca_fcoll_overlap_module_t *module, int64_t first, size_t bytes) {
    int64_t last;
    return __builtin_add_overflow(first, bytes, &last) || 0 != overlap_file_refuses(module->engine, first, last);
}

/* Whether `bytes` bytes of a layout touch the range. The time is that of the blocks of the access. */
static bool are_refused(const mca_fcoll_overlap_module_t *module, const overlap_layout *layout, size_t bytes) {
    const struct iovec *const blocks = layout->blocks;
    const bool gapless = 1 == layout->block_count && (int64_t)blocks[0].iov_len == layout->extent;
    int64_t origin = layout->origin;
    size_t skip = layout->skip, block = 0;

    if (gapless) {
        return is_refused(module, origin + (intptr_t)blocks[0].iov_base + (int64_t)skip, bytes);
    }
    while (bytes > 0) {
        const size_t length = blocks[block].iov_len;
        if (skip < length) {
            const size_t part = length - skip < bytes ? length - skip : bytes;
            if (is_refused(module, origin + (intptr_t)blocks[block].iov_base + (int64_t)skip, part)) {
                return true;
            }
            bytes -= part;
            skip = 0;
        } else {
            skip -= length;
        }
        if (++block == layout->block_count) {
            block = 0;
            origin += layout->extent;
        }
    }
    return false;
}

/* The module of a file where an access by this rank can break the contract; NULL where none can. */
static mca_fcoll_overlap_module_t *module_that_holds(ompi_file_t *file) {
    mca_fcoll_overlap_module_t *module = module_of(file);
    return NULL != module->engine && 0 != overlap_file_refuses(module->engine, INT64_MIN, INT64_MAX) ? module : NULL;
}

/* What cannot be described goes to OMPIO, which refuses it. */
static bool has_bytes(const ompio_file_t *fh, mca_fcoll_overlap_count_t count, ompi_datatype_t *datatype, size_t *bytes) {
    size_t size = 0;

    opal_datatype_type_size(&datatype->super, &size);
    return !__builtin_mul_overflow(size, count, bytes) && *bytes > 0 && MCA_FCOLL_OVERLAP_VIEW(fh)->f_view_size > 0;
}

static bool is_native(const ompio_file_t *fh) { return 0 != (fh->f_flags & OMPIO_DATAREP_NATIVE); }

/* An access by the individual file pointer. */
static bool refuses(ompi_file_t *file, mca_fcoll_overlap_count_t count, ompi_datatype_t *datatype) {
    mca_fcoll_overlap_module_t *module = module_that_holds(file);
    overlap_layout layout;
    size_t bytes;

    if (NULL == module || !has_bytes(module->fh, count, datatype, &bytes)) {
        return false;
    }
    mca_fcoll_overlap_view_layout(module->fh, &layout);
    return !is_native(module->fh) || are_refused(module, &layout, bytes);
}

/* An access `offset` etypes behind the start of the view. */
static bool refuses_at(ompi_file_t *file, MPI_Offset offset, mca_fcoll_overlap_count_t count, ompi_datatype_t *datatype) {
    mca_fcoll_overlap_module_t *module = module_that_holds(file);
    const mca_fcoll_overlap_view_t *view;
    overlap_layout layout;
    size_t bytes;
    int64_t position;

    if (NULL == module || !has_bytes(module->fh, count, datatype, &bytes)) {
        return false;
    }
    view = MCA_FCOLL_OVERLAP_VIEW(module->fh);
    if (offset < 0 || __builtin_mul_overflow(offset, view->f_etype_size, &position)) {
        return false;
    }
    mca_fcoll_overlap_view_layout(module->fh, &layout);
    layout.origin = view->f_disp + position / (int64_t)view->f_view_size * (int64_t)view->f_view_extent;
    layout.skip = (size_t)position % view->f_view_size;
    return !is_native(module->fh) || are_refused(module, &layout, bytes);
}

/* An access by the shared file pointer. Other processes move the pointer, too, but never back. */
static bool refuses_shared(ompi_file_t *file, mca_fcoll_overlap_count_t count, ompi_datatype_t *datatype) {
    mca_fcoll_overlap_module_t *module = module_that_holds(file);
    OMPI_MPI_OFFSET_TYPE position = 0, byte = 0;
    size_t bytes;

    return NULL != module && has_bytes(module->fh, count, datatype, &bytes) &&
           (!is_native(module->fh) || OMPI_SUCCESS != ompio(file)->io_module_file_get_position_shared(file, &position) ||
            OMPI_SUCCESS != ompio(file)->io_module_file_get_byte_offset(file, position, &byte) ||
            0 != overlap_file_refuses(module->engine, byte, INT64_MAX));
}

static int file_read_at(ompi_file_t *file, MPI_Offset offset, void *buf, mca_fcoll_overlap_count_t count,
                        ompi_datatype_t *datatype, ompi_status_public_t *status) {
    return refuses_at(file, offset, count, datatype)
               ? MPI_ERR_ACCESS
               : ompio(file)->io_module_file_read_at(file, offset, buf, count, datatype, status);
}

static int file_read(ompi_file_t *file, void *buf, mca_fcoll_overlap_count_t count, ompi_datatype_t *datatype,
                     ompi_status_public_t *status) {
    return refuses(file, count, datatype) ? MPI_ERR_ACCESS
                                          : ompio(file)->io_module_file_read(file, buf, count, datatype, status);
}

static int file_read_shared(ompi_file_t *file, void *buf, mca_fcoll_overlap_count_t count, ompi_datatype_t *datatype,
                            ompi_status_public_t *status) {
    return refuses_shared(file, count, datatype)
               ? MPI_ERR_ACCESS
               : ompio(file)->io_module_file_read_shared(file, buf, count, datatype, status);
}

static int file_write_at(ompi_file_t *file, MPI_Offset offset, const void *buf, mca_fcoll_overlap_count_t count,
                         ompi_datatype_t *datatype, ompi_status_public_t *status) {
    return refuses_at(file, offset, count, datatype)
               ? MPI_ERR_ACCESS
               : ompio(file)->io_module_file_write_at(file, offset, buf, count, datatype, status);
}

static int file_write(ompi_file_t *file, const void *buf, mca_fcoll_overlap_count_t count, ompi_datatype_t *datatype,
                      ompi_status_public_t *status) {
    return refuses(file, count, datatype) ? MPI_ERR_ACCESS
                                          : ompio(file)->io_module_file_write(file, buf, count, datatype, status);
}

static int file_write_shared(ompi_file_t *file, const void *buf, mca_fcoll_overlap_count_t count, ompi_datatype_t *datatype,
                             ompi_status_public_t *status) {
    return refuses_shared(file, count, datatype)
               ? MPI_ERR_ACCESS
               : ompio(file)->io_module_file_write_shared(file, buf, count, datatype, status);
}

static int file_iread_at(ompi_file_t *file, MPI_Offset offset, void *buf, mca_fcoll_overlap_count_t count,
                         ompi_datatype_t *datatype, ompi_request_t **request) {
    return refuses_at(file, offset, count, datatype)
               ? MPI_ERR_ACCESS
               : ompio(file)->io_module_file_iread_at(file, offset, buf, count, datatype, request);
}

static int file_iread(ompi_file_t *file, void *buf, mca_fcoll_overlap_count_t count, ompi_datatype_t *datatype,
                      ompi_request_t **request) {
    return refuses(file, count, datatype) ? MPI_ERR_ACCESS
                                          : ompio(file)->io_module_file_iread(file, buf, count, datatype, request);
}

static int file_iread_shared(ompi_file_t *file, void *buf, mca_fcoll_overlap_count_t count, ompi_datatype_t *datatype,
                             ompi_request_t **request) {
    return refuses_shared(file, count, datatype)
               ? MPI_ERR_ACCESS
               : ompio(file)->io_module_file_iread_shared(file, buf, count, datatype, request);
}

static int file_iwrite_at(ompi_file_t *file, MPI_Offset offset, const void *buf, mca_fcoll_overlap_count_t count,
                          ompi_datatype_t *datatype, ompi_request_t **request) {
    return refuses_at(file, offset, count, datatype)
               ? MPI_ERR_ACCESS
               : ompio(file)->io_module_file_iwrite_at(file, offset, buf, count, datatype, request);
}

static int file_iwrite(ompi_file_t *file, const void *buf, mca_fcoll_overlap_count_t count, ompi_datatype_t *datatype,
                       ompi_request_t **request) {
    return refuses(file, count, datatype) ? MPI_ERR_ACCESS
                                          : ompio(file)->io_module_file_iwrite(file, buf, count, datatype, request);
}

static int file_iwrite_shared(ompi_file_t *file, const void *buf, mca_fcoll_overlap_count_t count, ompi_datatype_t *datatype,
                              ompi_request_t **request) {
    return refuses_shared(file, count, datatype)
               ? MPI_ERR_ACCESS
               : ompio(file)->io_module_file_iwrite_shared(file, buf, count, datatype, request);
}

/* MPI_File_get_size, MPI_File_seek and others ask the file system. */
static int fs_get_size(ompio_file_t *fh, OMPI_MPI_OFFSET_TYPE *size) {
    mca_fcoll_overlap_module_t *module = mca_fcoll_overlap_module_in(fh);
    const int ret = module->fs_of_file->fs_file_get_size(fh, size);

    if (OMPI_SUCCESS == ret && NULL != module->engine) {
        const int64_t end = overlap_file_held_end(module->engine);
        *size = *size < end ? end : *size;
    }
    return ret;
}

void mca_fcoll_overlap_replace_functions(mca_fcoll_overlap_module_t *module) {
    mca_fcoll_overlap_io_t *io = MCA_FCOLL_OVERLAP_IO(module->fh->f_fh);

    if (module->functions_replaced) {
        return;
    }
    module->functions_replaced = true;
    module->io = *io;
    io->io_module_file_close = file_close;
    io->io_module_file_sync = file_sync;
    io->io_module_file_set_size = file_set_size;
    io->io_module_file_preallocate = file_preallocate;
    io->io_module_file_set_atomicity = file_set_atomicity;
    io->io_module_file_set_view = file_set_view;
    io->io_module_file_read_ordered = file_read_ordered;
    io->io_module_file_write_ordered = file_write_ordered;
    io->io_module_file_read_ordered_begin = file_read_ordered_begin;
    io->io_module_file_write_ordered_begin = file_write_ordered_begin;
    io->io_module_file_read_at = file_read_at;
    io->io_module_file_read = file_read;
    io->io_module_file_read_shared = file_read_shared;
    io->io_module_file_write_at = file_write_at;
    io->io_module_file_write = file_write;
    io->io_module_file_write_shared = file_write_shared;
    io->io_module_file_iread_at = file_iread_at;
    io->io_module_file_iread = file_iread;
    io->io_module_file_iread_shared = file_iread_shared;
    io->io_module_file_iwrite_at = file_iwrite_at;
    io->io_module_file_iwrite = file_iwrite;
    io->io_module_file_iwrite_shared = file_iwrite_shared;
    module->fs_of_file = module->fh->f_fs;
    module->fs = *module->fs_of_file;
    module->fs.fs_file_get_size = fs_get_size;
    module->fh->f_fs = &module->fs;
}

void mca_fcoll_overlap_give_functions_back(mca_fcoll_overlap_module_t *module) {
    if (module->functions_replaced) {
        *MCA_FCOLL_OVERLAP_IO(module->fh->f_fh) = module->io;
        module->fh->f_fs = module->fs_of_file;
        module->functions_replaced = false;
    }
}
