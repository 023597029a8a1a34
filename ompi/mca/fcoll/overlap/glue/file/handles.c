/*
 * SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The overlap project
 *
 * The open files of this process, as far as another one of them may write to the same file while a collective call writes
 * gaps back.
 *
 * A handle whose processes are all inside a blocking call cannot write, unless other threads of them may call MPI: so the
 * second handle of PnetCDF and netCDF, on MPI_COMM_SELF, does not count. Nonblocking calls of other handles are seen as
 * pending (gaps).
 *
 * Of the files that this component serves the module holds what is looked at here: OMPIO may give such a file to another
 * component with a view and close it without a word, so the file of a module is not touched. Files that another component
 * serves are found in Open MPI's table of all open files.
 */
#include "file.h"

#include "ompi/file/file.h"
#include "ompi/group/group.h"
#include "ompi/runtime/mpiruntime.h"

#include <sys/stat.h>

void mca_fcoll_overlap_know_handle(mca_fcoll_overlap_module_t *module) {
    const ompio_file_t *fh = module->fh;
    struct stat status;

    module->file = fh->f_fh;
    module->group = fh->f_comm->c_local_group;
    OBJ_RETAIN(module->group);
    module->may_write = 0 == (fh->f_amode & MPI_MODE_RDONLY);
    module->for_shared_pointer = 0 != (fh->f_flags & OMPIO_SHAREDFP_IS_SET);
    if (0 == fstat(fh->fd, &status)) { /* else 0, which no file has: it cannot be distinguished */
        module->device = status.st_dev;
        module->inode = status.st_ino;
    }
}

static int by_name(const void *a, const void *b) { return memcmp(a, b, sizeof(opal_process_name_t)); }

static bool are_in_one_order(ompi_group_t *a, ompi_group_t *b) {
    for (int rank = 0; rank < ompi_group_size(a); ++rank) {
        const opal_process_name_t of_a = ompi_group_get_proc_name(a, rank), of_b = ompi_group_get_proc_name(b, rank);
        if (0 != by_name(&of_a, &of_b)) {
            return false;
        }
    }
    return true;
}

/* The processes of a group in an order of their own; NULL where there is no memory. */
static opal_process_name_t *sorted_processes(ompi_group_t *group) {
    const int size = ompi_group_size(group);
    opal_process_name_t *names = malloc((size_t)size * sizeof(*names));

    for (int rank = 0; NULL != names && rank < size; ++rank) {
        names[rank] = ompi_group_get_proc_name(group, rank);
    }
    if (NULL != names) {
        qsort(names, (size_t)size, sizeof(*names), by_name);
    }
    return names;
}

/* Whether each process of `inner` is one of `outer`. This process is in both. Where there is no memory: no. */
static bool is_within(ompi_group_t *inner, ompi_group_t *outer) {
    const int inner_size = ompi_group_size(inner), outer_size = ompi_group_size(outer);
    opal_process_name_t *inner_names, *outer_names;
    bool within;

    if (1 == inner_size || inner == outer || (inner_size == outer_size && are_in_one_order(inner, outer))) {
        return true;
    }
    if (inner_size > outer_size) {
        return false;
    }
    inner_names = sorted_processes(inner);
    outer_names = sorted_processes(outer);
    within = NULL != inner_names && NULL != outer_names;
    for (int i = 0, j = 0; i < inner_size && within; ++i, ++j) {
        while (j < outer_size && 0 != by_name(&inner_names[i], &outer_names[j])) {
            ++j;
        }
        within = j < outer_size;
    }
    free(inner_names);
    free(outer_names);
    return within;
}

/* What cannot be distinguished is treated as the same file. OMPIO's own handle for a shared file pointer writes within calls
 * of its file only. */
bool mca_fcoll_overlap_is_another_handle(const mca_fcoll_overlap_module_t *other, const mca_fcoll_overlap_module_t *module) {
    return other != module && !other->for_shared_pointer &&
           (0 == other->inode || 0 == module->inode || (other->device == module->device && other->inode == module->inode));
}

static bool may_write_now(bool may_write, ompi_group_t *group, const mca_fcoll_overlap_module_t *module) {
    return may_write && (ompi_mpi_thread_multiple || !is_within(group, module->group));
}

/* Whether the module of an open file is in the list, which begins with `first`. */
static bool is_served(const ompi_file_t *file, const mca_fcoll_overlap_module_t *first) {
    while (NULL != first && file != first->file) {
        first = first->next;
    }
    return NULL != first;
}

/* Of a file that another component serves; that of the module has a descriptor, as gaps are written back. Where another
 * thread may close it, it is not looked at, and what cannot be looked at is treated as the same file. */
static bool others_file_may_be_written(ompi_file_t *file, const mca_fcoll_overlap_module_t *module) {
    struct stat status;

    if (ompi_mpi_thread_multiple) {
        return true;
    }
    return may_write_now(0 == (file->f_amode & MPI_MODE_RDONLY), file->f_comm->c_local_group, module) &&
           (NULL == file->f_filename || 0 != stat(file->f_filename, &status) ||
            (status.st_dev == module->device && status.st_ino == module->inode));
}

bool mca_fcoll_overlap_another_handle_may_write(mca_fcoll_overlap_module_t *module) {
    const mca_fcoll_overlap_module_t *const first = mca_fcoll_overlap_modules_begin();
    const int files = opal_pointer_array_get_size(&ompi_file_f_to_c_table);
    bool found = false;

    for (const mca_fcoll_overlap_module_t *other = first; NULL != other && !found; other = other->next) {
        found = mca_fcoll_overlap_is_another_handle(other, module) && may_write_now(other->may_write, other->group, module);
    }
    for (int i = 0; i < files && !found; ++i) {
        ompi_file_t *const file = opal_pointer_array_get_item(&ompi_file_f_to_c_table, i);
        found = NULL != file && &ompi_mpi_file_null.file != file && !is_served(file, first) &&
                others_file_may_be_written(file, module);
    }
    mca_fcoll_overlap_modules_end();
    return found;
}
