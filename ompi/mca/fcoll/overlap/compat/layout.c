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

#include "ompi/file/file.h"
#include "ompi/proc/proc.h"
#include "ompi/win/win.h"
#include "opal/runtime/opal.h"
#include "opal/util/info.h"

#include <dlfcn.h>
#include <stdio.h>

static const char made_for[] = OPAL_IDENT_STRING; /* what opal_version_string was made of */

static bool is_same_series(void) {
    const char *last = strrchr(made_for, '.');

    return 0 == strncmp(made_for, opal_version_string, NULL == last ? sizeof(made_for) : (size_t)(last - made_for) + 1);
}

OBJ_CLASS_DECLARATION(ompi_file_t);

#define DIFFERS(type) (type##_class.cls_sizeof != sizeof(type))

static bool classes_differ(void) {
    return DIFFERS(opal_object_t) || DIFFERS(opal_info_t) || DIFFERS(opal_convertor_t) || DIFFERS(ompi_request_t) ||
           DIFFERS(ompi_communicator_t) || DIFFERS(ompi_group_t) || DIFFERS(ompi_datatype_t) || DIFFERS(ompi_win_t) ||
           DIFFERS(ompi_file_t) || DIFFERS(ompi_proc_t) || DIFFERS(mca_ompio_request_t);
}

/* A file handle has no class that tells its size. Where its fields are is seen from what functions of Open MPI do to one
 * that they are given, whose words all have a known value before. That of Open MPI may be longer. */
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
    (void)fh;
    *size = 1;
    return OMPI_SUCCESS;
}

static int size_by_another(struct ompio_file_t *fh, OMPI_MPI_OFFSET_TYPE *size) {
    (void)fh;
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

/* mca_common_ompio_file_get_position counts in elements: full tiles of the view, and what is used of the last. */
static bool knows_view(void) {
    enum { TILES = 5, EXTENT = 70, ELEMENTS = 3, SIZE = 8, USED = 2, BEGIN = 11 };
    handle_t handle;
    mca_fcoll_overlap_view_t *view = MCA_FCOLL_OVERLAP_VIEW(&handle.file);
    OMPI_MPI_OFFSET_TYPE position = 0;

    fill(handle.words, 0, WORDS, NULL);
    view->f_disp = BEGIN;
    view->f_offset = BEGIN + TILES * EXTENT;
    view->f_view_extent = EXTENT;
    view->f_view_size = ELEMENTS * SIZE;
    view->f_etype_size = SIZE;
    view->f_total_bytes = USED * SIZE;
    mca_common_ompio_file_get_position(&handle.file, &position);
    return TILES * ELEMENTS + USED == position;
}

enum { BYTES_PER_AGGREGATOR = 4242 };

static int give_bytes_per_aggregator(char *name, int length) {
    (void)name;
    (void)length;
    return BYTES_PER_AGGREGATOR;
}

#define IS_SET(handle, field) (0 != memcmp(&(handle)->field, &before.file.field, sizeof(before.file.field)))

/* mca_common_ompio_set_file_defaults sets some fields and leaves others. It asks f_info, which is in the first part of the
 * handle, for a hint, and calls f_get_mca_parameter_value, which is near the end. */
static bool knows_defaults(void) {
    const size_t half = offsetof(ompio_file_t, f_io_array) / sizeof(void *);
    handle_t handle, before;
    const ompio_file_t *fh = &handle.file;
    opal_info_t info;
    bool sets, leaves;

    OBJ_CONSTRUCT(&info, opal_info_t);
    fill(before.words, 0, half, &info);
    fill(before.words, half, WORDS, (const void *)(intptr_t)give_bytes_per_aggregator);
    handle = before;
    mca_common_ompio_set_file_defaults(&handle.file);
    OBJ_DESTRUCT(&info);
    sets = BYTES_PER_AGGREGATOR == fh->f_bytes_per_agg && IS_SET(fh, f_perm) && IS_SET(fh, f_flags) &&
           IS_SET(fh, f_atomicity) && IS_SET(fh, f_fs_block_size) && IS_SET(fh, f_stripe_size) && IS_SET(fh, f_io_array) &&
           IS_SET(fh, f_iov_type) && IS_SET(fh, f_init_aggr_list) && IS_SET(fh, f_init_num_aggrs);
    leaves = !IS_SET(fh, fd) && !IS_SET(fh, f_fh) && !IS_SET(fh, f_rank) && !IS_SET(fh, f_size) && !IS_SET(fh, f_amode) &&
             !IS_SET(fh, f_comm) && !IS_SET(fh, f_filename) && !IS_SET(fh, f_mem_convertor) && !IS_SET(fh, f_info) &&
             !IS_SET(fh, f_split_coll_req) && !IS_SET(fh, f_num_of_io_entries) && !IS_SET(fh, f_fs_component) &&
             !IS_SET(fh, f_fcoll_component) && !IS_SET(fh, f_fbtl_component) && !IS_SET(fh, f_fs) && !IS_SET(fh, f_fcoll) &&
             !IS_SET(fh, f_fbtl);
    if (sets && leaves) {
        ompi_datatype_destroy(&handle.file.f_iov_type);
    }
    return sets && leaves;
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

bool mca_fcoll_overlap_fits_file_handle(void) {
    return said_unless(knows_table_of_fs() && knows_view() && knows_defaults());
}
