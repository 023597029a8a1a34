/*
 * What OMPIO does with a file without asking fcoll, where collective writes leave bytes for later: those have to be in the
 * file first. Open MPI keeps a table of functions in each file, and a pointer to one for its file system; in those of a file
 * that leaves bytes for later some are replaced by these, which write and go on.
 *
 * A call that the standard makes collective writes with all ranks, and returns what that came to. In any other a process
 * writes its own bytes, without a message, and what that came to all ranks return from their next collective call.
 *
 * MPI_File_close returns success whatever happens (ompi_file_close); an error handler of the file hears of it all the same.
 */
#include "fcoll_overlap.h"

#include "ompi/errhandler/errhandler.h"
#include "ompi/file/file.h"
#include "ompi/runtime/mpiruntime.h"
#include "opal/runtime/opal_progress.h"

/* Files whose functions are replaced; while there are any Open MPI's progress comes here. */
static int watched = 0;
static bool registered = false;
static bool in_progress = false;

static mca_fcoll_overlap_module_t *module_of(ompi_file_t *file) {
    mca_common_ompio_data_t *data = (mca_common_ompio_data_t *)file->f_io_selected_data;
    return mca_fcoll_overlap_module_in(&data->ompio_fh);
}

static const mca_fcoll_overlap_io_t *ompio(ompi_file_t *file) { return module_of(file)->io; }

void mca_fcoll_overlap_behind_write_own(mca_fcoll_overlap_module_t *module) {
    /* Where nothing can have been left the engine may be another thread's to replace. */
    if (!ompi_mpi_thread_multiple && NULL != module && NULL != module->io && NULL != module->engine && !module->in_engine &&
        overlap_file_waits(module->engine) >= 0) {
        module->in_engine = true;
        overlap_file_flush_own(module->engine);
        module->in_engine = false;
        mca_fcoll_overlap_say_notes(module);
    }
}

/* Collective. Returns an MPI error class. */
static int write_together(mca_fcoll_overlap_module_t *module) {
    int error = OVERLAP_SUCCESS;

    if (NULL != module->engine) {
        mca_fcoll_overlap_operations_wait(module);
        module->in_engine = true;
        error = overlap_file_flush(module->engine);
        module->in_engine = false;
        mca_fcoll_overlap_say_notes(module);
    }
    return mca_fcoll_overlap_class_of_error(error);
}

/* The first of two results. */
static int either(int error, int ret) { return MPI_SUCCESS != error ? error : ret; }

/* Collective calls. */

static int file_sync(ompi_file_t *file) {
    const int error = write_together(module_of(file));
    return either(error, ompio(file)->io_module_file_sync(file));
}

static int file_set_size(ompi_file_t *file, MPI_Offset size) {
    const int error = write_together(module_of(file));
    return either(error, ompio(file)->io_module_file_set_size(file, size));
}

static int file_preallocate(ompi_file_t *file, MPI_Offset size) {
    const int error = write_together(module_of(file));
    return either(error, ompio(file)->io_module_file_preallocate(file, size));
}

static int file_set_atomicity(ompi_file_t *file, int flag) {
    const int error = write_together(module_of(file));
    return either(error, ompio(file)->io_module_file_set_atomicity(file, flag));
}

static int file_read_ordered(ompi_file_t *file, void *buf, mca_fcoll_overlap_count_t count, ompi_datatype_t *datatype,
                             ompi_status_public_t *status) {
    const int error = write_together(module_of(file));
    return either(error, ompio(file)->io_module_file_read_ordered(file, buf, count, datatype, status));
}

static int file_write_ordered(ompi_file_t *file, const void *buf, mca_fcoll_overlap_count_t count, ompi_datatype_t *datatype,
                              ompi_status_public_t *status) {
    const int error = write_together(module_of(file));
    return either(error, ompio(file)->io_module_file_write_ordered(file, buf, count, datatype, status));
}

static int file_read_ordered_begin(ompi_file_t *file, void *buf, mca_fcoll_overlap_count_t count,
                                   ompi_datatype_t *datatype) {
    const int error = write_together(module_of(file));
    return either(error, ompio(file)->io_module_file_read_ordered_begin(file, buf, count, datatype));
}

static int file_write_ordered_begin(ompi_file_t *file, const void *buf, mca_fcoll_overlap_count_t count,
                                    ompi_datatype_t *datatype) {
    const int error = write_together(module_of(file));
    return either(error, ompio(file)->io_module_file_write_ordered_begin(file, buf, count, datatype));
}

/* The handle is gone after it. */
static int file_close(ompi_file_t *file) {
    mca_fcoll_overlap_module_t *module = module_of(file);
    const int error = write_together(module);
    int ret;

    mca_fcoll_overlap_behind_end(module);
    if (MPI_SUCCESS != error && NULL != file->error_handler) {
        OMPI_ERRHANDLER_INVOKE(file, error, "MPI_File_close");
    }
    ret = MCA_FCOLL_OVERLAP_IO(file)->io_module_file_close(file);
    return either(error, ret);
}

/* With the view OMPIO may choose another component, which comes to the file by ways that are not met here. If this one has
 * left the file with it, so has what was left (module_release). */
static int file_set_view(ompi_file_t *file, OMPI_MPI_OFFSET_TYPE disp, ompi_datatype_t *etype, ompi_datatype_t *filetype,
                         const char *datarep, opal_info_t *info) {
    mca_fcoll_overlap_module_t *module = module_of(file);
    const ompio_file_t *fh = module->fh;
    int ret;

    ret = ompio(file)->io_module_file_set_view(file, disp, etype, filetype, datarep, info);
    module = mca_fcoll_overlap_module_in(fh);
    if (NULL != module) {
        if (fh->f_fcoll != &module->super) {
            mca_fcoll_overlap_behind_write_own(module);
        }
    }
    return ret;
}

/* Calls of one process. */

static void write_own(ompi_file_t *file) { mca_fcoll_overlap_behind_write_own(module_of(file)); }

/* Before this rank writes elsewhere by itself its bytes may go on waiting for those of other ranks: so does HDF5 with what
 * it says of its data, before it has all of it synced. Before a read they may not, as the file may end before them. */
static void write_own_there(ompi_file_t *file, MPI_Offset offset, mca_fcoll_overlap_count_t count,
                            ompi_datatype_t *datatype) {
    mca_fcoll_overlap_module_t *module = module_of(file);
    size_t size = 0, bytes = 0;
    int64_t first = 0, last = 0;

    if (ompi_mpi_thread_multiple || NULL == module) {
        return; /* as in behind_write_own */
    }
    opal_datatype_type_size(&datatype->super, &size);
    if (NULL != module->engine && !module->in_engine && !__builtin_mul_overflow(size, count, &bytes) &&
        mca_fcoll_overlap_view_range(module->fh, offset, bytes, &first, &last) &&
        !overlap_file_holds(module->engine, first, last)) {
        return;
    }
    write_own(file);
}

static int file_read_at(ompi_file_t *file, MPI_Offset offset, void *buf, mca_fcoll_overlap_count_t count,
                        ompi_datatype_t *datatype, ompi_status_public_t *status) {
    write_own(file);
    return ompio(file)->io_module_file_read_at(file, offset, buf, count, datatype, status);
}

static int file_write_at(ompi_file_t *file, MPI_Offset offset, const void *buf, mca_fcoll_overlap_count_t count,
                         ompi_datatype_t *datatype, ompi_status_public_t *status) {
    write_own_there(file, offset, count, datatype);
    return ompio(file)->io_module_file_write_at(file, offset, buf, count, datatype, status);
}

static int file_iread_at(ompi_file_t *file, MPI_Offset offset, void *buf, mca_fcoll_overlap_count_t count,
                         ompi_datatype_t *datatype, ompi_request_t **request) {
    write_own(file);
    return ompio(file)->io_module_file_iread_at(file, offset, buf, count, datatype, request);
}

static int file_iwrite_at(ompi_file_t *file, MPI_Offset offset, const void *buf, mca_fcoll_overlap_count_t count,
                          ompi_datatype_t *datatype, ompi_request_t **request) {
    write_own_there(file, offset, count, datatype);
    return ompio(file)->io_module_file_iwrite_at(file, offset, buf, count, datatype, request);
}

static int file_read(ompi_file_t *file, void *buf, mca_fcoll_overlap_count_t count, ompi_datatype_t *datatype,
                     ompi_status_public_t *status) {
    write_own(file);
    return ompio(file)->io_module_file_read(file, buf, count, datatype, status);
}

static int file_write(ompi_file_t *file, const void *buf, mca_fcoll_overlap_count_t count, ompi_datatype_t *datatype,
                      ompi_status_public_t *status) {
    write_own(file);
    return ompio(file)->io_module_file_write(file, buf, count, datatype, status);
}

static int file_iread(ompi_file_t *file, void *buf, mca_fcoll_overlap_count_t count, ompi_datatype_t *datatype,
                      ompi_request_t **request) {
    write_own(file);
    return ompio(file)->io_module_file_iread(file, buf, count, datatype, request);
}

static int file_iwrite(ompi_file_t *file, const void *buf, mca_fcoll_overlap_count_t count, ompi_datatype_t *datatype,
                       ompi_request_t **request) {
    write_own(file);
    return ompio(file)->io_module_file_iwrite(file, buf, count, datatype, request);
}

static int file_read_shared(ompi_file_t *file, void *buf, mca_fcoll_overlap_count_t count, ompi_datatype_t *datatype,
                            ompi_status_public_t *status) {
    mca_fcoll_overlap_behind_write_own(module_of(file));
    return ompio(file)->io_module_file_read_shared(file, buf, count, datatype, status);
}

static int file_write_shared(ompi_file_t *file, const void *buf, mca_fcoll_overlap_count_t count, ompi_datatype_t *datatype,
                             ompi_status_public_t *status) {
    mca_fcoll_overlap_behind_write_own(module_of(file));
    return ompio(file)->io_module_file_write_shared(file, buf, count, datatype, status);
}

static int file_iread_shared(ompi_file_t *file, void *buf, mca_fcoll_overlap_count_t count, ompi_datatype_t *datatype,
                             ompi_request_t **request) {
    mca_fcoll_overlap_behind_write_own(module_of(file));
    return ompio(file)->io_module_file_iread_shared(file, buf, count, datatype, request);
}

static int file_iwrite_shared(ompi_file_t *file, const void *buf, mca_fcoll_overlap_count_t count, ompi_datatype_t *datatype,
                              ompi_request_t **request) {
    mca_fcoll_overlap_behind_write_own(module_of(file));
    return ompio(file)->io_module_file_iwrite_shared(file, buf, count, datatype, request);
}

/* Asked by MPI_File_get_size, MPI_File_seek and their kind: what other ranks have left counts as well, and only how far it
 * reaches is known here. */
static int fs_get_size(ompio_file_t *fh, OMPI_MPI_OFFSET_TYPE *size) {
    mca_fcoll_overlap_module_t *module = mca_fcoll_overlap_module_in(fh);
    const int ret = module->fs_of_file->fs_file_get_size(fh, size);

    if (OMPI_SUCCESS == ret && !ompi_mpi_thread_multiple && NULL != module->engine) { /* as in behind_write_own */
        const int64_t end = overlap_file_end(module->engine);
        *size = *size < end ? end : *size;
    }
    return ret;
}

/* A thread that sees to nonblocking calls looks at none of it. */
static void write_if_old(mca_fcoll_overlap_module_t *module, void *argument) {
    (void)argument;
    if (NULL != module->io && NULL != module->engine && module->settings.collect_seconds > 0 && !module->in_engine &&
        overlap_file_waits(module->engine) > module->settings.collect_seconds) {
        mca_fcoll_overlap_behind_write_own(module);
    }
}

static int progress(void) {
    if (!in_progress && !ompi_mpi_thread_multiple && !mca_fcoll_overlap_in_passing()) {
        in_progress = true;
        mca_fcoll_overlap_for_each_module(write_if_old, NULL);
        in_progress = false;
    }
    return 0;
}

static void replace(mca_fcoll_overlap_io_t *io) {
    io->io_module_file_close = file_close;
    io->io_module_file_sync = file_sync;
    io->io_module_file_set_size = file_set_size;
    io->io_module_file_preallocate = file_preallocate;
    io->io_module_file_set_atomicity = file_set_atomicity;
    io->io_module_file_set_view = file_set_view;
    io->io_module_file_read_ordered = file_read_ordered;
    io->io_module_file_write_ordered = file_write_ordered;
    io->io_module_file_read_ordered_begin = file_read_ordered_begin;
    io->io_module_file_write_ordered_begin = file_write_ordered_begin;
    io->io_module_file_read_at = file_read_at;
    io->io_module_file_write_at = file_write_at;
    io->io_module_file_iread_at = file_iread_at;
    io->io_module_file_iwrite_at = file_iwrite_at;
    io->io_module_file_read = file_read;
    io->io_module_file_write = file_write;
    io->io_module_file_iread = file_iread;
    io->io_module_file_iwrite = file_iwrite;
    io->io_module_file_read_shared = file_read_shared;
    io->io_module_file_write_shared = file_write_shared;
    io->io_module_file_iread_shared = file_iread_shared;
    io->io_module_file_iwrite_shared = file_iwrite_shared;
}

int mca_fcoll_overlap_behind_watch(mca_fcoll_overlap_module_t *module) {
    ompi_file_t *file = module->fh->f_fh;

    if (NULL != module->io) {
        return OVERLAP_SUCCESS;
    }
    module->io = malloc(sizeof(*module->io));
    module->fs = malloc(sizeof(*module->fs));
    if (NULL == module->io || NULL == module->fs) {
        free(module->io);
        free(module->fs);
        module->io = NULL;
        return OVERLAP_ERR_NO_MEM;
    }
    *module->io = *MCA_FCOLL_OVERLAP_IO(file);
    replace(MCA_FCOLL_OVERLAP_IO(file));
    module->fs_of_file = module->fh->f_fs;
    *module->fs = *module->fs_of_file;
    module->fs->fs_file_get_size = fs_get_size;
    module->fh->f_fs = module->fs;
    ++watched;
    if (!registered) {
        registered = OPAL_SUCCESS == opal_progress_register(progress);
    }
    return OVERLAP_SUCCESS;
}

void mca_fcoll_overlap_behind_end(mca_fcoll_overlap_module_t *module) {
    if (NULL != module->io) {
        *MCA_FCOLL_OVERLAP_IO(module->fh->f_fh) = *module->io;
        module->fh->f_fs = module->fs_of_file;
        module->watched_by_all = false;
        free(module->io);
        free(module->fs);
        module->io = NULL;
        if (0 == --watched && registered) {
            opal_progress_unregister(progress);
            registered = false;
        }
    }
}
