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
#    include "fcoll_overlap_threads.h"
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

/* Mutexes became a framework in 5.0. */
#if OMPI_MAJOR_VERSION >= 5
#    include "opal/mca/pmix/pmix-internal.h"
#    include "opal/mca/threads/mutex.h"
#else
#    include "opal/mca/pmix/pmix.h"
#    include "opal/threads/mutex.h"
#endif

#include <stdlib.h>
#include <string.h>

#if OMPI_MAJOR_VERSION < 5
#    include "compat/4.1.h"
#else
/* Whether every osc component that Open MPI may choose makes windows that work. */
static inline bool mca_fcoll_overlap_has_safe_windows(void) { return true; }
#endif

/* Whether the CPU cannot be relied on to reach an address, a copy from or to such a one, which returns what Open MPI does,
 * and host memory that is registered with devices, as they copy such faster. 4.1 ends the program where a copy fails, so
 * there is none. */
#define MCA_FCOLL_OVERLAP_COPIES_FROM_DEVICES (OMPI_MAJOR_VERSION >= 5)
#if OMPI_MAJOR_VERSION >= 5
#    include "opal/mca/accelerator/accelerator.h"
static inline bool mca_fcoll_overlap_is_device_memory(const void *address) {
    uint64_t flags = 0;
    int device = 0;
    return NULL != address && opal_accelerator.check_addr(address, &device, &flags) > 0;
}

static inline int mca_fcoll_overlap_device_copy(void *to, const void *from, size_t bytes) {
    return opal_accelerator.mem_copy(MCA_ACCELERATOR_NO_DEVICE_ID, MCA_ACCELERATOR_NO_DEVICE_ID, to, from, bytes,
                                     MCA_ACCELERATOR_TRANSFER_UNSPEC);
}

/* Copies that are under way together. 5.0 has no call that waits. */
typedef struct mca_fcoll_overlap_copies_t {
    opal_accelerator_stream_t *stream;
    opal_accelerator_event_t *event; /* behind the copies of the stream */
} mca_fcoll_overlap_copies_t;

static inline void mca_fcoll_overlap_copies_free(mca_fcoll_overlap_copies_t *copies) {
    if (NULL != copies->event) {
        OBJ_RELEASE(copies->event);
    }
    if (NULL != copies->stream) {
        OBJ_RELEASE(copies->stream);
    }
    *copies = (mca_fcoll_overlap_copies_t){0};
}

/* Before copies that were started are asked for, once; and whether they have ended: OPAL_ERR_RESOURCE_BUSY where they have
 * not. 6.x waits. */
static inline int mca_fcoll_overlap_copies_close(mca_fcoll_overlap_copies_t *copies) {
#    if OMPI_MAJOR_VERSION >= 6
    (void)copies;
    return OPAL_SUCCESS;
#    else
    return opal_accelerator.record_event(MCA_ACCELERATOR_NO_DEVICE_ID, copies->event, copies->stream);
#    endif
}

static inline int mca_fcoll_overlap_copies_test(mca_fcoll_overlap_copies_t *copies) {
#    if OMPI_MAJOR_VERSION >= 6
    return opal_accelerator.sync_stream(copies->stream);
#    else
    return opal_accelerator.query_event(MCA_ACCELERATOR_NO_DEVICE_ID, copies->event);
#    endif
}

static inline bool mca_fcoll_overlap_copies_make(mca_fcoll_overlap_copies_t *copies) {
    const int device = MCA_ACCELERATOR_NO_DEVICE_ID;
    bool made;

    *copies = (mca_fcoll_overlap_copies_t){0};
    made = OPAL_SUCCESS == opal_accelerator.create_stream(device, &copies->stream);
    copies->stream = made ? copies->stream : NULL; /* released already */
#    if OMPI_MAJOR_VERSION < 6
    made = made && OPAL_SUCCESS == opal_accelerator.create_event(device, &copies->event);
    copies->event = made ? copies->event : NULL;
#    endif
    if (!made) {
        mca_fcoll_overlap_copies_free(copies);
    }
    return made;
}

static inline int mca_fcoll_overlap_copies_start(mca_fcoll_overlap_copies_t *copies, void *to, const void *from,
                                                 size_t bytes) {
    return opal_accelerator.mem_copy_async(MCA_ACCELERATOR_NO_DEVICE_ID, MCA_ACCELERATOR_NO_DEVICE_ID, to, from, bytes,
                                           copies->stream, MCA_ACCELERATOR_TRANSFER_UNSPEC);
}

static inline bool mca_fcoll_overlap_device_pin(void *memory, size_t bytes) {
    return OPAL_SUCCESS == opal_accelerator.host_register(MCA_ACCELERATOR_NO_DEVICE_ID, memory, bytes);
}

static inline void mca_fcoll_overlap_device_unpin(void *memory) {
    (void)opal_accelerator.host_unregister(MCA_ACCELERATOR_NO_DEVICE_ID, memory);
}
#else
/* Open MPI has it where it was built with CUDA. */
extern bool opal_cuda_check_one_buf(char *address, opal_convertor_t *convertor) __attribute__((weak));

/* Memory that moves between host and device by itself has a flag, and is the CPU's as well. */
static inline bool mca_fcoll_overlap_is_device_memory(const void *address) {
    opal_convertor_t convertor = {.flags = 0};
    return NULL != opal_cuda_check_one_buf && NULL != address &&
           opal_cuda_check_one_buf((char *)(intptr_t)address, &convertor) && 0 == (convertor.flags & CONVERTOR_CUDA_UNIFIED);
}

static inline int mca_fcoll_overlap_device_copy(void *to, const void *from, size_t bytes) {
    memcpy(to, from, bytes);
    return OPAL_SUCCESS;
}

typedef struct mca_fcoll_overlap_copies_t {
    void *stream;
} mca_fcoll_overlap_copies_t;

static inline void mca_fcoll_overlap_copies_free(mca_fcoll_overlap_copies_t *copies) { (void)copies; }

static inline bool mca_fcoll_overlap_copies_make(mca_fcoll_overlap_copies_t *copies) {
    (void)copies;
    return false;
}

static inline int mca_fcoll_overlap_copies_start(mca_fcoll_overlap_copies_t *copies, void *to, const void *from,
                                                 size_t bytes) {
    (void)copies;
    return mca_fcoll_overlap_device_copy(to, from, bytes);
}

static inline int mca_fcoll_overlap_copies_close(mca_fcoll_overlap_copies_t *copies) {
    (void)copies;
    return OPAL_SUCCESS;
}

static inline int mca_fcoll_overlap_copies_test(mca_fcoll_overlap_copies_t *copies) {
    (void)copies;
    return OPAL_SUCCESS;
}

static inline bool mca_fcoll_overlap_device_pin(void *memory, size_t bytes) {
    (void)memory;
    (void)bytes;
    return false;
}

static inline void mca_fcoll_overlap_device_unpin(void *memory) { (void)memory; }
#endif

/* 6.0 counts elements in size_t (fcoll API 3.0.0, io API 3.0.0) and keeps the file view in a struct of its own, whose fields
 * have the names that they had in the file handle. */
#if OMPI_MAJOR_VERSION >= 6
typedef size_t mca_fcoll_overlap_count_t;
typedef ompio_fview_t mca_fcoll_overlap_view_t;
#    define MCA_FCOLL_OVERLAP_VIEW(fh) (&(fh)->f_fview)
#    define MCA_FCOLL_OVERLAP_API_VERSION MCA_FCOLL_BASE_VERSION_3_0_0
#    define MCA_FCOLL_OVERLAP_IO(file) (&(file)->f_io_selected_module.v3_0_0)
typedef mca_io_base_module_3_0_0_t mca_fcoll_overlap_io_t;
#else
typedef int mca_fcoll_overlap_count_t;
typedef ompio_file_t mca_fcoll_overlap_view_t;
#    define MCA_FCOLL_OVERLAP_VIEW(fh) (fh)
#    define MCA_FCOLL_OVERLAP_API_VERSION MCA_FCOLL_BASE_VERSION_2_0_0
#    define MCA_FCOLL_OVERLAP_IO(file) (&(file)->f_io_selected_module.v2_0_0)
typedef mca_io_base_module_2_0_0_t mca_fcoll_overlap_io_t;
#endif

/* The value of an info key as a string that the caller frees, NULL where the key is not set. 4.1 copies into a buffer, later
 * versions give a string object. */
static inline char *mca_fcoll_overlap_info_get(opal_info_t *info, const char *key) {
    int found = 0;
    if (NULL == info) {
        return NULL;
    }
#if OMPI_MAJOR_VERSION >= 5
    opal_cstring_t *value = NULL;
    char *copy;
    opal_info_get(info, key, &value, &found);
    if (!found) {
        return NULL;
    }
    copy = strdup(value->string);
    OBJ_RELEASE(value);
    return copy;
#else
    char value[OPAL_MAX_INFO_VAL + 1] = "";
    opal_info_get(info, key, OPAL_MAX_INFO_VAL, value, &found);
    return found ? strdup(value) : NULL;
#endif
}

/* The same of a hint, wherever it was given. In 4.1 MPI_File_set_info removes a key that nobody subscribed to, and keeps
 * what it was given under another one, which is also what MPI_File_get_info then shows; of a key with more than 26
 * characters nothing is left. */
static inline char *mca_fcoll_overlap_hint_get(opal_info_t *info, const char *key) {
    char *value = mca_fcoll_overlap_info_get(info, key);
#if OMPI_MAJOR_VERSION < 5
    if (NULL == value && strlen(key) + sizeof("_OMPI_IN_") <= OPAL_MAX_INFO_KEY) {
        char given[OPAL_MAX_INFO_KEY + 1] = "_OMPI_IN_";
        strcat(given, key);
        value = mca_fcoll_overlap_info_get(info, given);
    }
#endif
    return value;
}

/* Removes a hint from the info, wherever it was given. */
static inline void mca_fcoll_overlap_hint_delete(opal_info_t *info, const char *key) {
    opal_info_delete(info, key);
#if OMPI_MAJOR_VERSION < 5
    if (strlen(key) + sizeof("_OMPI_IN_") <= OPAL_MAX_INFO_KEY) {
        char given[OPAL_MAX_INFO_KEY + 1] = "_OMPI_IN_";
        strcat(given, key);
        opal_info_delete(info, given);
    }
#endif
}

/* From 6.0 on a hint lasts beyond the next file view, and MPI_File_get_info shows it, only where somebody subscribed to its
 * key. What the user does not set stays unset. 4.1 takes no subscription of such long keys. */
#if OMPI_MAJOR_VERSION >= 6
static inline const char *mca_fcoll_overlap_hint_as_it_is(opal_infosubscriber_t *object, const char *key,
                                                          const char *value) {
    (void)object;
    (void)key;
    return NULL == value || '\0' == value[0] ? NULL : value;
}

static inline void mca_fcoll_overlap_keep_hint(ompio_file_t *fh, const char *key) {
    mca_common_ompio_info_subscribe(fh, key, "", mca_fcoll_overlap_hint_as_it_is);
}
#else
static inline void mca_fcoll_overlap_keep_hint(ompio_file_t *fh, const char *key) {
    (void)fh;
    (void)key;
}
#endif

/* From 6.0 on the info holds the size of the collective buffer in any case, and does not tell who asked for it. */
#define MCA_FCOLL_OVERLAP_INFO_HAS_DEFAULTS (OMPI_MAJOR_VERSION >= 6)

/* From 6.0 on no help files are read: the texts of Open MPI's own source tree are in its libraries. What is built outside of
 * it has to say its own. */
#if OMPI_MAJOR_VERSION >= 6 && defined(OVERLAP_OUTSIDE_OF_TREE)
#    define MCA_FCOLL_OVERLAP_OWN_HELP
#endif

/* On which objects of its node this process may run, as Open MPI's runtime says; empty where it says nothing, as for a
 * process that is not bound. The caller frees it; NULL where there is no memory. Versions differ in who tells: from 5.0 on
 * Open MPI has asked PMIx already. */
static inline char *mca_fcoll_overlap_locality(void) {
#if OMPI_MAJOR_VERSION >= 5
    return strdup(NULL == opal_process_info.locality ? "" : opal_process_info.locality);
#else
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
#endif
}

#endif
