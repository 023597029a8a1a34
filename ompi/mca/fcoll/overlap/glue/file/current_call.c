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

/* The functions, in groups with the same parameters. */
#define SIZED(each) each(set_size, MPI_Offset) each(preallocate, MPI_Offset) each(set_atomicity, int)
#define DATA(each)                                                                                                          \
    each(read_all, void *) each(write_all, const void *) each(read_ordered, void *) each(write_ordered, const void *)
#define DATA_AT(each) each(read_at_all, void *) each(write_at_all, const void *)
#define BEGIN(each)                                                                                                         \
    each(read_all_begin, void *) each(write_all_begin, const void *) each(read_ordered_begin, void *)                       \
        each(write_ordered_begin, const void *)
#define BEGIN_AT(each) each(read_at_all_begin, void *) each(write_at_all_begin, const void *)
#define START(each) each(iread_all, void *) each(iwrite_all, const void *)
#define START_AT(each) each(iread_at_all, void *) each(iwrite_at_all, const void *)
#define ALL(each)                                                                                                           \
    each(sync, ) each(set_view, ) each(seek_shared, ) SIZED(each) DATA(each) DATA_AT(each) BEGIN(each) BEGIN_AT(each)       \
        START(each) START_AT(each)

#define ENUMERATOR(name, type) CALL_##name,
#define NAME(name, type) "MPI_File_" #name,
enum { CALL_open, CALL_close, ALL(ENUMERATOR) };
static const char *const names[] = {"MPI_File_open", "MPI_File_close", ALL(NAME)};

/* A call as a word: its number on the file (the open has 0), its name, and whether the rank is in it now. */
enum { INSIDE = MCA_FCOLL_OVERLAP_INSIDE_CALL, NAME_SHIFT = 1, NUMBER_SHIFT = 8 };

unsigned long long mca_fcoll_overlap_number_of_call(uint64_t call) { return call >> NUMBER_SHIFT; }

const char *mca_fcoll_overlap_name_of_call(uint64_t call) { return names[(call >> NAME_SHIFT) & 0x7f]; }

static mca_fcoll_overlap_io_t beneath; /* io's functions, the same for all files */

static void enter(const ompi_file_t *file, uint64_t name) {
    mca_fcoll_overlap_module_t *const module = mca_fcoll_overlap_module_of_file(file);

    if (NULL != module) {
        const uint64_t number = (module->call >> NUMBER_SHIFT) + 1;
        __atomic_store_n(&module->call, number << NUMBER_SHIFT | name << NAME_SHIFT | INSIDE, __ATOMIC_RELAXED);
    }
}

static int leave(const ompi_file_t *file, int ret) {
    mca_fcoll_overlap_module_t *const module = mca_fcoll_overlap_module_of_file(file);

    if (NULL != module) {
        __atomic_store_n(&module->call, module->call & ~(uint64_t)INSIDE, __ATOMIC_RELAXED);
    }
    return ret;
}

#define WATCH(name, parameters, ...)                                                                                        \
    static int watched_##name parameters {                                                                                  \
        enter(file, CALL_##name);                                                                                           \
        return leave(file, beneath.io_module_file_##name(__VA_ARGS__));                                                     \
    }
#define ITEMS mca_fcoll_overlap_count_t count, ompi_datatype_t *type
#define W_SIZED(name, size_type) WATCH(name, (ompi_file_t * file, size_type size), file, size)
#define W_DATA(name, memory)                                                                                                \
    WATCH(name, (ompi_file_t * file, memory buf, ITEMS, ompi_status_public_t * status), file, buf, count, type, status)
#define W_DATA_AT(name, memory)                                                                                             \
    WATCH(name, (ompi_file_t * file, MPI_Offset at, memory buf, ITEMS, ompi_status_public_t * status), file, at, buf,       \
          count, type, status)
#define W_BEGIN(name, memory) WATCH(name, (ompi_file_t * file, memory buf, ITEMS), file, buf, count, type)
#define W_BEGIN_AT(name, memory)                                                                                            \
    WATCH(name, (ompi_file_t * file, MPI_Offset at, memory buf, ITEMS), file, at, buf, count, type)
#define W_START(name, memory)                                                                                               \
    WATCH(name, (ompi_file_t * file, memory buf, ITEMS, ompi_request_t * *request), file, buf, count, type, request)
#define W_START_AT(name, memory)                                                                                            \
    WATCH(name, (ompi_file_t * file, MPI_Offset at, memory buf, ITEMS, ompi_request_t * *request), file, at, buf, count,    \
          type, request)
WATCH(sync, (ompi_file_t * file), file)
WATCH(seek_shared, (ompi_file_t * file, MPI_Offset at, int whence), file, at, whence)
WATCH(set_view,
      (ompi_file_t * file, MPI_Offset at, ompi_datatype_t *etype, ompi_datatype_t *type, const char *datarep,
       opal_info_t *info),
      file, at, etype, type, datarep, info)
SIZED(W_SIZED)
DATA(W_DATA)
DATA_AT(W_DATA_AT)
BEGIN(W_BEGIN)
BEGIN_AT(W_BEGIN_AT)
START(W_START)
START_AT(W_START_AT)

/* The module ends within the close: ranks wait for each other before, and receive what was sent to them. */
static int watched_close(ompi_file_t *file) {
    mca_fcoll_overlap_module_t *const module = mca_fcoll_overlap_module_of_file(file);

    if (NULL != module) {
        ompi_communicator_t *comm = module->fh->f_comm;
        enter(file, CALL_close);
        comm->c_coll->coll_barrier(comm, comm->c_coll->coll_barrier_module);
        mca_fcoll_overlap_roll_call_end(module);
    }
    return beneath.io_module_file_close(file);
}

#define REPLACE(name, type) io->io_module_file_##name = watched_##name;

void mca_fcoll_overlap_watch_calls(const mca_fcoll_overlap_module_t *module) {
    mca_fcoll_overlap_io_t *const io = MCA_FCOLL_OVERLAP_IO(module->file);

    if (watched_close != io->io_module_file_close) {
        if (NULL == beneath.io_module_file_close) {
            beneath = *io;
        }
        io->io_module_file_close = watched_close;
        ALL(REPLACE)
    }
}
