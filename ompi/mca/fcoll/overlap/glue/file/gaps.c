/*
 * SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The overlap project
 *
 * The part of the storage port that tells whether the gaps of a write may be read and written back: not where the caches of
 * several nodes may differ, and not where these processes may write into the gaps meanwhile. Somebody else who writes there,
 * another communicator or job, is not known here.
 */
#include "file.h"

#include <fcntl.h>

#include "ompi/runtime/mpiruntime.h"
#include "opal/mca/base/mca_base_var.h"

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

/* OMPIO's "no locks" is obeyed. Its component for Lustre sets the flag unless the user asks for locks; that for other file
 * systems sets it of its own accord in 4.1 as well, so there the parameter tells what the user wants. */
static bool locks_are_off(const ompio_file_t *fh) {
    enum { NO_LOCKS = 1 }; /* of fs_ufs_lock_algorithm */
    const char *name = NULL == fh->f_fs_component ? "" : fh->f_fs_component->mca_component_name;
    const int *value = NULL;

    if (0 != strcmp(name, "ufs")) {
        return 0 != (fh->f_flags & OMPIO_LOCK_NEVER);
    }
    return OPAL_SUCCESS ==
               mca_base_var_get_value(mca_base_var_find("ompi", "fs", "ufs", "lock_algorithm"), &value, NULL, NULL) &&
           NULL != value && NO_LOCKS == *value;
}

/* OMPIO opens a file of MPI_MODE_WRONLY with O_RDWR (4.1.4), so the descriptor tells and not the mode. */
bool mca_fcoll_overlap_can_be_read_and_locked(const ompio_file_t *fh) {
    const int flags = fcntl(fh->fd, F_GETFL);

    return flags >= 0 && O_RDWR == (flags & O_ACCMODE) && !locks_are_off(fh);
}

/* The most general reason first: it is the one that the user sees. No other thread writes by this handle in a blocking
 * call, which holds the lock of the file (f_lock, io_ompio_file_write.c). */
static overlap_gaps gaps(void *self) {
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
    if (mca_fcoll_overlap_another_handle_may_write(module)) {
        return OVERLAP_GAPS_OTHER_HANDLE;
    }
    /* Those of this file have been waited for. */
    return has_pending_writes() || mca_fcoll_overlap_operations_pending() ? OVERLAP_GAPS_PENDING_WRITE
                                                                          : OVERLAP_GAPS_WRITTEN_BACK;
}

void mca_fcoll_overlap_gaps_functions(overlap_storage *storage) { storage->gaps = gaps; }
