/*
 * SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The overlap project
 *
 * The storage port: the fbtl and fs of a file, POSIX calls, data sieving. The engine of a file (glue/file/engine.c) is
 * opened with it.
 */
#ifndef MCA_FCOLL_OVERLAP_STORAGE_PORT_H
#define MCA_FCOLL_OVERLAP_STORAGE_PORT_H

#include "../nonblocking/nonblocking.h"

BEGIN_C_DECLS

/* storage.c: fills the port over the fs and fbtl of the file; its facts are those of the module. */
void mca_fcoll_overlap_storage_open(mca_fcoll_overlap_module_t *module, overlap_storage *storage);

/* storage.c: sends what this process has written to the storage. Local. Returns an overlap_error. */
int mca_fcoll_overlap_flush(ompio_file_t *fh);

/* Linux transfers at most this much in one call (write(2)). */
#define MCA_FCOLL_OVERLAP_LARGEST_WRITE ((size_t)0x7ffff000)

/* posix.c: whether the file is written by POSIX calls on its descriptor. */
bool mca_fcoll_overlap_is_posix(const ompio_file_t *fh);

/* posix.c: whether each transfer of the file takes a lock: of all of it on NFS and where the user asks for it, of its range
 * in atomic mode. */
bool mca_fcoll_overlap_locks_writes(const ompio_file_t *fh);

/* posix.c: writes what is missing of an extent, of which `*done` bytes are in the file. Returns an overlap_error. */
int mca_fcoll_overlap_posix_finish(mca_fcoll_overlap_module_t *module, const overlap_extent *extent, size_t *done);

/* posix.c: bytes of the file; of what is no regular file the most that there can be. `fresh`: as the server has it. Returns
 * an overlap_error. */
int mca_fcoll_overlap_ask_for_size(const ompio_file_t *fh, bool fresh, int64_t *bytes);

/* posix.c: reads what is missing of an extent up to the end of the file, of which `*done` bytes are read. Returns an
 * overlap_error. */
int mca_fcoll_overlap_posix_finish_read(mca_fcoll_overlap_module_t *module, const overlap_extent *extent, size_t *done);

/* posix.c: a failed transfer, for the user who turned on verbose output. From any thread. */
void mca_fcoll_overlap_report_transfer(mca_fcoll_overlap_module_t *module, const char *call, const overlap_extent *extent,
                                       size_t done, const char *why);

/* posix.c: writes or reads the extents in order, all of them under one lock where the file needs one. Returns an
 * overlap_error. */
int mca_fcoll_overlap_posix_transfer(mca_fcoll_overlap_module_t *module, overlap_direction direction,
                                     const overlap_extent *extents, size_t count, size_t *done);

/* posix.c: writes without a lock. */
int mca_fcoll_overlap_posix_write_all(mca_fcoll_overlap_module_t *module, const overlap_extent *extents, size_t count,
                                      size_t *written);

/* posix.c: fills in posix_transfer. */
void mca_fcoll_overlap_posix_functions(overlap_storage *storage);

/* sieve.c: fills in what data sieving needs: locks, reads, and the word that there will be some. */
void mca_fcoll_overlap_sieve_functions(overlap_storage *storage);

/* file_system.c: whether the nodes see each other's writes. Local. */
mca_fcoll_overlap_caches_t mca_fcoll_overlap_caches_of(const ompio_file_t *fh);

/* file_system.c: fills in its name, `tells_size` and `remote`. Local; the facts of rank 0 count. */
void mca_fcoll_overlap_look_at_file_system(const ompio_file_t *fh, overlap_file_facts *facts);

/* descriptors.c: fills in what writers need that hand descriptors to the kernel. */
void mca_fcoll_overlap_descriptor_functions(overlap_storage *storage);

END_C_DECLS

#endif
