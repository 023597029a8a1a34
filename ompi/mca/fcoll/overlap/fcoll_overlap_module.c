/*
 * SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The overlap project
 *
 * The module: the component's state of a file, and the collective calls on it.
 */
#include "fcoll_overlap_params.h"
#include "glue/file/file.h"

#include "ompi/datatype/ompi_datatype.h"
#include "ompi/request/request.h"

static mca_fcoll_base_module_t functions;

static mca_fcoll_overlap_module_t *make_module(ompio_file_t *fh);

/* The module of a file that OMPIO has chosen this component for; where there is no memory for it NULL, until there is some.
 */
static mca_fcoll_overlap_module_t *module_of(ompio_file_t *fh) {
    mca_fcoll_overlap_module_t *module;

    if (&functions != fh->f_fcoll) {
        return (mca_fcoll_overlap_module_t *)fh->f_fcoll;
    }
    module = mca_fcoll_overlap_module_in(fh);
    module = NULL == module ? make_module(fh) : module;
    fh->f_fcoll = NULL == module ? fh->f_fcoll : &module->super;
    return module;
}

/* sharedfp individual opens further files. They have no collective calls, and the info of each is the one that Open MPI has
 * for all that have none, so nothing may be put into it. */
static int overlap_module_init(ompio_file_t *fh) {
    mca_fcoll_overlap_module_t *module = 0 != (fh->f_flags & OMPIO_SHAREDFP_IS_SET) ? NULL : module_of(fh);

    if (NULL != module) {
        mca_fcoll_overlap_operations_wait(module);
        module->settings_agreed = false;
        mca_fcoll_overlap_process_hints(module);
        mca_fcoll_overlap_update_other_handles();
    }
    return OMPI_SUCCESS;
}

static int overlap_module_finalize(ompio_file_t *fh) {
    mca_fcoll_overlap_module_release(fh);
    return OMPI_SUCCESS;
}

/* As OMPIO refuses. */
static int class_of_mode(const ompio_file_t *fh, overlap_direction direction) {
    if (OVERLAP_READ == direction) {
        return fh->f_amode & MPI_MODE_WRONLY ? MPI_ERR_ACCESS : MPI_SUCCESS;
    }
    return fh->f_amode & MPI_MODE_RDONLY ? MPI_ERR_READ_ONLY : MPI_SUCCESS;
}

/* Counts what the glue has done since then, which the engine does not see. Returns the time. */
static double spend(mca_fcoll_overlap_module_t *module, overlap_direction direction, overlap_time time, double since) {
    const double now = mca_fcoll_overlap_seconds();

    module->counters[direction].seconds[time] += now - since;
    module->counters[direction].seconds[OVERLAP_TIME_ELAPSED] += now - since;
    return now;
}

static int transfer(ompio_file_t *fh, overlap_direction direction, const void *buf, size_t count, ompi_datatype_t *datatype,
                    ompi_status_public_t *status) {
    mca_fcoll_overlap_module_t *module = module_of(fh);
    overlap_access access = {0};
    size_t done = 0;
    double since;
    int error = class_of_mode(fh, direction);

    if (MPI_SUCCESS != error) {
        return error;
    }
    if (NULL == module) {
        return mca_fcoll_overlap_class_of_error(mca_fcoll_overlap_engine_refuse(fh, false));
    }
    mca_fcoll_overlap_operations_wait(module);
    module->bytes_done = 0;
    since = mca_fcoll_overlap_seconds(); /* what was under way has counted its own time */
    module->caller = pthread_self();     /* before the engine is replaced, which may write what was declared */
    error = mca_fcoll_overlap_engine_open(module);
    if (OVERLAP_SUCCESS != error) {
        return mca_fcoll_overlap_class_of_error(error);
    }
    if (OVERLAP_WRITE == direction && module->declares) {
        module->declares = false;
        mca_fcoll_overlap_declare(module);
    }
    since = spend(module, direction, OVERLAP_TIME_ENTRY, since);
    mca_fcoll_overlap_describe_access(fh, buf, count, datatype, &access);
    spend(module, direction, OVERLAP_TIME_PLANNING, since);
    error = OVERLAP_READ == direction ? overlap_file_read_all(module->engine, &access, &done)
                                      : overlap_file_write_all(module->engine, &access, &done);
    mca_fcoll_overlap_declared_look(module);
    /* A file pointer stays where a rank's access is one that the file cannot hold. */
    if (OVERLAP_ERR_ARG != error) {
        mca_fcoll_overlap_view_advance(fh, access.bytes);
    }
    free((void *)access.memory.blocks);
    module->bytes_done = done;
    if (MPI_STATUS_IGNORE != status) {
        status->_ucount = done;
    }
    return mca_fcoll_overlap_class_of_error(error);
}

/* Seconds that a start may spend on ranks that have not started the call. A write may spend as long as its bytes take to be
 * copied, as what it writes before the program computes is gained. A read gains less: only its I/O engine works ahead, from
 * the start on. A small call spends nothing, as more may follow that can be done with it as one. */
static double patience_of(overlap_direction direction, const overlap_access *access) {
    const double least = 5e-3, most = 50e-3, for_a_byte = 1e-9;
    const size_t small = 512 * 1024;
    const double patience = OVERLAP_READ == direction ? least : least + for_a_byte * (double)access->bytes;

    if (OVERLAP_SUCCESS != access->error || access->bytes < small) {
        return 0;
    }
    return patience < most ? patience : most;
}

static int overlap_write_all(ompio_file_t *fh, const void *buf, mca_fcoll_overlap_count_t count, ompi_datatype_t *datatype,
                             ompi_status_public_t *status) {
    return transfer(fh, OVERLAP_WRITE, buf, (size_t)count, datatype, status);
}

static int overlap_read_all(ompio_file_t *fh, void *buf, mca_fcoll_overlap_count_t count, ompi_datatype_t *datatype,
                            ompi_status_public_t *status) {
    return transfer(fh, OVERLAP_READ, buf, (size_t)count, datatype, status);
}

/* The request of a split collective, complete, with what its end is to return. There is at most one of a file at a time, so
 * it is a part of the module and takes no memory. */
static ompi_request_t *finished_split(mca_fcoll_overlap_module_t *module, int error, size_t bytes) {
    ompi_request_t *const split = &module->split;

    OMPI_REQUEST_INIT(split, false);
    split->req_state = OMPI_REQUEST_ACTIVE;
    split->req_status.MPI_ERROR = error;
    split->req_status._ucount = bytes;
    ompi_request_complete(split, false);
    return split;
}

static int forget_split(ompi_request_t **request) {
    *request = MPI_REQUEST_NULL;
    return OMPI_SUCCESS;
}

/* OMPIO calls the same for nonblocking and for split collectives. What tells them apart is where the request goes: that of a
 * split one stands in the file handle. Its begin does all of it, as MPI allows (MPI 4.1, section 14.4.5); the start of a
 * nonblocking one must not wait for other ranks. Each rank writes what it holds of declared writes before such a call, which
 * does nothing in the file before all ranks have made it. OMPIO converts other data representations for independent calls
 * only, and so these are. */
static int start_or_begin(ompio_file_t *fh, overlap_direction direction, const void *buf, size_t count,
                          ompi_datatype_t *datatype, ompi_request_t **request) {
    const bool is_native = 0 != (fh->f_flags & OMPIO_DATAREP_NATIVE);
    mca_fcoll_overlap_module_t *module = module_of(fh);
    ompi_status_public_t status = {0};
    overlap_access access;
    int error = class_of_mode(fh, direction);

    if (is_native && &fh->f_split_coll_req == request) {
        error = transfer(fh, direction, buf, count, datatype, &status);
        *request = NULL == module ? &ompi_request_empty : finished_split(module, error, status._ucount);
        return NULL == module ? error : OMPI_SUCCESS;
    }
    mca_fcoll_overlap_declared_write_own(module);
    if (!is_native) {
        return OVERLAP_READ == direction
                   ? mca_common_ompio_file_iread(fh, (void *)buf, (mca_fcoll_overlap_count_t)count, datatype, request)
                   : mca_common_ompio_file_iwrite(fh, buf, (mca_fcoll_overlap_count_t)count, datatype, request);
    }
    if (MPI_SUCCESS != error) {
        return error;
    }
    if (NULL == module) {
        *request = &ompi_request_empty;
        return mca_fcoll_overlap_class_of_error(mca_fcoll_overlap_engine_refuse(fh, true));
    }
    mca_fcoll_overlap_describe_access(fh, buf, count, datatype, &access);
    mca_fcoll_overlap_view_advance(fh, access.bytes); /* the file pointer moves at once */
    return mca_fcoll_overlap_operation_start(module, direction, &access, patience_of(direction, &access), request);
}

static int overlap_iwrite_all(ompio_file_t *fh, const void *buf, mca_fcoll_overlap_count_t count, ompi_datatype_t *datatype,
                              ompi_request_t **request) {
    return start_or_begin(fh, OVERLAP_WRITE, buf, (size_t)count, datatype, request);
}

static int overlap_iread_all(ompio_file_t *fh, void *buf, mca_fcoll_overlap_count_t count, ompi_datatype_t *datatype,
                             ompi_request_t **request) {
    return start_or_begin(fh, OVERLAP_READ, buf, (size_t)count, datatype, request);
}

/* It also serves, as it is, a file without a module of its own. */
static mca_fcoll_base_module_t functions = {
    .fcoll_module_init = overlap_module_init,
    .fcoll_module_finalize = overlap_module_finalize,
    .fcoll_file_read_all = overlap_read_all,
    .fcoll_file_write_all = overlap_write_all,
    .fcoll_file_iread_all = overlap_iread_all,
    .fcoll_file_iwrite_all = overlap_iwrite_all,
};

static void destroy_module(mca_fcoll_overlap_module_t *module, bool together) {
    mca_fcoll_overlap_roll_call_end(module);
    mca_fcoll_overlap_declared_end(module);
    mca_fcoll_overlap_engine_close(module, together);
    module->split.req_state = OMPI_REQUEST_INVALID; /* one that is still active would be taken for a mistake */
    OBJ_DESTRUCT(&module->split);
    pthread_mutex_destroy(&module->file_lock);
    for (int i = 0; i < MCA_FCOLL_OVERLAP_PARAMS; ++i) {
        free(module->hints[i].text);
    }
    OBJ_RELEASE(module->group);
    free(module->declaration);
    free(module->node_list);
    free(module->locality);
    mca_fcoll_overlap_fiber_free(module->fiber);
    free(module);
}

/* With all the memory that the glue needs until the file is closed; NULL where there is none. */
static mca_fcoll_overlap_module_t *make_module(ompio_file_t *fh) {
    mca_fcoll_overlap_module_t *module = calloc(1, sizeof(*module) + ((size_t)fh->f_size + 1) * sizeof(int));

    if (NULL == module || NULL == (module->fiber = mca_fcoll_overlap_fiber_make())) {
        free(module);
        return NULL;
    }
    module->super = functions;
    module->fh = fh;
    OBJ_CONSTRUCT(&module->split, ompi_request_t);
    module->split.req_type = OMPI_REQUEST_IO;
    module->split.req_free = forget_split;
    pthread_mutex_init(&module->file_lock, NULL);
    mca_fcoll_overlap_modules_add(module);
    mca_fcoll_overlap_count_reads(module);
    mca_fcoll_overlap_roll_call_begin(module);
    return module;
}

/* A module that its file does not use any more is left from a file that OMPIO gave up while it opened it. */
mca_fcoll_base_module_t *mca_fcoll_overlap_offer(ompio_file_t *fh) {
    mca_fcoll_overlap_module_t *stale = mca_fcoll_overlap_module_in(fh);

    if (NULL != stale && fh->f_fcoll != &stale->super) {
        mca_fcoll_overlap_modules_remove(fh);
        mca_fcoll_overlap_operations_wait(stale);
        destroy_module(stale, false);
    }
    return &functions;
}

void mca_fcoll_overlap_module_release(ompio_file_t *fh) {
    mca_fcoll_overlap_module_t *module = mca_fcoll_overlap_modules_remove(fh);

    if (NULL != module) {
        mca_fcoll_overlap_operations_end(module); /* OMPIO has closed the file */
        mca_fcoll_overlap_close_report(module);
        destroy_module(module, true);
        mca_fcoll_overlap_update_other_handles();
    }
}
