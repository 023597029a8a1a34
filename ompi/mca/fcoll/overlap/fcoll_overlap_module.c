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

static mca_fcoll_overlap_module_t *find_or_create(ompio_file_t *fh);
static bool take_memory(mca_fcoll_overlap_module_t *module);

/* The module of a file that OMPIO has chosen this component for; where there is no memory for it NULL, until there is some.
 */
static mca_fcoll_overlap_module_t *module_of(ompio_file_t *fh) {
    if (&functions == fh->f_fcoll) {
        mca_fcoll_overlap_module_t *module = find_or_create(fh);
        if (NULL != module) {
            fh->f_fcoll = &module->super;
        }
    }
    return &functions == fh->f_fcoll ? NULL : (mca_fcoll_overlap_module_t *)fh->f_fcoll;
}

/* For a collective call, which needs more than an open file does. With NULL the call fails on all ranks. */
static mca_fcoll_overlap_module_t *module_in_use(ompio_file_t *fh) {
    mca_fcoll_overlap_module_t *module = module_of(fh);

    return NULL != module && take_memory(module) ? module : NULL;
}

/* For who asks for the info of a file that has been opened. What OMPIO opens for shared pointers has the info that stands
 * for none, which is that of all, and no collective calls. */
static void show_hints(ompio_file_t *fh, mca_fcoll_overlap_module_t *module) {
    overlap_settings settings;

    if (0 != (fh->f_flags & OMPIO_SHAREDFP_IS_SET)) {
        return;
    }
    mca_fcoll_overlap_take_declaration(fh, module, module->hints_shown); /* not from the info of the open */
    if (!module->hints_shown) {
        mca_fcoll_overlap_keep_hints(fh);
        mca_fcoll_overlap_settings_of(fh, module, &settings, false);
        module->hints_shown = true;
    }
}

static int overlap_module_init(ompio_file_t *fh) {
    mca_fcoll_overlap_module_t *module = module_of(fh);

    if (NULL != module) {
        mca_fcoll_overlap_operations_wait(module);
        module->settings_agreed = false;
        show_hints(fh, module);
        mca_fcoll_overlap_update_other_handles();
    }
    return OMPI_SUCCESS;
}

static int overlap_module_finalize(ompio_file_t *fh) {
    mca_fcoll_overlap_module_release(fh);
    return OMPI_SUCCESS;
}

/* The memory layout of one instance of `datatype`; its blocks are the caller's to free. */
static int decode_memory(ompio_file_t *fh, const void *buf, ompi_datatype_t *datatype, overlap_layout *layout) {
    struct iovec *blocks = NULL;
    uint32_t count = 0;
    size_t bytes = 0;
    ptrdiff_t lb, extent;
    const int ret = mca_common_ompio_decode_datatype(fh, datatype, 1, NULL, &bytes, fh->f_mem_convertor, &blocks, &count);

    if (OMPI_SUCCESS != ret) {
        free(blocks);
        return mca_fcoll_overlap_error_of_ompi(ret);
    }
    ompi_datatype_get_extent(datatype, &lb, &extent);
    *layout = (overlap_layout){.blocks = blocks, .block_count = count, .extent = extent, .origin = (int64_t)(intptr_t)buf};
    return OVERLAP_SUCCESS;
}

/* What this rank asks for. It has to take part in any case, if only to say why it cannot. */
static void describe_access(ompio_file_t *fh, const void *buf, size_t count, ompi_datatype_t *datatype,
                            overlap_access *access) {
    size_t element, bytes;
    bool counted;

    *access = (overlap_access){0};
    /* A view that holds no bytes takes none, whatever is given. */
    if (0 == count || 0 == MCA_FCOLL_OVERLAP_VIEW(fh)->f_view_size) {
        return;
    }
    ompi_datatype_type_size(datatype, &element);
    counted = !__builtin_mul_overflow(element, count, &bytes);
    access->bytes = counted ? bytes : SIZE_MAX;
    if (!counted || !mca_fcoll_overlap_view_holds(fh, bytes) || 0 == bytes) {
        return;
    }
    access->error = decode_memory(fh, buf, datatype, &access->memory);
    mca_fcoll_overlap_find_devices(fh, access);
    mca_fcoll_overlap_view_layout(fh, &access->file);
}

/* The pointer may have no place to go. */
static void move_pointer(ompio_file_t *fh, const overlap_access *access) {
    if (mca_fcoll_overlap_view_holds(fh, access->bytes)) {
        mca_fcoll_overlap_view_advance(fh, access->bytes);
    }
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
    mca_fcoll_overlap_module_t *module = module_in_use(fh);
    overlap_access access = {0};
    size_t done = 0;
    double since;
    int error = class_of_mode(fh, direction);

    if (MPI_SUCCESS != error) {
        return error;
    }
    if (NULL != module) {
        mca_fcoll_overlap_operations_wait(module);
        mca_fcoll_overlap_engine_free_retired(module, true);
    }
    since = mca_fcoll_overlap_seconds(); /* what was under way has counted its own time */
    error = mca_fcoll_overlap_engine_open(fh, module);
    if (OVERLAP_SUCCESS != error) {
        return mca_fcoll_overlap_class_of_error(error);
    }
    module->caller = pthread_self();
    if (OVERLAP_WRITE == direction && module->declares) {
        module->declares = false;
        mca_fcoll_overlap_declare(module);
    }
    since = spend(module, direction, OVERLAP_TIME_ENTRY, since);
    describe_access(fh, buf, count, datatype, &access);
    spend(module, direction, OVERLAP_TIME_PLANNING, since);
    error = OVERLAP_READ == direction ? overlap_file_read_all(module->engine, &access, &done)
                                      : overlap_file_write_all(module->engine, &access, &done);
    mca_fcoll_overlap_declared_look(module);
    /* Nothing is transferred where a rank's access is one that the file cannot hold. */
    if (OVERLAP_ERR_ARG != error) {
        move_pointer(fh, &access);
    }
    free((void *)access.memory.blocks);
    if (MPI_STATUS_IGNORE != status) {
        status->_ucount = done;
    }
    return mca_fcoll_overlap_class_of_error(error);
}

/* Seconds that a start may lose to ranks that have not come: it waits for nobody. What is written ahead of the program's
 * computation is worth as much again as its copies take at least. For what is read only the I/O engine can work ahead, which
 * it does from the start. A small call does not go ahead, as more may follow that it can be done with. */
static double patience_of(overlap_direction direction, const overlap_access *access) {
    const double least = 5e-3, most = 50e-3;
    const double for_a_byte = 1e-9;
    const size_t small = 512 * 1024;
    const double patience = OVERLAP_READ == direction ? least : least + for_a_byte * (double)access->bytes;

    if (OVERLAP_SUCCESS != access->error || access->bytes < small) {
        return 0;
    }
    return patience < most ? patience : most;
}

/* The file pointer moves at once. */
static int start(ompio_file_t *fh, overlap_direction direction, const void *buf, size_t count, ompi_datatype_t *datatype,
                 ompi_request_t **request) {
    mca_fcoll_overlap_module_t *module = module_in_use(fh);
    overlap_access access = {0};
    const int error = class_of_mode(fh, direction);

    if (MPI_SUCCESS != error) {
        return error;
    }
    if (NULL == module) {
        *request = &ompi_request_empty;
        return mca_fcoll_overlap_class_of_error(mca_fcoll_overlap_engine_refuse_nonblocking(fh));
    }
    describe_access(fh, buf, count, datatype, &access);
    move_pointer(fh, &access);
    return mca_fcoll_overlap_operation_start(module, direction, &access, patience_of(direction, &access),
                                             mca_fcoll_overlap_transfer_pending, request);
}

static int overlap_write_all(ompio_file_t *fh, const void *buf, mca_fcoll_overlap_count_t count, ompi_datatype_t *datatype,
                             ompi_status_public_t *status) {
    return transfer(fh, OVERLAP_WRITE, buf, (size_t)count, datatype, status);
}

static int overlap_read_all(ompio_file_t *fh, void *buf, mca_fcoll_overlap_count_t count, ompi_datatype_t *datatype,
                            ompi_status_public_t *status) {
    return transfer(fh, OVERLAP_READ, buf, (size_t)count, datatype, status);
}

/* OMPIO calls the same for a split collective, whose begin does it. Each rank writes what it holds of declared writes before
 * a nonblocking call, which waits for no other rank. The call does nothing in the file before all ranks have made it. */
static int start_or_begin(ompio_file_t *fh, overlap_direction direction, const void *buf, size_t count,
                          ompi_datatype_t *datatype, ompi_request_t **request) {
    ompi_status_public_t status = {0};
    int error;

    if (!mca_fcoll_overlap_is_split(fh, request)) {
        mca_fcoll_overlap_declared_write_own(module_in_use(fh));
        return start(fh, direction, buf, count, datatype, request);
    }
    error = transfer(fh, direction, buf, count, datatype, &status);
    return mca_fcoll_overlap_split_done(module_in_use(fh), error, status._ucount, request);
}

/* OMPIO converts other data representations for independent calls only, and so these are. */
static bool is_native(const ompio_file_t *fh) { return 0 != (fh->f_flags & OMPIO_DATAREP_NATIVE); }

static int overlap_iwrite_all(ompio_file_t *fh, const void *buf, mca_fcoll_overlap_count_t count, ompi_datatype_t *datatype,
                              ompi_request_t **request) {
    if (is_native(fh)) {
        return start_or_begin(fh, OVERLAP_WRITE, buf, (size_t)count, datatype, request);
    }
    mca_fcoll_overlap_declared_write_own(module_in_use(fh));
    return mca_common_ompio_file_iwrite(fh, buf, count, datatype, request);
}

static int overlap_iread_all(ompio_file_t *fh, void *buf, mca_fcoll_overlap_count_t count, ompi_datatype_t *datatype,
                             ompi_request_t **request) {
    if (is_native(fh)) {
        return start_or_begin(fh, OVERLAP_READ, buf, (size_t)count, datatype, request);
    }
    mca_fcoll_overlap_declared_write_own(module_in_use(fh));
    return mca_common_ompio_file_iread(fh, buf, count, datatype, request);
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
    mca_fcoll_overlap_declared_end(module);
    mca_fcoll_overlap_engine_close(module, together);
    mca_fcoll_overlap_trace_forget(module);
    mca_fcoll_overlap_split_destruct(module);
    pthread_mutex_destroy(&module->file_lock);
    for (int i = 0; i < MCA_FCOLL_OVERLAP_PARAMS; ++i) {
        free(module->published[i]);
        free(module->given[i]);
    }
    mca_fcoll_overlap_device_forget(module);
    OBJ_RELEASE(module->group);
    free(module->declaration);
    free(module->terms);
    free(module->own_terms);
    free(module->node_list);
    free(module->locality);
    mca_fcoll_overlap_fiber_free(module->fiber);
    free(module);
}

static mca_fcoll_overlap_module_t *find_or_create(ompio_file_t *fh) {
    mca_fcoll_overlap_module_t *module = mca_fcoll_overlap_module_in(fh);

    if (NULL != module) {
        return module;
    }
    module = calloc(1, sizeof(*module));
    if (NULL != module) {
        module->super = functions;
        module->fh = fh;
        mca_fcoll_overlap_know_handle(module);
        mca_fcoll_overlap_split_construct(module);
        pthread_mutex_init(&module->file_lock, NULL);
        mca_fcoll_overlap_modules_add(module);
    }
    return module;
}

/* All the memory that the glue needs until the file is closed. */
static bool take_memory(mca_fcoll_overlap_module_t *module) {
    const size_t bytes = sizeof(*module->terms) + (size_t)module->fh->f_size * sizeof(int);

    module->terms = NULL == module->terms ? calloc(1, bytes) : module->terms;
    module->own_terms = NULL == module->own_terms ? calloc(1, bytes) : module->own_terms;
    module->locality = NULL == module->locality ? mca_fcoll_overlap_locality() : module->locality;
    module->fiber = NULL == module->fiber ? mca_fcoll_overlap_fiber_make() : module->fiber;
    return NULL != module->terms && NULL != module->own_terms && NULL != module->locality && NULL != module->fiber;
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
        /* OMPIO has closed the file. */
        mca_fcoll_overlap_operations_give_up_file(module);
        mca_fcoll_overlap_operations_wait(module);
        mca_fcoll_overlap_close_report(module);
        destroy_module(module, true);
        mca_fcoll_overlap_update_other_handles();
        mca_fcoll_overlap_operations_close();
    }
}
