/*
 * SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The overlap project
 *
 * The modules of all open files of this process, and whether the gaps of a write may be read and written back: not where the
 * caches of several nodes may differ, and not where these processes may write into the gaps meanwhile. Somebody else who
 * writes there, another communicator or job, is not known here.
 *
 * OMPIO selects a component anew with every file view, without telling the one that it had, so modules are found by their
 * file.
 *
 * While a collective call writes gaps back a handle whose processes are all inside the call cannot write, unless other
 * threads of them may call MPI: so the second handle of PnetCDF and netCDF, on MPI_COMM_SELF, does not count. Nonblocking
 * calls of other handles are seen as pending.
 *
 * Of the files that this component serves the module holds what is looked at here: OMPIO may give such a file to another
 * component with a view and close it without a word, so the file of a module is not touched. Files that another component
 * serves are found in Open MPI's table of all open files.
 */
#include "file.h"

#include "ompi/file/file.h"
#include "ompi/group/group.h"
#include "ompi/runtime/mpiruntime.h"

#include <fcntl.h>
#include <sys/stat.h>

/* The latest first: a file that OMPIO has closed without a word stays in the list, and another one may have its address. */
static mca_fcoll_overlap_module_t *modules = NULL;
static opal_mutex_t modules_lock = OPAL_MUTEX_STATIC_INIT;

/* The link that points to the module of a file, or the end of the list. Needs the lock. */
static mca_fcoll_overlap_module_t **find_link(const ompio_file_t *fh) {
    mca_fcoll_overlap_module_t **link = &modules;
    while (NULL != *link && fh != (*link)->fh) {
        link = &(*link)->next;
    }
    return link;
}

/* Needs the lock. */
static int least_free_handle(void) {
    const mca_fcoll_overlap_module_t *one = modules;
    int handle = 0;

    while (NULL != one) {
        const bool taken = handle == one->trace_handle;
        handle += taken;
        one = taken ? modules : one->next;
    }
    return handle;
}

/* Whether the descriptor and OMPIO allow to read back what lies in gaps, under a lock. OMPIO opens a file of MPI_MODE_WRONLY
 * with O_RDWR (4.1.4), so the descriptor tells and not the mode. */
static bool can_be_read_and_locked(const ompio_file_t *fh) {
    const int flags = fcntl(fh->fd, F_GETFL);

    return flags >= 0 && O_RDWR == (flags & O_ACCMODE) && !mca_fcoll_overlap_locks_are_off(fh);
}

/* A file is opened and closed by one thread at a time. What does not change while it is open is asked for once: in each call
 * it would cost system calls. */
void mca_fcoll_overlap_modules_add(mca_fcoll_overlap_module_t *module) {
    const ompio_file_t *fh = module->fh;
    struct stat status;

    module->file = fh->f_fh;
    module->group = fh->f_comm->c_local_group;
    OBJ_RETAIN(module->group);
    module->can_be_read_and_locked = can_be_read_and_locked(fh);
    module->may_write = 0 == (fh->f_amode & MPI_MODE_RDONLY);
    if (0 == fstat(fh->fd, &status)) { /* else 0, which no file has: it cannot be distinguished */
        module->device = status.st_dev;
        module->inode = status.st_ino;
    }
    opal_mutex_lock(&modules_lock);
    module->trace_handle = least_free_handle();
    module->next = modules;
    modules = module;
    opal_mutex_unlock(&modules_lock);
}

mca_fcoll_overlap_module_t *mca_fcoll_overlap_modules_remove(const ompio_file_t *fh) {
    mca_fcoll_overlap_module_t **link, *module;

    opal_mutex_lock(&modules_lock);
    link = find_link(fh);
    module = *link;
    if (NULL != module) {
        *link = module->next;
    }
    opal_mutex_unlock(&modules_lock);
    return module;
}

mca_fcoll_overlap_module_t *mca_fcoll_overlap_module_in(const ompio_file_t *fh) {
    mca_fcoll_overlap_module_t *module;

    opal_mutex_lock(&modules_lock);
    module = *find_link(fh);
    opal_mutex_unlock(&modules_lock);
    return module;
}

mca_fcoll_overlap_module_t *mca_fcoll_overlap_module_of_file(const ompi_file_t *file) {
    return mca_fcoll_overlap_module_in(&((const mca_common_ompio_data_t *)file->f_io_selected_data)->ompio_fh);
}

/* Of an open MPI file; NULL where it has none. Needs the lock. */
static mca_fcoll_overlap_module_t *module_of_open_file(const ompi_file_t *file) {
    mca_fcoll_overlap_module_t *module = modules;

    while (NULL != module && file != module->file) {
        module = module->next;
    }
    return module;
}

void mca_fcoll_overlap_counters_of(const ompi_file_t *file, overlap_counters counters[2]) {
    const mca_fcoll_overlap_module_t *module;

    memset(counters, 0, sizeof(module->counters));
    opal_mutex_lock(&modules_lock);
    module = module_of_open_file(file);
    if (NULL != module) {
        memcpy(counters, module->counters, sizeof(module->counters));
    }
    opal_mutex_unlock(&modules_lock);
}

/* Whether each process of `inner` is one of `outer`. Where they are in another order: no, which only costs the call its
 * data sieving. */
static bool is_within(ompi_group_t *inner, ompi_group_t *outer) {
    const int size = ompi_group_size(inner);
    int found = 0;

    if (1 == size || inner == outer) { /* this process is in both */
        return true;
    }
    for (int rank = 0; rank < ompi_group_size(outer) && found < size; ++rank) {
        const opal_process_name_t of_inner = ompi_group_get_proc_name(inner, found);
        const opal_process_name_t of_outer = ompi_group_get_proc_name(outer, rank);
        found += 0 == memcmp(&of_inner, &of_outer, sizeof(of_inner));
    }
    return found == size;
}

static bool may_write_now(bool may_write, ompi_group_t *group, const mca_fcoll_overlap_module_t *module) {
    return may_write && (ompi_mpi_thread_multiple || !is_within(group, module->group));
}

/* Whether there is another handle of the file, or one that `writes` now. What cannot be distinguished is treated as the same
 * file. */
static bool has_other_handle(const mca_fcoll_overlap_module_t *module, bool writes) {
    for (const mca_fcoll_overlap_module_t *other = modules; NULL != other; other = other->next) {
        const bool is_known = 0 != other->inode && 0 != module->inode;
        const bool is_another = is_known && (other->device != module->device || other->inode != module->inode);
        if (other != module && !is_another && (!writes || may_write_now(other->may_write, other->group, module))) {
            return true;
        }
    }
    return false;
}

/* Whether `file`, which another component serves, may be the file of the module and written now. That of the module has a
 * descriptor, as its gaps can be read. Where another thread may close `file` it is not looked at, and what cannot be looked
 * at is treated as the same file. */
static bool others_file_may_be_written(ompi_file_t *file, const mca_fcoll_overlap_module_t *module) {
    struct stat status;

    if (ompi_mpi_thread_multiple) {
        return true;
    }
    return may_write_now(0 == (file->f_amode & MPI_MODE_RDONLY), file->f_comm->c_local_group, module) &&
           (NULL == file->f_filename || 0 != stat(file->f_filename, &status) ||
            (status.st_dev == module->device && status.st_ino == module->inode));
}

/* Whether a process of this call may write to the file by another handle while the call runs. */
static bool another_handle_may_write(mca_fcoll_overlap_module_t *module) {
    bool found;

    opal_mutex_lock(&modules_lock);
    found = has_other_handle(module, true);
    for (int i = 0; i < opal_pointer_array_get_size(&ompi_file_f_to_c_table) && !found; ++i) {
        ompi_file_t *const file = opal_pointer_array_get_item(&ompi_file_f_to_c_table, i);
        found = NULL != file && &ompi_mpi_file_null.file != file && NULL == module_of_open_file(file) &&
                others_file_may_be_written(file, module);
    }
    opal_mutex_unlock(&modules_lock);
    return found;
}

/* Requests of other files count as well: OMPIO does not say whose one is. Its list has no lock, so where other threads may
 * change it, it is not walked: one that is not empty counts. */
static bool has_pending_writes(void) {
    opal_list_item_t *item;

    if (ompi_mpi_thread_multiple) {
        return !opal_list_is_empty(&mca_common_ompio_pending_requests);
    }
    OPAL_LIST_FOREACH(item, &mca_common_ompio_pending_requests, opal_list_item_t) {
        const mca_ompio_request_t *request = GET_OMPIO_REQ_FROM_ITEM(item);
        if (MCA_OMPIO_REQUEST_READ != request->req_type && MCA_OMPIO_REQUEST_READ_ALL != request->req_type &&
            !REQUEST_COMPLETE(&request->req_ompi)) {
            return true;
        }
    }
    return false;
}

/* The most general reason first: it is the one that the user sees. No other thread writes by this handle in a blocking
 * call, which holds the lock of the file (f_lock, io_ompio_file_write.c). */
overlap_gaps mca_fcoll_overlap_gaps(void *self) {
    mca_fcoll_overlap_module_t *module = self;

    if (!module->can_be_read_and_locked) {
        return OVERLAP_GAPS_NO_LOCK;
    }
    if (module->nodes.count > 1 && MCA_FCOLL_OVERLAP_NOT_COHERENT == module->caches) {
        return OVERLAP_GAPS_CACHES;
    }
    if (mca_fcoll_overlap_is_nonblocking()) {
        return OVERLAP_GAPS_NONBLOCKING;
    }
    if (another_handle_may_write(module)) {
        return OVERLAP_GAPS_OTHER_HANDLE;
    }
    /* Those of this file have been waited for. */
    return has_pending_writes() || mca_fcoll_overlap_operations_pending() ? OVERLAP_GAPS_PENDING_WRITE
                                                                          : OVERLAP_GAPS_WRITTEN_BACK;
}

/* Where threads call MPI at the same time nothing is declared; else nobody changes the list meanwhile. */
void mca_fcoll_overlap_update_other_handles(void) {
    for (mca_fcoll_overlap_module_t *module = modules; !ompi_mpi_thread_multiple && NULL != module; module = module->next) {
        if (module->functions_replaced && has_other_handle(module, false) != module->other_handle) {
            module->other_handle = !module->other_handle;
            if (NULL != module->engine) {
                overlap_file_hold(module->engine, !module->other_handle);
            }
            if (module->other_handle) {
                mca_fcoll_overlap_declared_write_own(module);
            }
        }
    }
}
