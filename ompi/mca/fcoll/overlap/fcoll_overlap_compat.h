/*
 * SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The overlap project
 *
 * What differs between Open MPI 4.1, 5.0 and 6.x, and nothing else.
 */
#ifndef MCA_FCOLL_OVERLAP_COMPAT_H
#define MCA_FCOLL_OVERLAP_COMPAT_H

#include "ompi_config.h"

#if defined(OVERLAP_OWN_THREAD_HEADERS)
#    include "compat/threads.h"
#endif

#include "ompi/datatype/ompi_datatype.h"
#include "ompi/mca/common/ompio/common_ompio.h"
#include "ompi/mca/common/ompio/common_ompio_request.h"
#include "ompi/mca/fcoll/base/base.h"
#include "ompi/mca/fcoll/fcoll.h"
#include "ompi/mca/io/io.h"
#include "opal/datatype/opal_convertor.h"
#include "opal/util/info.h"
#include "opal/util/proc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if OMPI_MAJOR_VERSION < 5
#    include "compat/4.1.h"
#else
#    include "ompi/proc/proc.h"
#    include "ompi/win/win.h"
#    include "opal/mca/accelerator/accelerator.h"
#    include "opal/mca/threads/mutex.h"

#    define MCA_FCOLL_OVERLAP_COPIES_FROM_DEVICES 1

/* Whether the CPU cannot be relied on to reach an address. */
static inline bool mca_fcoll_overlap_is_device_memory(const void *address) {
    uint64_t flags = 0;
    int device = 0;
    return NULL != address && opal_accelerator.check_addr(address, &device, &flags) > 0;
}

/* Copies from or to a device; Open MPI finds out by the addresses which of the two. */
static inline int mca_fcoll_overlap_copy_device(void *to, const void *from, size_t bytes) {
    const int any = MCA_ACCELERATOR_NO_DEVICE_ID;
    return opal_accelerator.mem_copy(any, any, to, from, bytes, MCA_ACCELERATOR_TRANSFER_UNSPEC);
}

/* OMPIO's "no locks" is obeyed: the user turned them off, or its component for Lustre, unless the user asks for them. */
static inline bool mca_fcoll_overlap_locks_are_off(const ompio_file_t *fh) { return 0 != (fh->f_flags & OMPIO_LOCK_NEVER); }

/* Whether the windows of every osc component that Open MPI may choose for these ranks work. */
static inline bool mca_fcoll_overlap_has_safe_windows(const ompi_communicator_t *comm) { return true; }

static inline int mca_fcoll_overlap_win_allocate(size_t bytes, ompi_info_t *info, ompi_communicator_t *comm, void *base,
                                                 ompi_win_t **win) {
    return ompi_win_allocate(bytes, 1, &info->super, comm, base, win);
}

/* Key and value of a hint. `given`: it stands beside the one in use, which counts; what MPI_File_set_info was given. */
static inline const char *mca_fcoll_overlap_entry_key(const opal_info_entry_t *entry, bool *given) {
    *given = false;
    return entry->ie_key->string;
}
static inline const char *mca_fcoll_overlap_entry_value(const opal_info_entry_t *entry) { return entry->ie_value->string; }
/* MPI_File_get_info leaves out what nobody has looked up (opal_info_dup_public). */
static inline void mca_fcoll_overlap_entry_looked_up(opal_info_entry_t *entry) { ++entry->ie_referenced; }

static inline bool mca_fcoll_overlap_entry_is_shown(const opal_info_entry_t *entry) { return !entry->ie_internal; }

/* Removes a hint, wherever it was given. */
static inline void mca_fcoll_overlap_hint_delete(opal_info_t *info, const char *key) { opal_info_delete(info, key); }

/* The name of a process's host, which the caller frees; NULL where there is no memory. */
static inline char *mca_fcoll_overlap_host_of(const ompi_proc_t *proc) { return opal_get_proc_hostname(&proc->super); }

/* On which objects of its node this process may run, as Open MPI's runtime says; empty where it says nothing, as for a
 * process that is not bound. The caller frees it; NULL where there is no memory. */
static inline char *mca_fcoll_overlap_locality(void) {
    return strdup(NULL == opal_process_info.locality ? "" : opal_process_info.locality);
}
#endif

/* 6.0 counts elements in size_t (fcoll API 3.0.0, io API 3.0.0) and keeps the file view in a struct of its own, whose fields
 * have the names that they had in the file handle. */
#if OMPI_MAJOR_VERSION >= 6
typedef size_t mca_fcoll_overlap_count_t;
typedef ompio_fview_t mca_fcoll_overlap_view_t;
#    define MCA_FCOLL_OVERLAP_VIEW(fh) (&(fh)->f_fview)
#    define MCA_FCOLL_OVERLAP_API_VERSION MCA_FCOLL_BASE_VERSION_3_0_0
#    define MCA_FCOLL_OVERLAP_IO(file) (&(file)->f_io_selected_module.v3_0_0)
#    define MCA_FCOLL_OVERLAP_IO_VERSION MCA_IO_BASE_V_3_0_0
typedef mca_io_base_module_3_0_0_t mca_fcoll_overlap_io_t;
#else
typedef int mca_fcoll_overlap_count_t;
typedef ompio_file_t mca_fcoll_overlap_view_t;
#    define MCA_FCOLL_OVERLAP_VIEW(fh) (fh)
#    define MCA_FCOLL_OVERLAP_API_VERSION MCA_FCOLL_BASE_VERSION_2_0_0
#    define MCA_FCOLL_OVERLAP_IO(file) (&(file)->f_io_selected_module.v2_0_0)
#    define MCA_FCOLL_OVERLAP_IO_VERSION MCA_IO_BASE_V_2_0_0
typedef mca_io_base_module_2_0_0_t mca_fcoll_overlap_io_t;
#endif

/* From 6.0 on a hint lasts beyond the next file view, and MPI_File_get_info shows it, only where somebody subscribed to its
 * key. What the user does not set stays unset. 4.1 takes no subscription of such long keys. */
#if OMPI_MAJOR_VERSION >= 6
#    define MCA_FCOLL_OVERLAP_KEEPS_HINTS 1
static inline const char *mca_fcoll_overlap_hint_as_it_is(opal_infosubscriber_t *object, const char *key,
                                                          const char *value) {
    return NULL == value || '\0' == value[0] ? NULL : value;
}

static inline void mca_fcoll_overlap_keep_hint(ompio_file_t *fh, const char *key) {
    mca_common_ompio_info_subscribe(fh, key, "", mca_fcoll_overlap_hint_as_it_is);
}
#else
#    define MCA_FCOLL_OVERLAP_KEEPS_HINTS 0
static inline void mca_fcoll_overlap_keep_hint(ompio_file_t *fh, const char *key) {}
#endif

/* From 6.0 on the info holds the size of the collective buffer in any case, and does not tell who asked for it. */
#define MCA_FCOLL_OVERLAP_INFO_HAS_DEFAULTS (OMPI_MAJOR_VERSION >= 6)

/* From 6.0 on no help files are read: the texts of Open MPI's own source tree are in its libraries. What is built outside of
 * it has to say its own. */
#if OMPI_MAJOR_VERSION >= 6 && defined(OVERLAP_OUTSIDE_OF_TREE)
#    define MCA_FCOLL_OVERLAP_OWN_HELP
#endif

#endif
