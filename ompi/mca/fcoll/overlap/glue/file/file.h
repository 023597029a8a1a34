/*
 * SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The overlap project
 *
 * What belongs to an open file: its module, settings, view and engine. The module calls it.
 */
#ifndef MCA_FCOLL_OVERLAP_FILE_H
#define MCA_FCOLL_OVERLAP_FILE_H

#include "../host/host.h"
#include "../storage/storage.h"
#include "../transport/transport.h"

/* modules.c: the modules of all open files of this process. Add: the file has none; fills in what the module knows of its
 * file. Remove returns it, NULL where there is none. */
void mca_fcoll_overlap_modules_add(mca_fcoll_overlap_module_t *module);
mca_fcoll_overlap_module_t *mca_fcoll_overlap_modules_remove(const ompio_file_t *fh);

/* modules.c: that of an open file, by OMPIO's handle or by MPI's, from its first selection to its end, whichever component
 * serves the present view; NULL where it has none. */
mca_fcoll_overlap_module_t *mca_fcoll_overlap_module_in(const ompio_file_t *fh);
mca_fcoll_overlap_module_t *mca_fcoll_overlap_module_of_file(const ompi_file_t *file);

/* Parameters of the functions of a file's table that transfer something. */
#define ELEMENTS mca_fcoll_overlap_count_t count, ompi_datatype_t *type

/* hints.c: the settings that this rank has for the file: MCA parameters, overruled by hints of others and these by the info
 * keys of the component. A key with a bad value is reported by rank 0 and ignored. The values in use are put back into the
 * info. Local. Reads the info again only where its hash has changed. */
void mca_fcoll_overlap_update_settings(mca_fcoll_overlap_module_t *module);

/* hints.c: as those of info.c, of settings. */
uint64_t mca_fcoll_overlap_hash_settings(const overlap_settings *settings);

/* info.c: the value of a hint, which the caller frees; NULL where it is not set, or there is no memory. */
char *mca_fcoll_overlap_hint_get(opal_info_t *info, const char *key);

/* info.c: copies the key of a hint by its number, from 0; false where there is none. */
bool mca_fcoll_overlap_hint_key(opal_info_t *info, int number, char key[OPAL_MAX_INFO_KEY + 1]);

/* info.c: a 64 bit hash of bytes behind those that `hash` is of, of a text, and of an info: all keys and values, and whether
 * MPI_File_get_info shows them. That different ones have the same is not handled. */
#define MCA_FCOLL_OVERLAP_HASH_BEGIN UINT64_C(0xcbf29ce484222325)
uint64_t mca_fcoll_overlap_hash(uint64_t hash, const void *bytes, size_t count);
uint64_t mca_fcoll_overlap_hash_text(uint64_t hash, const char *text);
uint64_t mca_fcoll_overlap_hash_hints(opal_info_t *info);

/* hints.c: a file was opened or has a new view: takes what is declared, and at open lets the info show the values in use. */
void mca_fcoll_overlap_process_hints(mca_fcoll_overlap_module_t *module);

/* wrong_hints.c: takes out of the info what is no hint, or no value of one, and adds it to `complaints`, which has room for
 * COMPLAINTS_SIZE characters. Local. */
void mca_fcoll_overlap_refuse_wrong_hints(mca_fcoll_overlap_module_t *module, char *complaints);

/* wrong_hints.c: takes a hint out of the info; the verbose line and the report tell of it. */
void mca_fcoll_overlap_ignore_hint(mca_fcoll_overlap_module_t *module, const char *key, const char *value);

/* wrong_hints.c: whether all of a hint is a number. */
bool mca_fcoll_overlap_hint_number(const char *text, int64_t *number);

/* engine.c: opens that of the module. Collective at the first call after each file view. Returns an overlap_error. Refuse:
 * the same of a rank without memory for a module, where others open theirs. Returns why it has none. */
int mca_fcoll_overlap_engine_open(mca_fcoll_overlap_module_t *module);
int mca_fcoll_overlap_engine_refuse(ompio_file_t *fh, bool nonblocking);

/* engine.c: closes it; `together`: all ranks do. */
void mca_fcoll_overlap_engine_close(mca_fcoll_overlap_module_t *module, bool together);

/* declared.c: the engine declares what the ranks have given. Collective, where all ranks have `declares`. */
void mca_fcoll_overlap_declare(mca_fcoll_overlap_module_t *module);

/* declared.c: replaces the functions of the file while declared writes need that, and gives them back afterwards. Local,
 * after each collective call. */
void mca_fcoll_overlap_declared_look(mca_fcoll_overlap_module_t *module);

/* declared.c: has this process write what it holds. Local. Returns an overlap_error, which all ranks return later. */
int mca_fcoll_overlap_declared_write_own(mca_fcoll_overlap_module_t *module);

/* declared.c: the same where no call will return the error: it goes to stderr. OMPIO has its own functions again. */
void mca_fcoll_overlap_declared_end(mca_fcoll_overlap_module_t *module);

/* modules.c: a file was opened or closed, or writes were declared: tells those with declared writes whether this process
 * has their file open by another handle as well. While it has, it holds no bytes: it writes those that it holds now, and
 * later ones in their calls. To be called before the other handle can access the file. Local. */
void mca_fcoll_overlap_update_other_handles(void);

/* view.c: the file layout of the next `bytes` bytes at the file pointer, which points into the view of `fh`. */
void mca_fcoll_overlap_view_layout(ompio_file_t *fh, overlap_layout *layout);

/* view.c: moves the file pointer on by `bytes`, unless it has no place to go: such an access is refused. */
void mca_fcoll_overlap_view_advance(ompio_file_t *fh, size_t bytes);

/* view.c: what this rank asks for at the file pointer. It has to take part in any case, if only to say why it cannot. The
 * blocks of the memory are the caller's to free. */
void mca_fcoll_overlap_describe_access(ompio_file_t *fh, const void *buf, size_t count, ompi_datatype_t *datatype,
                                       overlap_access *access);

/* read_count.c: has MPI_File_read_all return the count of what was read. Local, when the module is made. */
void mca_fcoll_overlap_count_reads(mca_fcoll_overlap_module_t *module);

/* current_call.c: stores in `call` of the module which collective call of the file this rank is in, or was in last. The
 * first bit says whether it is in it; number_of: how many came before it; the open has 0. */
enum { MCA_FCOLL_OVERLAP_INSIDE_CALL = 1 };
void mca_fcoll_overlap_watch_calls(const mca_fcoll_overlap_module_t *module);
unsigned long long mca_fcoll_overlap_number_of_call(uint64_t call);
const char *mca_fcoll_overlap_name_of_call(uint64_t call);

/* roll_call.c: watches the collective calls of a file, where fcoll_overlap_roll_call asks for it, from the time when its
 * module is made; the end. Local. */
void mca_fcoll_overlap_roll_call_begin(mca_fcoll_overlap_module_t *module);
void mca_fcoll_overlap_roll_call_end(const mca_fcoll_overlap_module_t *module);

/* engine.c: what all ranks did with the file goes to where the user asks for it. Collective, before the engine is
 * closed. */
void mca_fcoll_overlap_close_report(mca_fcoll_overlap_module_t *module);

/* modules.c: what an open MPI file has counted, of writes and of reads; 0 where it has no module. From any thread. */
void mca_fcoll_overlap_counters_of(const ompi_file_t *file, overlap_counters counters[2]);

/* hints.c: what this rank knows of the file and of the hints on it, into facts that are 0. */
void mca_fcoll_overlap_facts_of(mca_fcoll_overlap_module_t *module, overlap_file_facts *facts);

/* modules.c: of the storage port: whether gaps may be written back. */
overlap_gaps mca_fcoll_overlap_gaps(void *self);

#endif
