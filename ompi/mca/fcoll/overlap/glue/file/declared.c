/*
 * SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The overlap project
 *
 * Declared writes (overlap_declare.h) of a file: the layouts that the engine gets, the bytes that this process holds, and
 * the calls of MPI that OMPIO does without asking fcoll. A call that MPI makes collective first writes what is held, with
 * all ranks, and returns an error of that. An independent access to the declared range returns MPI_ERR_ACCESS; any other
 * goes to OMPIO as it is.
 *
 * For that the functions of the file that are named in replace_functions are replaced, while a declaration is in force: only
 * there can an access be refused, or bytes be written before a sync or a close. They are those of this one file: Open MPI
 * gives each a copy of io's table (f_io_selected_module of ompi_file_t). Nothing of a component is written, nor of a file
 * system. The functions are assigned to members by their names and types, so a release in which one is another does not
 * compile; where only its meaning is another, test/functional/declare.cc fails.
 */
#include "file.h"

#include "ompi/errhandler/errcode.h"
#include "ompi/errhandler/errhandler.h"
#include "ompi/file/file.h"
#include "ompi/runtime/mpiruntime.h"

#include <stdio.h>
#include <strings.h>
#include <unistd.h>

static void give_functions_back(mca_fcoll_overlap_module_t *module) {
    if (module->functions_replaced) {
        *MCA_FCOLL_OVERLAP_IO(module->fh->f_fh) = module->io;
        module->functions_replaced = false;
    }
}

/* MPI returns it from no call. opal_show_help loses texts of 4.1 when a job ends right after them. */
static void say_declared_lost(const mca_fcoll_overlap_module_t *module, int error) {
    dprintf(STDERR_FILENO, "fcoll/overlap: %s: bytes of declared writes (overlap_declare.h) are not in the file: %s\n",
            module->fh->f_filename, ompi_mpi_errnum_get_string(mca_fcoll_overlap_class_of_error(error)));
}

int mca_fcoll_overlap_declared_write_own(mca_fcoll_overlap_module_t *module) {
    int error = OVERLAP_SUCCESS;

    if (NULL != module && module->functions_replaced && NULL != module->engine) {
        module->caller = pthread_self();
        error = overlap_file_write_own(module->engine);
    }
    return error;
}

void mca_fcoll_overlap_declared_end(mca_fcoll_overlap_module_t *module) {
    const int error = mca_fcoll_overlap_declared_write_own(module);

    if (OVERLAP_SUCCESS != error) {
        say_declared_lost(module, error);
    }
    give_functions_back(module);
}

/* OMPIO's own functions. */
static const mca_fcoll_overlap_io_t *ompio(ompi_file_t *file) { return &mca_fcoll_overlap_module_of_file(file)->io; }

/* Collective calls. Some of OMPIO's components for shared file pointers make an ordered write a collective write at an
 * offset. It is then a declared call on all ranks, with other bytes than those declared. */

/* Writes what all ranks hold. Returns an overlap_error. */
static int write_held_first(mca_fcoll_overlap_module_t *module) {
    int error = OVERLAP_SUCCESS;

    if (NULL != module->engine) {
        mca_fcoll_overlap_operations_wait(module);
        module->caller = pthread_self();
        error = overlap_file_flush(module->engine);
    }
    return error;
}

/* The first of two results, as what MPI returns. */
static int either_error(int error, int ret) {
    return OVERLAP_SUCCESS != error ? mca_fcoll_overlap_class_of_error(error) : ret;
}

#define COLLECTIVE(name, parameters, arguments)                                                                             \
    static int declared_##name parameters {                                                                                 \
        const int error = write_held_first(mca_fcoll_overlap_module_of_file(file));                                         \
        return either_error(error, ompio(file)->io_module_file_##name arguments);                                           \
    }
#define ORDERED(name, buffer)                                                                                               \
    COLLECTIVE(name, (ompi_file_t * file, buffer buf, ELEMENTS, ompi_status_public_t * status),                             \
               (file, buf, count, type, status))                                                                            \
    COLLECTIVE(name##_begin, (ompi_file_t * file, buffer buf, ELEMENTS), (file, buf, count, type))
COLLECTIVE(sync, (ompi_file_t * file), (file))
COLLECTIVE(set_size, (ompi_file_t * file, MPI_Offset size), (file, size))
COLLECTIVE(preallocate, (ompi_file_t * file, MPI_Offset size), (file, size))
ORDERED(read_ordered, void *)
ORDERED(write_ordered, const void *)

static int declared_seek_shared(ompi_file_t *file, MPI_Offset offset, int whence) {
    const int error = MPI_SEEK_END == whence ? write_held_first(mca_fcoll_overlap_module_of_file(file)) : OVERLAP_SUCCESS;
    return either_error(error, ompio(file)->io_module_file_seek_shared(file, offset, whence));
}

static int declared_set_atomicity(ompi_file_t *file, int flag) {
    mca_fcoll_overlap_module_t *const module = mca_fcoll_overlap_module_of_file(file);
    const int error = write_held_first(module), ret = ompio(file)->io_module_file_set_atomicity(file, flag);

    /* It may have failed on some ranks only: nothing is declared any more on any. */
    if (NULL != module->engine) {
        overlap_file_declare(module->engine, "", OVERLAP_SUCCESS);
        mca_fcoll_overlap_declared_look(module);
    }
    module->settings_agreed = false; /* the engine learns of the mode in the next call */
    return either_error(error, ret);
}

/* MPI_File_close returns success whatever happens (ompi_file_close), so the error goes to the error handler and to stderr.
 * All ranks have the same one. */
static int declared_close(ompi_file_t *file) {
    mca_fcoll_overlap_module_t *module = mca_fcoll_overlap_module_of_file(file);
    const int error = write_held_first(module);

    give_functions_back(module); /* the close frees the module */
    if (OVERLAP_SUCCESS != error) {
        if (0 == module->fh->f_rank) {
            say_declared_lost(module, error);
        }
        if (NULL != file->error_handler) {
            OMPI_ERRHANDLER_INVOKE(file, mca_fcoll_overlap_class_of_error(error), "MPI_File_close");
        }
    }
    return either_error(error, MCA_FCOLL_OVERLAP_IO(file)->io_module_file_close(file));
}

/* All ranks give the same data representation. With the view OMPIO may choose another component for the file. */
static int declared_set_view(ompi_file_t *file, OMPI_MPI_OFFSET_TYPE disp, ompi_datatype_t *etype, ompi_datatype_t *filetype,
                             const char *datarep, opal_info_t *info) {
    mca_fcoll_overlap_module_t *module = mca_fcoll_overlap_module_of_file(file);
    ompio_file_t *fh = module->fh;
    const int error = 0 == strcasecmp(datarep, "native") ? OVERLAP_SUCCESS : write_held_first(module);
    const int ret = ompio(file)->io_module_file_set_view(file, disp, etype, filetype, datarep, info);

    module = mca_fcoll_overlap_module_in(fh);
    if (NULL != module && fh->f_fcoll != &module->super) {
        mca_fcoll_overlap_declared_end(module);
    }
    return either_error(error, ret);
}

/* Independent calls. */

/* The end of the file counts what this rank holds: a pointer is set behind it once it is written. */
static int declared_seek(ompi_file_t *file, MPI_Offset offset, int whence) {
    if (MPI_SEEK_END == whence) {
        mca_fcoll_overlap_declared_write_own(mca_fcoll_overlap_module_of_file(file)); /* all ranks return its error later */
    }
    return ompio(file)->io_module_file_seek(file, offset, whence);
}

static int declared_get_size(ompi_file_t *file, MPI_Offset *size) {
    const mca_fcoll_overlap_module_t *const module = mca_fcoll_overlap_module_of_file(file);
    const int ret = module->io.io_module_file_get_size(file, size);
    const int64_t end = NULL == module->engine ? 0 : overlap_file_held_end(module->engine);

    if (OMPI_SUCCESS == ret && *size < end) {
        *size = end;
    }
    return ret;
}

/* By the individual file pointer, by an offset in etypes from the start of the view on, by the shared file pointer. */
enum { BY_POINTER, BY_OFFSET, BY_SHARED_POINTER };

/* What no number holds goes to OMPIO, which refuses it. Other processes move the shared pointer, too, but never back. */
static bool refuses(ompi_file_t *file, int by, MPI_Offset offset, mca_fcoll_overlap_count_t count, ompi_datatype_t *type) {
    const mca_fcoll_overlap_module_t *module = mca_fcoll_overlap_module_of_file(file);
    const mca_fcoll_overlap_view_t *view = MCA_FCOLL_OVERLAP_VIEW(module->fh);
    OMPI_MPI_OFFSET_TYPE byte = 0;
    overlap_layout layout;
    size_t size = 0, bytes;
    int64_t position = 0;

    opal_datatype_type_size(&type->super, &size);
    if (NULL == module->engine || 0 == overlap_file_refuses(module->engine, INT64_MIN, INT64_MAX) ||
        __builtin_mul_overflow(size, count, &bytes) || 0 == bytes || 0 == view->f_view_size ||
        (BY_OFFSET == by && (offset < 0 || __builtin_mul_overflow(offset, view->f_etype_size, &position)))) {
        return false;
    }
    if (0 == (module->fh->f_flags & OMPIO_DATAREP_NATIVE)) {
        return true;
    }
    if (BY_SHARED_POINTER == by) {
        return OMPI_SUCCESS != module->io.io_module_file_get_position_shared(file, &offset) ||
               OMPI_SUCCESS != module->io.io_module_file_get_byte_offset(file, offset, &byte) ||
               0 != overlap_file_refuses(module->engine, byte, INT64_MAX);
    }
    mca_fcoll_overlap_view_layout(module->fh, &layout);
    if (BY_OFFSET == by) {
        layout.origin = view->f_disp + position / (int64_t)view->f_view_size * (int64_t)view->f_view_extent;
        layout.skip = (size_t)position % view->f_view_size;
    }
    return 0 != overlap_file_refuses_layout(module->engine, &layout, bytes);
}

#define ACCESS(name, by, offset, parameters, arguments)                                                                     \
    static int declared_##name parameters {                                                                                 \
        return refuses(file, by, offset, count, type) ? MPI_ERR_ACCESS : ompio(file)->io_module_file_##name arguments;      \
    }
#define INDEPENDENT(name, buffer, result_t)                                                                                 \
    ACCESS(name##_at, BY_OFFSET, offset, (ompi_file_t * file, MPI_Offset offset, buffer buf, ELEMENTS, result_t * result),  \
           (file, offset, buf, count, type, result))                                                                        \
    ACCESS(name, BY_POINTER, 0, (ompi_file_t * file, buffer buf, ELEMENTS, result_t * result),                              \
           (file, buf, count, type, result))                                                                                \
    ACCESS(name##_shared, BY_SHARED_POINTER, 0, (ompi_file_t * file, buffer buf, ELEMENTS, result_t * result),              \
           (file, buf, count, type, result))
INDEPENDENT(read, void *, ompi_status_public_t)
INDEPENDENT(write, const void *, ompi_status_public_t)
INDEPENDENT(iread, void *, ompi_request_t *)
INDEPENDENT(iwrite, const void *, ompi_request_t *)

#define BY_EACH_POINTER(each, name) each(name##_at) each(name) each(name##_shared)
#define REPLACED(each)                                                                                                      \
    each(close) each(sync) each(set_size) each(get_size) each(preallocate) each(set_atomicity) each(set_view) each(seek)    \
        each(seek_shared) each(read_ordered) each(write_ordered) each(read_ordered_begin) each(write_ordered_begin)         \
            BY_EACH_POINTER(each, read) BY_EACH_POINTER(each, write) BY_EACH_POINTER(each, iread)                           \
                BY_EACH_POINTER(each, iwrite)
#define REPLACE(name) io->io_module_file_##name = declared_##name;

static void replace_functions(mca_fcoll_overlap_module_t *module) {
    mca_fcoll_overlap_io_t *io = MCA_FCOLL_OVERLAP_IO(module->fh->f_fh);

    module->functions_replaced = true;
    module->io = *io;
    REPLACED(REPLACE)
}

void mca_fcoll_overlap_declared_look(mca_fcoll_overlap_module_t *module) {
    if (NULL == module->engine || 0 == overlap_file_declares(module->engine)) {
        give_functions_back(module);
    } else if (!module->functions_replaced) {
        replace_functions(module);
    }
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
