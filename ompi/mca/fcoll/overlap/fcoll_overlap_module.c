/*
 * The module: the component's state of a file, and the collective calls on it.
 */
#include "fcoll_overlap.h"

#include "ompi/communicator/communicator.h"
#include "ompi/datatype/ompi_datatype.h"
#include "ompi/mca/coll/coll.h"
#include "opal/util/output.h"

/* OMPIO selects a component anew with every file view, without telling the one that it had. The modules of all open files
 * are therefore found by their file. */
static mca_fcoll_overlap_module_t *modules = NULL;
static opal_mutex_t modules_lock = OPAL_MUTEX_STATIC_INIT;

static int overlap_module_init(ompio_file_t *fh) {
    mca_fcoll_overlap_module_t *module = (mca_fcoll_overlap_module_t *)fh->f_fcoll;
    module->settings_agreed = false;
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
    layout->blocks = blocks;
    layout->block_count = count;
    layout->extent = extent;
    layout->origin = (int64_t)(intptr_t)buf;
    layout->skip = 0;
    return OVERLAP_SUCCESS;
}

static int bcast(ompi_communicator_t *comm, void *data, size_t bytes) {
    return mca_fcoll_overlap_error_of_ompi(comm->c_coll->coll_bcast(
        data, (mca_fcoll_overlap_count_t)bytes, &ompi_mpi_byte.dt, 0, comm, comm->c_coll->coll_bcast_module));
}

/* Collective. All ranks take settings and facts of rank 0, as the hints that they follow from may differ between ranks. */
static int agree_on_settings(mca_fcoll_overlap_module_t *module, overlap_settings *settings) {
    ompio_file_t *fh = module->fh;
    int count, error, list_error;

    mca_fcoll_overlap_settings_of(fh, settings);
    mca_fcoll_overlap_facts_of(fh, &module->facts);
    count = module->facts.ompio_aggregator_count < fh->f_size ? module->facts.ompio_aggregator_count : fh->f_size;
    if (count > 0) {
        memcpy(module->ompio_aggregators, module->facts.ompio_aggregators, (size_t)count * sizeof(int));
    }
    module->facts.ompio_aggregator_count = count;

    error = bcast(fh->f_comm, settings, sizeof(*settings));
    list_error = bcast(fh->f_comm, &module->facts, sizeof(module->facts));
    error = list_error > error ? list_error : error;
    list_error = bcast(fh->f_comm, module->ompio_aggregators, (size_t)fh->f_size * sizeof(int));
    module->facts.ompio_aggregators = module->ompio_aggregators; /* what came was an address of rank 0 */
    return list_error > error ? list_error : error;
}

/* Collective. The error is the most severe of all ranks. */
static int agree_on_error(ompi_communicator_t *comm, int error) {
    int ret = comm->c_coll->coll_allreduce(MPI_IN_PLACE, &error, 1, &ompi_mpi_int.dt, MPI_MAX, comm,
                                           comm->c_coll->coll_allreduce_module);
    return OMPI_SUCCESS == ret ? error : mca_fcoll_overlap_error_of_ompi(ret);
}

/* Collective at the first write after each file view. */
static int open_engine(mca_fcoll_overlap_module_t *module) {
    overlap_settings settings;
    overlap_transport transport;
    overlap_storage storage;
    overlap_host host;
    int error;

    if (module->settings_agreed) {
        return OVERLAP_SUCCESS;
    }
    error = agree_on_settings(module, &settings);
    if (OVERLAP_SUCCESS != error) {
        return error;
    }
    if (NULL == module->engine || 0 != memcmp(&settings, &module->settings, sizeof(settings))) {
        overlap_file_close(module->engine, true);
        module->engine = NULL;
        error = mca_fcoll_overlap_transport_open(module, &transport);
        mca_fcoll_overlap_storage_open(module, &storage);
        mca_fcoll_overlap_host_open(module, &host);
        if (OVERLAP_SUCCESS == error) {
            module->engine = overlap_file_open(&transport, &storage, &host, &settings);
            error = NULL == module->engine ? OVERLAP_ERR_NO_MEM : OVERLAP_SUCCESS;
        }
        error = agree_on_error(module->fh->f_comm, error);
        if (OVERLAP_SUCCESS != error) {
            overlap_file_close(module->engine, false);
            module->engine = NULL;
            return error;
        }
        module->settings = settings;
    }
    module->settings_agreed = true;
    return OVERLAP_SUCCESS;
}

static int overlap_write_all(ompio_file_t *fh, const void *buf, mca_fcoll_overlap_count_t count, ompi_datatype_t *datatype,
                             ompi_status_public_t *status) {
    mca_fcoll_overlap_module_t *module = (mca_fcoll_overlap_module_t *)fh->f_fcoll;
    overlap_access access = {0};
    size_t element, on_file = 0;
    int error;

    if (fh->f_amode & MPI_MODE_RDONLY) {
        return MPI_ERR_READ_ONLY;
    }
    error = open_engine(module);
    if (OVERLAP_SUCCESS != error) {
        return mca_fcoll_overlap_class_of_error(error);
    }

    ompi_datatype_type_size(datatype, &element);
    /* A view that holds no bytes takes none, whatever is given. */
    access.bytes = 0 == MCA_FCOLL_OVERLAP_VIEW(fh)->f_view_size ? 0 : element * (size_t)count;
    if (access.bytes > 0) {
        /* Without a memory layout this rank still has to take part: an access without blocks makes the engine agree on an
         * error. */
        const int decoded = decode_memory(fh, buf, datatype, &access.memory);
        if (OVERLAP_SUCCESS != decoded) {
            access.memory.block_count = 0;
        }
        mca_fcoll_overlap_view_layout(fh, &access.file);
    }
    error = overlap_file_write_all(module->engine, &access, &on_file);
    mca_fcoll_overlap_view_advance(fh, access.bytes);
    free((void *)access.memory.blocks);
    if (MPI_STATUS_IGNORE != status) {
        status->_ucount = on_file;
    }
    return mca_fcoll_overlap_class_of_error(error);
}

/* Independent reads: right for every view, and each rank reads only what it asks for. */
static int overlap_read_all(ompio_file_t *fh, void *buf, mca_fcoll_overlap_count_t count, ompi_datatype_t *datatype,
                            ompi_status_public_t *status) {
    return mca_common_ompio_file_read(fh, buf, count, datatype, status);
}

static const mca_fcoll_base_module_t functions = {
    .fcoll_module_init = overlap_module_init,
    .fcoll_module_finalize = overlap_module_finalize,
    .fcoll_file_read_all = overlap_read_all,
    .fcoll_file_write_all = overlap_write_all,
};

/* The link that points to the module of a file, or the end of the list. Needs the lock. */
static mca_fcoll_overlap_module_t **find(ompio_file_t *fh) {
    mca_fcoll_overlap_module_t **link = &modules;
    while (NULL != *link && fh != (*link)->fh) {
        link = &(*link)->next;
    }
    return link;
}

static void destroy(mca_fcoll_overlap_module_t *module, bool together) {
    overlap_file_close(module->engine, together);
    free(module->ompio_aggregators);
    free(module->node_of_rank);
    free(module->locality);
    pthread_mutex_destroy(&module->file_lock);
    free(module);
}

static mca_fcoll_overlap_module_t *create(ompio_file_t *fh) {
    mca_fcoll_overlap_module_t *module = calloc(1, sizeof(*module));

    if (NULL == module) {
        return NULL;
    }
    module->super = functions;
    module->fh = fh;
    module->ompio_aggregators = calloc((size_t)fh->f_size, sizeof(int));
    if (NULL == module->ompio_aggregators) {
        free(module);
        return NULL;
    }
    pthread_mutex_init(&module->file_lock, NULL);
    return module;
}

mca_fcoll_overlap_module_t *mca_fcoll_overlap_module_of(ompio_file_t *fh) {
    mca_fcoll_overlap_module_t **link, *module, *stale = NULL;

    opal_mutex_lock(&modules_lock);
    link = find(fh);
    module = *link;
    /* A module that its file does not use any more is left from an earlier view, or from a file that was closed. */
    if (NULL != module && fh->f_fcoll != &module->super) {
        stale = module;
        *link = module->next;
        module = NULL;
    }
    if (NULL == module) {
        module = create(fh);
        if (NULL != module) {
            module->next = modules;
            modules = module;
        }
    }
    opal_mutex_unlock(&modules_lock);
    if (NULL != stale) {
        destroy(stale, false);
    }
    return module;
}

void mca_fcoll_overlap_module_release(ompio_file_t *fh) {
    mca_fcoll_overlap_module_t **link, *module;

    opal_mutex_lock(&modules_lock);
    link = find(fh);
    module = *link;
    if (NULL != module) {
        *link = module->next;
    }
    opal_mutex_unlock(&modules_lock);
    if (NULL != module) {
        destroy(module, true);
    }
}
