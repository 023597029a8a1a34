/*
 * SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The overlap project
 *
 * What the glue calls: one engine object per open file. No C++ type and no exception crosses this header.
 */
#ifndef OVERLAP_ENGINE_ENTRY_H
#define OVERLAP_ENGINE_ENTRY_H

#include "base/settings.h"
#include "ports.h"

#include <sys/uio.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * One instance of a datatype, tiled: instance k starts at origin + k * extent. `iov_base` of a block is its displacement
 * from the start of an instance (it may be negative in memory). The sequence starts `skip` bytes into the data of the first
 * instance and is as long as the access.
 */
typedef struct overlap_layout {
    const struct iovec *blocks;
    size_t block_count;
    int64_t extent; /* bytes from one instance to the next */
    int64_t origin; /* file offset, or address, of instance 0 */
    size_t skip;    /* data bytes of instance 0 that come before the sequence */
} overlap_layout;

/* What a rank writes or reads: the bytes of `memory` in order go to the bytes of `file` in order, or come from them. */
typedef struct overlap_access {
    size_t bytes; /* 0 where there is nothing; the layouts are not looked at then */
    overlap_layout file;
    overlap_layout memory;
    int on_device; /* 1 where the CPU may be unable to touch some of the memory: it is reached by copies of the host port */
    int error;     /* an overlap_error: why this rank cannot say what it asks for; nothing else is looked at then */
} overlap_access;

/* 1 where the texts of overlap_settings can be read, which says nothing of the files that they name; else 0. */
int overlap_is_topology(const char *text);
int overlap_is_topology_bandwidths(const char *text);
int overlap_is_storage_nodes(const char *text);

typedef struct overlap_file overlap_file;

/* The tables and settings are copied; what they point to must live until the file is closed. Local. NULL where there is no
 * memory. A rank makes its first call on the file when it knows that all others have come to theirs. */
overlap_file *overlap_file_open(const overlap_transport *transport, const overlap_storage *storage, const overlap_host *host,
                                const overlap_settings *settings);

/* Those that it was opened with. Valid until it is closed. */
const overlap_settings *overlap_file_settings(const overlap_file *file);

/* What all ranks did with the file called `name`, as a text from malloc, with the hints that were ignored on rank 0.
 * Collective. NULL on all ranks but 0, where the settings ask for no report, and where it cannot be made: `*error` is why
 * then. */
char *overlap_file_report(overlap_file *file, const char *name, const char *ignored_hints, int *error);

/* NULL is allowed. Collective where all ranks close the file `together`; else what they hold together is kept until the
 * program ends, and no message is sent. */
void overlap_file_close(overlap_file *file, int together);

/* Collective. All ranks return the same overlap_error. `*on_file` is the number of this rank's bytes that are in the file:
 * access->bytes after success, the count that really got there after an error. */
int overlap_file_write_all(overlap_file *file, const overlap_access *access, size_t *on_file);

/* The same for a read. `*read` counts the bytes that were read: after success those before the end of the file; the memory
 * for the others is as it was. After an error it holds anything. */
int overlap_file_read_all(overlap_file *file, const overlap_access *access, size_t *read);

/* The same for the `count` nonblocking calls that are pending on this rank. The first `*joined` of them are done as one, the
 * same on all ranks and at least one. `*done` counts the bytes of all of them; of a read they are the first. After an error
 * of several they are anywhere, and the caller does each again by itself. No more than OVERLAP_PENDING_MAX are looked at. */
enum { OVERLAP_PENDING_MAX = 16 };
int overlap_file_transfer_pending(overlap_file *file, overlap_direction direction, const overlap_access *const *accesses,
                                  size_t count, size_t *joined, size_t *done);

/*
 * Declared writes: stages/declared_writes.h has what each function does. `layouts`: see stages/declaration.h; `error`: an
 * overlap_error, why this rank cannot take part. Declares: 1 while a declaration is in force, or an error of declared writes
 * is still to be returned; the same on all ranks. Declare and flush are collective.
 */
void overlap_file_declare(overlap_file *file, const char *layouts, int error);
int overlap_file_declares(const overlap_file *file);
int overlap_file_flush(overlap_file *file);
int overlap_file_write_own(overlap_file *file);
int overlap_file_refuses(const overlap_file *file, int64_t first, int64_t last);
int overlap_file_refuses_layout(const overlap_file *file, const overlap_layout *layout, size_t bytes);
int64_t overlap_file_held_end(const overlap_file *file);
void overlap_file_hold(overlap_file *file, int may);
void overlap_file_keep(overlap_file *file, int error);

#ifdef __cplusplus
}
#endif

#endif
