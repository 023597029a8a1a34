/*
 * SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The overlap project
 *
 * Which collective call of a file this rank is in, for the roll call (roll_call.c): one word that the collective functions
 * of the file store. For that they are replaced in the file's own copy of io's table (see read_count.c), where the roll call
 * is asked for, and call those that were there.
 */
#include "file.h"

#include "ompi/communicator/communicator.h"
#include "ompi/file/file.h"
#include "ompi/mca/coll/coll.h"

/* The functions: name, parameters, arguments. */
#define WITH_STATUS(each, name, memory)                                                                                     \
    each(name, (ompi_file_t * file, memory buf, ELEMENTS, ompi_status_public_t * status), (file, buf, count, type, status))
#define TRANSFERS(each, way, memory)                                                                                        \
    WITH_STATUS(each, way##_all, memory)                                                                                    \
    WITH_STATUS(each, way##_ordered, memory)                                                                                \
    each(way##_at_all, (ompi_file_t * file, MPI_Offset at, memory buf, ELEMENTS, ompi_status_public_t * status),            \
         (file, at, buf, count, type, status))
#define BEGINS(each, way, memory)                                                                                           \
    each(way##_all_begin, (ompi_file_t * file, memory buf, ELEMENTS), (file, buf, count, type))                             \
        each(way##_ordered_begin, (ompi_file_t * file, memory buf, ELEMENTS), (file, buf, count, type)) each(               \
            way##_at_all_begin, (ompi_file_t * file, MPI_Offset at, memory buf, ELEMENTS), (file, at, buf, count, type))
#define STARTS(each, way, memory)                                                                                           \
    each(way##_all, (ompi_file_t * file, memory buf, ELEMENTS, ompi_request_t * *request),                                  \
         (file, buf, count, type, request))                                                                                 \
        each(way##_at_all, (ompi_file_t * file, MPI_Offset at, memory buf, ELEMENTS, ompi_request_t * *request),            \
             (file, at, buf, count, type, request))
#define SIZES(each)                                                                                                         \
    each(set_size, (ompi_file_t * file, MPI_Offset size), (file, size))                                                     \
        each(preallocate, (ompi_file_t * file, MPI_Offset size), (file, size))
#define SETTINGS(each)                                                                                                      \
    each(seek_shared, (ompi_file_t * file, MPI_Offset at, int whence), (file, at, whence))                                  \
        each(set_atomicity, (ompi_file_t * file, int flag), (file, flag))                                                   \
            each(set_view,                                                                                                  \
                 (ompi_file_t * file, MPI_Offset at, ompi_datatype_t * etype, ompi_datatype_t * type, const char *datarep,  \
                  opal_info_t *info),                                                                                       \
                 (file, at, etype, type, datarep, info))
#define CALLS(each)                                                                                                         \
    each(sync, (ompi_file_t * file), (file)) SIZES(each) SETTINGS(each) TRANSFERS(each, read, void *)                       \
        TRANSFERS(each, write, const void *) BEGINS(each, read, void *) BEGINS(each, write, const void *)                   \
            STARTS(each, iread, void *) STARTS(each, iwrite, const void *)

#define ENUMERATOR(name, parameters, arguments) CALL_##name,
#define NAME(name, parameters, arguments) "MPI_File_" #name,
enum { CALL_open, CALL_close, CALLS(ENUMERATOR) };
static const char *const names[] = {"MPI_File_open", "MPI_File_close", CALLS(NAME)};

/* A call as a word: its number on the file (the open has 0), its name, and whether the rank is in it now. */
enum { INSIDE = MCA_FCOLL_OVERLAP_INSIDE_CALL, NAME_SHIFT = 1, NUMBER_SHIFT = 8 };

unsigned long long mca_fcoll_overlap_number_of_call(uint64_t call) { return call >> NUMBER_SHIFT; }

const char *mca_fcoll_overlap_name_of_call(uint64_t call) { return names[(call >> NAME_SHIFT) & 0x7f]; }

static mca_fcoll_overlap_io_t beneath; /* io's functions, the same for all files */

static void enter_call(const ompi_file_t *file, uint64_t name) {
    mca_fcoll_overlap_module_t *const module = mca_fcoll_overlap_module_of_file(file);

    if (NULL != module) {
        const uint64_t number = (module->call >> NUMBER_SHIFT) + 1;
        __atomic_store_n(&module->call, number << NUMBER_SHIFT | name << NAME_SHIFT | INSIDE, __ATOMIC_RELAXED);
    }
}

static int leave_call(const ompi_file_t *file, int ret) {
    mca_fcoll_overlap_module_t *const module = mca_fcoll_overlap_module_of_file(file);

    if (NULL != module) {
        __atomic_store_n(&module->call, module->call & ~(uint64_t)INSIDE, __ATOMIC_RELAXED);
    }
    return ret;
}

#define WATCH(name, parameters, arguments)                                                                                  \
    static int watched_##name parameters {                                                                                  \
        enter_call(file, CALL_##name);                                                                                      \
        return leave_call(file, beneath.io_module_file_##name arguments);                                                   \
    }
CALLS(WATCH)

/* The module ends within the close: ranks wait for each other before, and receive what was sent to them. */
static int watched_close(ompi_file_t *file) {
    mca_fcoll_overlap_module_t *const module = mca_fcoll_overlap_module_of_file(file);

    if (NULL != module) {
        ompi_communicator_t *comm = module->fh->f_comm;
        enter_call(file, CALL_close);
        comm->c_coll->coll_barrier(comm, comm->c_coll->coll_barrier_module);
        mca_fcoll_overlap_roll_call_end(module);
    }
    return beneath.io_module_file_close(file);
}

#define REPLACE(name, parameters, arguments) io->io_module_file_##name = watched_##name;

void mca_fcoll_overlap_watch_calls(const mca_fcoll_overlap_module_t *module) {
    mca_fcoll_overlap_io_t *const io = MCA_FCOLL_OVERLAP_IO(module->file);

    if (watched_close != io->io_module_file_close) {
        if (NULL == beneath.io_module_file_close) {
            beneath = *io;
        }
        io->io_module_file_close = watched_close;
        CALLS(REPLACE)
    }
}
