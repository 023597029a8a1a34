/*
 * What the glue calls: one engine object per open file. No C++ type and no exception crosses this header.
 */
#ifndef OVERLAP_ENGINE_ENTRY_H
#define OVERLAP_ENGINE_ENTRY_H

#include "ports.h"
#include "settings.h"

#include <sys/uio.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * A sequence of bytes that repeats: one instance of a datatype, tiled. `iov_base` of a block is its displacement from the
 * start of an instance (it may be negative in memory), `iov_len` its length. The sequence starts `skip` bytes into the data
 * of the first instance and is as long as the access. Instance k starts at origin + k * extent.
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

/* 1 where it says something of writes to come, or that nothing is said of them (declare/declaration.h). */
int overlap_is_declaration(const char *text);

/* In how many further texts it says where they are, 0 to OVERLAP_DECLARED_PARTS. */
enum { OVERLAP_DECLARED_PARTS = 8 };
int overlap_declared_parts(const char *text);

typedef struct overlap_file overlap_file;

/* The tables and settings are copied; what they point to must live until the file is closed. Local. NULL where there is no
 * memory. */
overlap_file *overlap_file_open(const overlap_transport *transport, const overlap_storage *storage, const overlap_host *host,
                                const overlap_settings *settings);

/* What all ranks did with the file, where the settings ask for a report, as a text from malloc; `name` is that of the file.
 * Collective over the ranks of the transport. NULL on all ranks but 0, where no report is asked for, and where it cannot be
 * made: `*error` is why then, an overlap_error. */
char *overlap_file_report(overlap_file *file, const char *name, int *error);

/* NULL is allowed. Collective where all ranks close the file together: what they hold together is given back. Else it is
 * kept until the program ends, and no message is sent. */
void overlap_file_close(overlap_file *file, int together);

/*
 * Collective over the ranks of the transport. All ranks return the same overlap_error. `*on_file` is the number of this
 * rank's bytes that are in the file: access->bytes after success, the count that really got there after an error.
 */
int overlap_file_write_all(overlap_file *file, const overlap_access *access, size_t *on_file);

/*
 * The same for a read. `*read` is the number of this rank's bytes that were read: after success those of the access that lie
 * before the end of the file; its memory for the others is as it was. After an error it holds anything.
 */
int overlap_file_read_all(overlap_file *file, const overlap_access *access, size_t *read);

/*
 * The same for calls that go on in passing. Of the `count` accesses that this rank is to do in their order some, from the
 * first, are done as one where all ranks have them; `*joined` says how many, the same on all ranks and at least one. `*done`
 * counts the bytes of all of them; of a read they are the first. No more than OVERLAP_PENDING_MAX are looked at.
 */
enum { OVERLAP_PENDING_MAX = 16 };
int overlap_file_transfer_pending(overlap_file *file, overlap_direction direction, const overlap_access *const *accesses,
                                  size_t count, size_t *joined, size_t *done);

/*
 * Writes that their calls have left for later, which is what they do where the settings say so (`collect`).
 *
 * Flush: collective; puts all of it into the file. All ranks return the same error, which may be that of an earlier call,
 * and return it once. Own: local; puts into the file what this rank has left; its error comes from the next call of all
 * ranks. Waits: local; the seconds that bytes of this rank have been waiting, less than 0 where it has none. Holds: local;
 * 1 where some of these lie in [first, last) of the file, or those of a call on both sides of it, else 0. Keep: on all
 * ranks; has them return this error from the next of such calls. End: local; where the file ends at least when all that
 * calls have left is in it; own: local; where what this rank has left ends, 0 where it has left nothing.
 */
int overlap_file_flush(overlap_file *file);
void overlap_file_flush_own(overlap_file *file);
double overlap_file_waits(const overlap_file *file);
int overlap_file_holds(const overlap_file *file, int64_t first, int64_t last);
void overlap_file_keep(overlap_file *file, int error);
int64_t overlap_file_end(const overlap_file *file);
int64_t overlap_file_own_end(const overlap_file *file);

/*
 * Collective: as many of the writes that follow as `of_all` says, the text of rank 0, are done together with the last of
 * them, again and again, until this is called again; where it says nothing no writes are. `own` is what this rank says, and
 * `layouts` all its further texts in one, "" for none. `error`: an overlap_error, why this rank cannot say anything.
 */
void overlap_file_declare(overlap_file *file, const char *of_all, const char *own, const char *layouts, int error);

#ifdef __cplusplus
}
#endif

#endif
