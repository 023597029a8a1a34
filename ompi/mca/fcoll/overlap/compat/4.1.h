/*
 * SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The overlap project
 *
 * What only Open MPI 4.1 needs.
 */
#ifndef MCA_FCOLL_OVERLAP_COMPAT_4_1_H
#define MCA_FCOLL_OVERLAP_COMPAT_4_1_H

#include "ompi/communicator/communicator.h"
#include "ompi/group/group.h"
#include "ompi/mca/osc/base/base.h"
#include "ompi/proc/proc.h"
#include "ompi/win/win.h"
#include "opal/mca/base/mca_base_var.h"
#include "opal/mca/pmix/pmix.h"
#include "opal/threads/mutex.h"

#include <stdio.h>

/* Open MPI ends the program where a copy fails, so there is none. */
#define MCA_FCOLL_OVERLAP_COPIES_FROM_DEVICES 0
static inline int mca_fcoll_overlap_copy_device(void *to, const void *from, size_t bytes) { return OPAL_ERR_NOT_SUPPORTED; }

/* Open MPI has it where it was built with CUDA. */
extern bool opal_cuda_check_one_buf(char *address, opal_convertor_t *convertor) __attribute__((weak));

/* Memory that moves between host and device by itself has a flag, and is the CPU's as well. */
static inline bool mca_fcoll_overlap_is_device_memory(const void *address) {
    opal_convertor_t convertor = {.flags = 0};
    return NULL != opal_cuda_check_one_buf && NULL != address &&
           opal_cuda_check_one_buf((char *)(intptr_t)address, &convertor) && 0 == (convertor.flags & CONVERTOR_CUDA_UNIFIED);
}

/* osc rdma, whose priority is the highest, names its shared memory after the number of the communicator, which disjoint
 * communicators of one node may share, and then maps the same memory for both; over TCP it cannot make a window at all. It
 * makes no windows of MPI_Win_allocate_shared, which serve on one node. Between nodes the user has to leave it out. */
static inline bool mca_fcoll_overlap_has_safe_windows(const ompi_communicator_t *comm) {
    const mca_base_component_list_item_t *item;

    OPAL_LIST_FOREACH(item, &ompi_osc_base_framework.framework_components, mca_base_component_list_item_t) {
        if (0 == strcmp(item->cli_component->mca_component_name, "rdma")) {
            return !ompi_group_have_remote_peers(comm->c_local_group);
        }
    }
    return true;
}

static inline int mca_fcoll_overlap_win_allocate(size_t bytes, ompi_info_t *info, ompi_communicator_t *comm, void *base,
                                                 ompi_win_t **win) {
    return ompi_group_have_remote_peers(comm->c_local_group)
               ? ompi_win_allocate(bytes, 1, &info->super, comm, base, win)
               : ompi_win_allocate_shared(bytes, 1, &info->super, comm, base, win);
}

/* Component ufs sets the flag of its own accord as well, so there the parameter tells what the user wants. */
static inline bool mca_fcoll_overlap_locks_are_off(const ompio_file_t *fh) {
    enum { NO_LOCKS = 1 }; /* of fs_ufs_lock_algorithm */
    const int index = mca_base_var_find("ompi", "fs", "ufs", "lock_algorithm");
    const int *value = NULL;

    if (0 != strcmp(fh->f_fs_component->mca_component_name, "ufs")) {
        return 0 != (fh->f_flags & OMPIO_LOCK_NEVER);
    }
    return index >= 0 && OPAL_SUCCESS == mca_base_var_get_value(index, &value, NULL, NULL) && NULL != value &&
           NO_LOCKS == *value;
}

/* MPI_File_set_info removes a key that nobody subscribed to, and keeps what it was given under another one, which is also
 * what MPI_File_get_info then shows. Of a key with more than 26 characters nothing is left. */
#define MCA_FCOLL_OVERLAP_GIVEN "_OMPI_IN_"

static inline const char *mca_fcoll_overlap_entry_key(const opal_info_entry_t *entry, bool *given) {
    const size_t begin = sizeof(MCA_FCOLL_OVERLAP_GIVEN) - 1;

    *given = '_' == entry->ie_key[0] && 0 == strncmp(entry->ie_key, MCA_FCOLL_OVERLAP_GIVEN, begin);
    return entry->ie_key + (*given ? begin : 0);
}
static inline const char *mca_fcoll_overlap_entry_value(const opal_info_entry_t *entry) { return entry->ie_value; }
static inline void mca_fcoll_overlap_entry_looked_up(opal_info_entry_t *entry) {}
static inline bool mca_fcoll_overlap_entry_is_shown(const opal_info_entry_t *entry) { return true; }

static inline void mca_fcoll_overlap_hint_delete(opal_info_t *info, const char *key) {
    char given[OPAL_MAX_INFO_KEY + 1];

    opal_info_delete(info, key);
    if (snprintf(given, sizeof(given), MCA_FCOLL_OVERLAP_GIVEN "%s", key) < OPAL_MAX_INFO_KEY) {
        opal_info_delete(info, given);
    }
}

/* The name of a process's host, which the caller frees; NULL where there is no memory. */
static inline char *mca_fcoll_overlap_host_of(const ompi_proc_t *proc) {
    return strdup(opal_get_proc_hostname(&proc->super));
}

/* From 5.0 on Open MPI has asked PMIx already. */
static inline char *mca_fcoll_overlap_locality(void) {
    /* OPAL_MODEX_RECV_VALUE_OPTIONAL, which takes for granted that there is memory. */
    char *locality = NULL;
    opal_value_t *value = NULL, optional;
    opal_list_t directives;

    OBJ_CONSTRUCT(&directives, opal_list_t);
    OBJ_CONSTRUCT(&optional, opal_value_t);
    optional.key = strdup(OPAL_PMIX_OPTIONAL);
    optional.type = OPAL_BOOL;
    optional.data.flag = true;
    if (NULL != optional.key) {
        opal_list_append(&directives, &optional.super);
        if (OPAL_SUCCESS == opal_pmix.get(&OPAL_PROC_MY_NAME, OPAL_PMIX_LOCALITY_STRING, &directives, &value) &&
            NULL != value) {
            opal_value_unload(value, (void **)&locality, OPAL_STRING);
            OBJ_RELEASE(value);
        }
        opal_list_remove_item(&directives, &optional.super);
    }
    OBJ_DESTRUCT(&optional);
    OBJ_DESTRUCT(&directives);
    return NULL != locality ? locality : strdup("");
}

#endif
