/*
 * SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The overlap project
 *
 * Whether the Open MPI that runs has the structs that this component was compiled with. Outside of its source tree they may
 * differ: every Open MPI of a user looks into ~/.openmpi/components, and what it asks a component for, the version of the
 * framework, is the same for 4.1 and 5.0, and with and without --enable-debug. Releases of one series, such as 5.0.7 and
 * 5.0.8, have had the same structs so far, and a component is used in all of them as long as they do.
 */
#include "../fcoll_overlap.h"

#include "ompi/communicator/communicator.h"
#include "ompi/file/file.h"
#include "ompi/mca/fbtl/base/base.h"
#include "ompi/mca/fs/base/base.h"
#include "ompi/proc/proc.h"
#include "ompi/win/win.h"
#include "opal/runtime/opal.h"
#include "opal/util/info.h"

#include <dlfcn.h>
#include <stdio.h>
#include <sys/stat.h>

static const char made_for[] = OPAL_IDENT_STRING; /* what opal_version_string was made of */

static bool is_same_series(void) {
    const char *last = strrchr(made_for, '.');

    return 0 == strncmp(made_for, opal_version_string, NULL == last ? sizeof(made_for) : (size_t)(last - made_for) + 1);
}

OBJ_CLASS_DECLARATION(ompi_file_t);

#define DIFFERS(type) (type##_class.cls_sizeof != sizeof(type))

static bool classes_differ(void) {
    return DIFFERS(opal_object_t) || DIFFERS(opal_info_t) || DIFFERS(opal_info_entry_t) || DIFFERS(opal_convertor_t) ||
           DIFFERS(ompi_request_t) || DIFFERS(ompi_communicator_t) || DIFFERS(ompi_group_t) || DIFFERS(ompi_datatype_t) ||
           DIFFERS(ompi_win_t) || DIFFERS(ompi_file_t) || DIFFERS(ompi_proc_t) || DIFFERS(mca_ompio_request_t);
}

/* A file handle has no class that tells its size. Where its fields are is seen from a handle of a file, whose values are
 * known from elsewhere, and from what functions of Open MPI do to one that is made here and that may be longer in them. */
typedef union handle_t {
    ompio_file_t file;
    const void *words[4 * sizeof(ompio_file_t) / sizeof(void *)];
} handle_t;

enum { WORDS = sizeof(((handle_t *)NULL)->words) / sizeof(void *), TABLE = 64 };

static void fill(const void **words, size_t from, size_t to, const void *value) {
    for (size_t i = from; i < to; ++i) {
        words[i] = value;
    }
}

static int size_by_f_fs(struct ompio_file_t *fh, OMPI_MPI_OFFSET_TYPE *size) {
    *size = 1;
    return OMPI_SUCCESS;
}

static int size_by_another(struct ompio_file_t *fh, OMPI_MPI_OFFSET_TYPE *size) {
    *size = 0;
    return OMPI_SUCCESS;
}

/* mca_common_ompio_file_get_size calls a function of the table that f_fs points to, whichever word of the handle that is. */
static bool knows_table_of_fs(void) {
    const void *of_fs[TABLE], *another[TABLE];
    handle_t handle;
    OMPI_MPI_OFFSET_TYPE size = 0;

    fill(of_fs, 0, TABLE, (const void *)(intptr_t)size_by_f_fs);
    fill(another, 0, TABLE, (const void *)(intptr_t)size_by_another);
    fill(handle.words, 0, WORDS, another);
    handle.file.f_fs = (mca_fs_base_module_t *)of_fs;
    mca_common_ompio_file_get_size(&handle.file, &size);
    return 1 == size;
}

/* mca_common_ompio_set_explicit_offset uses all of a view: each of its fields has another value before or behind it. All
 * other words are a list of blocks too, and as a number larger than any of the view. */
static bool knows_view(void) {
    enum { TILES = 5, EXTENT = 70, SIZE = 8, BEGIN = 11, FIRST = 16, SECOND = 24, USED = 32 };
    struct iovec blocks[] = {{NULL, FIRST}, {NULL, SECOND}, {NULL, SIZE_MAX / 2}};
    struct iovec others[] = {{NULL, SIZE_MAX / 2}};
    handle_t handle;
    mca_fcoll_overlap_view_t *view = MCA_FCOLL_OVERLAP_VIEW(&handle.file);

    fill(handle.words, 0, WORDS, others);
    view->f_decoded_iov = blocks;
    view->f_disp = BEGIN;
    view->f_view_extent = EXTENT;
    view->f_view_size = FIRST + SECOND;
    view->f_etype_size = SIZE;
    mca_common_ompio_set_explicit_offset(&handle.file, (TILES * (FIRST + SECOND) + USED) / SIZE);
    return BEGIN + TILES * EXTENT == view->f_offset && USED == view->f_total_bytes && 1 == view->f_index_in_file_view &&
           FIRST == view->f_position_in_file_view;
}

enum { BYTES_PER_AGGREGATOR = 4242, BLOCK_SIZE = 4096 };

static int give_bytes_per_aggregator(char *name, int length) { return BYTES_PER_AGGREGATOR; }

/* What mca_common_ompio_set_file_defaults sets. It asks f_info, which is in the first part of the handle, for a hint, and
 * calls f_get_mca_parameter_value, which is near the end. */
static bool knows_defaults(void) {
    const size_t half = offsetof(ompio_file_t, f_io_array) / sizeof(void *);
    handle_t handle;
    const ompio_file_t *fh = &handle.file;
    opal_info_t info;
    bool knows;

    OBJ_CONSTRUCT(&info, opal_info_t);
    fill(handle.words, 0, half, &info);
    fill(handle.words, half, WORDS, (const void *)(intptr_t)give_bytes_per_aggregator);
    mca_common_ompio_set_file_defaults(&handle.file);
    OBJ_DESTRUCT(&info);
    knows = BYTES_PER_AGGREGATOR == fh->f_bytes_per_agg && BLOCK_SIZE == fh->f_fs_block_size && 0 == fh->f_flags &&
            0 == fh->f_atomicity && 0 == fh->f_stripe_size && -1 == fh->f_init_num_aggrs && NULL == fh->f_init_aggr_list &&
            NULL == fh->f_io_array && (const void *)&info != (const void *)fh->f_iov_type;
    if (knows) {
        ompi_datatype_destroy(&handle.file.f_iov_type);
    }
    return knows;
}

/* The file whose handle it is; NULL where it is one that OMPIO has besides, for a shared file pointer. */
static const ompi_file_t *file_of(const ompio_file_t *fh) {
    for (int i = 0; i < opal_pointer_array_get_size(&ompi_file_f_to_c_table); ++i) {
        const ompi_file_t *file = opal_pointer_array_get_item(&ompi_file_f_to_c_table, i);
        if (NULL != file && (const void *)fh == file->f_io_selected_data) {
            return file;
        }
    }
    return NULL;
}

static bool is_communicator(ompi_communicator_t *comm, ompi_communicator_t *like) {
    for (int i = 0; i < opal_pointer_array_get_size(&ompi_mpi_communicators); ++i) {
        if (NULL != comm && comm == opal_pointer_array_get_item(&ompi_mpi_communicators, i)) {
            return ompi_comm_rank(comm) == ompi_comm_rank(like) && ompi_comm_size(comm) == ompi_comm_size(like);
        }
    }
    return false;
}

static bool is_component(const mca_base_component_t *component, const mca_base_framework_t *framework) {
    const mca_base_component_list_item_t *item;

    OPAL_LIST_FOREACH(item, &framework->framework_components, mca_base_component_list_item_t) {
        if (component == item->cli_component) {
            return true;
        }
    }
    return false;
}

/* As it is when the file is opened. No pointer is followed before it is known. */
static bool knows_handle(const ompio_file_t *fh, const ompi_file_t *file) {
    struct stat by_descriptor, by_name;

    if (fh->f_fh != file || fh->f_info != file->super.s_info || fh->f_filename != file->f_filename ||
        fh->f_amode != file->f_amode || fh->f_rank != ompi_comm_rank(file->f_comm) ||
        fh->f_size != ompi_comm_size(file->f_comm) || !is_communicator(fh->f_comm, file->f_comm) ||
        !is_component(fh->f_fs_component, &ompi_fs_base_framework) ||
        !is_component(fh->f_fbtl_component, &ompi_fbtl_base_framework) || 0 != fh->f_atomicity ||
        1 != MCA_FCOLL_OVERLAP_VIEW(fh)->f_iov_count || NULL != fh->f_split_coll_req) {
        return false;
    }
    return 0 != strcmp(fh->f_fbtl_component->mca_component_name, "posix") || 0 != stat(fh->f_filename, &by_name) ||
           (0 == fstat(fh->fd, &by_descriptor) && by_descriptor.st_dev == by_name.st_dev &&
            by_descriptor.st_ino == by_name.st_ino);
}

/* By no function of an Open MPI of another series, and by none of its help texts, which may be those of another copy of this
 * component. */
static bool said_unless(bool fits) {
    const char *rank = getenv("OMPI_COMM_WORLD_RANK");
    Dl_info found = {.dli_fname = NULL};

    if (!fits && (NULL == rank || 0 == strcmp(rank, "0"))) {
        dladdr(made_for, &found);
        fprintf(stderr,
                "The Open MPI component fcoll/overlap that was found is made for Open MPI %s, and this is %s%s: it is not "
                "used. Build it for this one (configure --with-openmpi-install=PREFIX), or remove the other: %s\n",
                made_for, opal_version_string,
                0 == strcmp(opal_version_string, made_for) ? ", configured in another way" : "",
                NULL == found.dli_fname ? "mca_fcoll_overlap.so" : found.dli_fname);
    }
    return fits;
}

bool mca_fcoll_overlap_fits_release(void) { return said_unless(is_same_series() && !classes_differ()); }

bool mca_fcoll_overlap_fits_file_handle(const ompio_file_t *fh) {
    static enum { UNKNOWN = 0, FITS, DIFFERS_FROM_OURS } state = UNKNOWN;
    const ompi_file_t *file = UNKNOWN == state ? file_of(fh) : NULL;

    if (NULL != file) {
        const bool fits = knows_table_of_fs() && knows_view() && knows_defaults() && knows_handle(fh, file);
        state = said_unless(fits) ? FITS : DIFFERS_FROM_OURS;
    }
    return DIFFERS_FROM_OURS != state;
}
