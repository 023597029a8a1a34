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

/* storage.c: fills the port over the fs and fbtl of the file; its facts are those of the module. */
void mca_fcoll_overlap_storage_open(mca_fcoll_overlap_module_t *module, overlap_storage *storage);

/* Linux transfers at most this much in one call (write(2)). */
#define MCA_FCOLL_OVERLAP_LARGEST_WRITE ((size_t)0x7ffff000)

/* posix.c: whether the file is written by POSIX calls on its descriptor. For storage.c and glue/file/hints.c. */
bool mca_fcoll_overlap_is_posix(const ompio_file_t *fh);

/* posix.c: whether each transfer of the file takes a lock: of all of it on NFS and where the user asks for it, of its range
 * in atomic mode. */
bool mca_fcoll_overlap_locks_writes(const ompio_file_t *fh);

/* posix.c: a failed transfer, for the user who turned on verbose output. From any thread. */
void mca_fcoll_overlap_note_transfer(const void *self, const char *call, const overlap_extent *extent, size_t done,
                                     const char *why);

/* posix.c: writes or reads the extents in order, without a lock, but for the first `*done` bytes of the list, and adds what
 * it transfers; a read up to the end of the file. Returns an overlap_error. */
int mca_fcoll_overlap_transfer_list(void *self, overlap_direction direction, const overlap_extent *extents, size_t count,
                                    size_t *done);

/* posix.c: its functions of the port, of which storage.c has one to itself. */
void mca_fcoll_overlap_posix_functions(overlap_storage *storage);
int mca_fcoll_overlap_posix_transfer(void *self, overlap_direction direction, const overlap_extent *extents, size_t count,
                                     size_t *done);

/* Functions of the port, whose `self` is the module: of storage.c, for posix.c the size, for glue/file/engine.c the flush;
 * of file_system.c. */
int mca_fcoll_overlap_size(void *self, int fresh, int64_t *bytes);
int mca_fcoll_overlap_flush(void *self);
int mca_fcoll_overlap_posix_descriptors(void *self, overlap_descriptors *descriptors);

/* file_system.c: fills in its name, `tells_size`, `remote`, `coherent` and the number of its stripes; at the first call
 * those of the module. Local; the facts of rank 0 count. For glue/file/hints.c. */
void mca_fcoll_overlap_look_at_file_system(mca_fcoll_overlap_module_t *module, overlap_file_facts *facts);

#endif
