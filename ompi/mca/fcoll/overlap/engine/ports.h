/*
 * SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The overlap project
 *
 * All that the engine knows of the world: transport, storage and host. The glue fills these tables over pml, coll, osc, fs
 * and fbtl; the unit tests fill them over threads of one process (test/unit/fake_cluster.h).
 *
 * `self` is the table's own `self`. Functions return an `overlap_error`. Offsets are bytes from the start of the file,
 * lengths are bytes. Only the thread of the MPI call calls into a port, but for what is marked "from any thread".
 */
#ifndef OVERLAP_ENGINE_PORTS_H
#define OVERLAP_ENGINE_PORTS_H

#include "../include/overlap/overlap_placement.h"
#include "base/counters.h"

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What can go wrong, in ascending severity: ranks agree on the largest value that any of them met. */
typedef enum overlap_error {
    OVERLAP_SUCCESS = 0,
    OVERLAP_ERR_OTHER,     /* an internal failure, e.g. of a message          (MPI_ERR_OTHER) */
    OVERLAP_ERR_ARG,       /* an access that no view can describe             (MPI_ERR_ARG) */
    OVERLAP_ERR_BUFFER,    /* memory that nothing here can reach              (MPI_ERR_BUFFER) */
    OVERLAP_ERR_IO,        /* EIO, EFBIG, EBADF and every unnamed errno       (MPI_ERR_IO) */
    OVERLAP_ERR_FILE,      /* the descriptor is stale                         (MPI_ERR_FILE) */
    OVERLAP_ERR_ACCESS,    /* EACCES, EPERM                                   (MPI_ERR_ACCESS) */
    OVERLAP_ERR_READ_ONLY, /* EROFS, or a file opened for reading             (MPI_ERR_READ_ONLY) */
    OVERLAP_ERR_NO_MEM,    /* ENOMEM, std::bad_alloc                          (MPI_ERR_NO_MEM) */
    OVERLAP_ERR_QUOTA,     /* EDQUOT                                          (MPI_ERR_QUOTA) */
    OVERLAP_ERR_NO_SPACE   /* ENOSPC                                          (MPI_ERR_NO_SPACE) */
} overlap_error;

/* `count` blocks of `length` bytes in memory whose starts are `stride` bytes apart (stride is ignored where count is 1). */
typedef struct overlap_piece {
    char *address;
    size_t length;
    ptrdiff_t stride;
    size_t count;
} overlap_piece;

/* `length` bytes at `address` that belong at `offset` of the file. */
typedef struct overlap_extent {
    int64_t offset;
    char *address;
    size_t length;
} overlap_extent;

typedef struct overlap_request overlap_request;         /* a message under way, owned by the transport */
typedef struct overlap_transfer overlap_transfer;       /* a write or a read under way, owned by the storage */
typedef struct overlap_node_memory overlap_node_memory; /* memory of ranks of a node, owned by the transport */
typedef struct overlap_window overlap_window; /* memory of each rank that others put into, owned by the transport */

/* Which way bytes go: into the file, or out of it. */
typedef enum overlap_direction { OVERLAP_WRITE = 0, OVERLAP_READ } overlap_direction;

/* The ends of an epoch in which all ranks may put into the memory of all. */
typedef enum overlap_fence { OVERLAP_FENCE_OPEN = 0, OVERLAP_FENCE_CLOSE } overlap_fence;

/* What a window is used with. */
typedef enum overlap_epochs { OVERLAP_EPOCHS_FENCE = 0, OVERLAP_EPOCHS_LOCK } overlap_epochs;

/* When a send is complete: when its bytes may be touched again, or when its receive has met it. */
typedef enum overlap_send_mode { OVERLAP_SEND_STANDARD = 0, OVERLAP_SEND_SYNCHRONOUS } overlap_send_mode;

typedef enum overlap_reduction { OVERLAP_REDUCE_MAX = 0, OVERLAP_REDUCE_SUM } overlap_reduction;

enum { OVERLAP_NODE_MEMORY_NAME = 64 }; /* bytes of the name of memory of a node, with the 0 at its end */

/* Which rank is on which node. Nodes are numbered from 0 in the order of their lowest rank. Ranks that are dealt to them in
 * turn, in blocks, need no list. */
typedef struct overlap_nodes {
    int count;
    int block;               /* ranks of a block; 0: they are not dealt, and are listed below */
    const int *begin;        /* count + 1 entries: where the ranks of each node begin in `by_node`, and their end */
    const int *by_node;      /* the ranks, those of a node ascending, node by node; NULL: that is 0, 1, 2, ... */
    const int *node_of_rank; /* NULL where `by_node` is */
} overlap_nodes;

typedef struct overlap_transport {
    void *self;
    int rank;
    int size;
    overlap_nodes nodes; /* what it points to is valid until the file is closed */
    const char *host;    /* name of the node of this rank */
    /* NICs of the fastest kind that each node has at least, the same on all ranks; 0 where a node does not know its own. */
    int nics;

    /* The objects of the node on which this rank may run, as Open MPI writes them ("NM0:SK0:L30:L20:L10:CR0:HT0"); empty
     * where they are not known, NULL without memory. Valid until the file is closed. */
    const char *(*locality)(void *self);

    /*
     * Start a message of the bytes of `pieces` in order. The array may be reused when the call returns, the bytes may not be
     * touched until the request is complete. Messages between two ranks with one tag do not overtake each other. A receive
     * takes exactly the bytes of the matching send.
     *
     * A start always starts. Where the message cannot be made, one that says so goes in its place: a send without bytes,
     * whose receive fails, or a receive that drops what comes. The call returns the reason; `*request` is set all the same.
     * A rank that lacks the bytes may send none as well.
     */
    int (*send)(void *self, int peer, int tag, overlap_send_mode mode, const overlap_piece *pieces, size_t count,
                overlap_request **request);
    int (*receive)(void *self, int peer, int tag, const overlap_piece *pieces, size_t count, overlap_request **request);

    /* Receive the next message with this tag from any rank, `*source`, of at most `capacity` bytes; blocks. After an error
     * the message is taken and `*received` is 0. */
    int (*receive_any)(void *self, int tag, void *buffer, size_t capacity, int *source, size_t *received);

    /* Complete every request of the list (NULL: none), also after one failed; entries become NULL. Returns the most severe
     * error, that of a receive whose message could not be made included. */
    int (*wait)(void *self, overlap_request **requests, size_t count);

    /* The same without blocking: `*done` is 1 if all are complete. Entries that are become NULL. Progresses messages. */
    int (*test)(void *self, overlap_request **requests, size_t count, int *done);

    /* Collective operations. One that returns an error has not begun on this rank, and may be called again. */

    /* Reduce `count` values element by element over all ranks, in place. */
    int (*allreduce)(void *self, int64_t *values, size_t count, overlap_reduction reduction);

    /* `bytes` bytes at `data` of rank 0 to all ranks. */
    int (*broadcast)(void *self, void *data, size_t bytes);

    /* Let messages under way progress while this rank waits for something else. */
    void (*progress)(void *self);

    /* 1 where the call is blocking, and may sleep or wait in windows; 0 where it is nonblocking. The same on all ranks. */
    int (*waits)(void *self);

    /*
     * Make a window of `bytes` of this rank's memory (0 where nobody puts into it), aligned for any type. Collective. It may
     * fail on some ranks only, where `*window` is NULL. Success with `*window` NULL, then on all ranks: it cannot be made
     * now but may be another time. `*memory` lives as long as the window.
     */
    int (*window_allocate)(void *self, size_t bytes, overlap_epochs epochs, overlap_window **window, char **memory);
    /* Collective. `*window` becomes NULL. */
    void (*window_free)(void *self, overlap_window **window);

    /* Begin or end an epoch for all ranks. Collective. Between the two this rank leaves its memory alone; after the end it
     * holds what was put, and the bytes that this rank puts may be touched again. Also where the call returns an error, but
     * then what this rank put may not be there. */
    int (*window_fence)(void *self, overlap_window *window, overlap_fence fence);

    /* Begin and end an epoch with one target, shared with other ranks. After its end the target needs a message that
     * the bytes are there. After an error of either there is no epoch any more, and what was put may not be there. */
    int (*window_lock)(void *self, overlap_window *window, int target);
    int (*window_unlock)(void *self, overlap_window *window, int target);

    /* Put the bytes of `pieces` in order to `places`, whose addresses count from the start of the target's memory. Needs an
     * epoch, until whose end the bytes may not be touched. Both lists may be reused when the call returns. After an error
     * some of the bytes may be put. */
    int (*put)(void *self, overlap_window *window, int target, const overlap_piece *pieces, size_t count,
               const overlap_piece *places, size_t place_count);

    /*
     * Memory that ranks of a node load and store as their own; not collective. One rank makes it and tells the others its
     * name, under which they join until it leaves. `*address` is this rank's, aligned for any type. After an error
     * `*memory` is NULL. What a rank has stored others see once a message or a collective operation has come to them from
     * it. NULL where there is no such memory.
     */
    int (*node_memory_make)(void *self, size_t bytes, char name[OVERLAP_NODE_MEMORY_NAME], overlap_node_memory **memory,
                            char **address);
    int (*node_memory_join)(void *self, const char *name, size_t bytes, overlap_node_memory **memory, char **address);

    /* It goes with the last rank that leaves. `*memory` becomes NULL. */
    void (*node_memory_leave)(void *self, overlap_node_memory **memory);
} overlap_transport;

enum { OVERLAP_FILE_SYSTEM_SIZE = 16 }; /* of its name, with the 0 at its end */

/* What is known of a file at the start of a collective call. */
typedef struct overlap_file_facts {
    int64_t stripe_size;            /* bytes, 0 where the file system has none */
    int stripe_count;               /* storage targets, 0 where not known */
    int64_t hinted_stripe_size;     /* the same two where the user tells them, 0 where not; they count where the file */
    int hinted_stripe_count;        /* system has none */
    int64_t block_size;             /* bytes of a file system block, at least 1 */
    int64_t collective_buffer_size; /* bytes of the collective buffer of an aggregator, at least 1 */
    int collective_buffer_chosen;   /* 1 where the user asked for that size, 0 where it is the default */
    int aggregators;                /* how many aggregators the user asked for, 0 for "choose" */
    const int *ompio_aggregators;   /* ranks that OMPIO would choose */
    int ompio_aggregator_count;
    int atomic_mode; /* 1 in MPI atomic mode now; ranks may differ where it could not be set on all of them */
    int posix;       /* 1 where posix_transfer can be used */
    int coherent;    /* 1 where nodes see each other's writes, or do so under the lock that each write takes */
    int remote;      /* 1 where a write goes to a server, whose latency several at a time pay together */
    int tells_size;  /* 1 where the file system tells the size of a file as it is; 0: it may tell less */
    char file_system[OVERLAP_FILE_SYSTEM_SIZE]; /* in lower case: "tmpfs", "ext4", "lustre", ...; "unknown" */
} overlap_file_facts;

/* What was asked for and cannot be had; something else is done in its place. */
typedef enum overlap_warning {
    OVERLAP_WARNING_NO_WINDOWS = 0,   /* one-sided shuffles: no window can be made, two-sided serves */
    OVERLAP_WARNING_NOT_POSIX,        /* writers other than fbtl: the file has no descriptor of its own, fbtl serves */
    OVERLAP_WARNING_WRITER_NOT_BUILT, /* writer libaio: built without the library, thread serves */
    OVERLAP_WARNING_NO_DIRECT,        /* writer libaio: the file system has no direct writes, thread serves */
    OVERLAP_WARNING_KERNEL_REFUSES,   /* writer libaio: the kernel gives no queue, thread serves */
    OVERLAP_WARNING_TOPOLOGY,         /* the network's description cannot be used, all nodes are taken to be equally far */
    OVERLAP_WARNING_STORAGE_NODES,    /* names of storage servers that the topology does not know are ignored */
    OVERLAP_WARNING_CONFIG_LIST,      /* the hint cb_config_list cannot be read and is ignored */
    OVERLAP_WARNING_LIMITS,           /* the limits of a hint allow no rank: they are ignored */
    OVERLAP_WARNING_PLUGIN,           /* the placement plugin failed, spread places */
    OVERLAP_WARNING_NO_SIEVE,         /* holes sieve: the file cannot be read back or locked, list serves */
    OVERLAP_WARNING_RULES,            /* rules of the site that are wrong are ignored, or all of them */
    OVERLAP_WARNING_TRACE,            /* the timeline cannot be written and ends */
    OVERLAP_WARNING_DECLARED,         /* calls are not done as they were declared */
    OVERLAP_WARNING_SMALL_SUB_BUFFER  /* cycles of so few bytes take long */
} overlap_warning;

/* For writers that hand descriptors to the kernel. Alignments are bytes, powers of two. */
typedef struct overlap_descriptors {
    int ordinary;             /* the file's own, which its owner closes */
    int direct;               /* a second one for O_DIRECT, -1 where the file has none; the caller closes it */
    int64_t offset_alignment; /* of offsets and lengths of direct writes, whole pages of the page cache */
    size_t memory_alignment;  /* of their addresses */
} overlap_descriptors;

/* Why the gaps between the bytes of a write are not sieved. Ranks agree on the largest value, which holds for the call. */
typedef enum overlap_gaps {
    OVERLAP_GAPS_WRITTEN_BACK = 0, /* nothing stands against it */
    OVERLAP_GAPS_PENDING_WRITE,    /* an independent nonblocking write is pending in this process */
    OVERLAP_GAPS_OTHER_HANDLE,     /* this process has another handle of the file open for writing, and it may be used now */
    OVERLAP_GAPS_NONBLOCKING,      /* the call is nonblocking: the program may write meanwhile */
    OVERLAP_GAPS_CACHES,           /* ranks on several nodes, whose caches the file system does not keep coherent */
    OVERLAP_GAPS_NO_LOCK           /* the file cannot be read, or its locks are turned off */
} overlap_gaps;

typedef struct overlap_storage {
    void *self;

    /* The same on all ranks of a file. Pointers are valid until the next call. */
    void (*facts)(void *self, overlap_file_facts *facts);

    /* Bytes of the file now; of what is no regular file INT64_MAX. `fresh`: as the storage has it, not only as this rank's
     * node knows. */
    int (*size)(void *self, int fresh, int64_t *bytes);

    /*
     * Write or read the extents in order. Short transfers are continued, EINTR and EAGAIN retried. The first `*done` bytes
     * of the list are transferred, and after an error the byte that follows them could not be. A read that meets the end of
     * the file succeeds with what lies before it.
     */
    int (*transfer)(void *self, overlap_direction direction, const overlap_extent *extents, size_t count, size_t *done);

    /* Start the same, where it can be done beside the caller; the extent list may be reused when the call returns, the bytes
     * may not. Else it is done when the call returns, as above, and `*request` is NULL. */
    int (*transfer_start)(void *self, overlap_direction direction, const overlap_extent *extents, size_t count,
                          overlap_transfer **request, size_t *done);

    /* Complete what was started; `*request` becomes NULL, also after an error. `*done` as above. */
    int (*transfer_wait)(void *self, overlap_transfer **request, size_t *done);

    /* As `transfer_wait` without blocking: `*complete` is 1 where it is; else `*request` stays. */
    int (*transfer_test)(void *self, overlap_transfer **request, int *complete, size_t *done);

    /* What this process has written is in the storage after that, and no cache of this node may send it later. */
    int (*flush)(void *self);

    /* As `transfer`, with POSIX calls on the file's descriptor, under a lock where the file needs one for each. From
     * any thread. */
    int (*posix_transfer)(void *self, overlap_direction direction, const overlap_extent *extents, size_t count,
                          size_t *done);

    /*
     * For read-modify-write; from any thread. Lock: exclusive, without waiting; `*held` is 1 where this thread has the range
     * now and 0 where another one, or another process, has a part of it. Fails where there is no lock to be had. Transfer:
     * as posix_transfer, within what is locked, with 0 in `*done`; reads what the storage holds, not a cache.
     */
    int (*posix_lock)(void *self, int64_t offset, int64_t length, int *held);
    int (*posix_transfer_locked)(void *self, overlap_direction direction, const overlap_extent *extents, size_t count,
                                 size_t *done);
    void (*posix_unlock)(void *self, int64_t offset, int64_t length);

    /* Why the gaps of a write that this rank begins are not written back, as far as this rank knows. Takes no lock. */
    overlap_gaps (*gaps)(void *self);

    /* 0 where the file holds nothing at `offset`, so that reads give zeros, 1 where it may hold data. That holds for
     * [offset, *until) as long as nobody writes there; `*until` > `offset`, INT64_MAX where no end is known. From any
     * thread. Some kernels wait until no write of the file is under way. */
    int (*posix_holds_data)(void *self, int64_t offset, int64_t *until);

    /* Opens the second descriptor. Fails where the file has no first one. */
    int (*posix_descriptors)(void *self, overlap_descriptors *descriptors);

    /* 1 where each transfer of the file takes a lock now, else 0. From any thread. */
    int (*posix_locks)(void *self);

    /* The error for an errno with which somebody else's transfer of this extent failed. */
    int (*posix_error)(void *self, const overlap_extent *extent, int number);
} overlap_storage;

/* What the timeline of a file calls it. */
typedef struct overlap_trace_names {
    int process;      /* this one: its rank in the job */
    int handle;       /* a small number, of no other file that the process has open */
    int64_t number;   /* of no other file that the process ever opens */
    const char *file; /* valid until it is closed */
} overlap_trace_names;

/* What is neither the network nor the file: the user, and what the user's settings refer to. */
typedef struct overlap_host {
    void *self;

    /* 1 where the user sees what `explain` is given, else 0. */
    int (*explains)(void *self);

    /* One line of what is done with the file, for the user who turned on verbose output. */
    void (*explain)(void *self, const char *line);

    /* Of a clock that never goes back. From any thread. */
    double (*seconds)(void *self);

    /* Two, of writes and of reads, which outlive the engine: it adds to what they hold. NULL: nobody asks for them. */
    overlap_counters *counters;

    /* Copies bytes from or to memory that only a device's copies reach (entry.h). Returns when they are there;
     * after an error some may be. */
    int (*device_copy)(void *self, void *to, const void *from, size_t bytes);

    /* All ranks have come to a nonblocking write, which takes about so long; 0: this rank can only wait for it. */
    void (*expects)(void *self, double seconds);

    /* What every user should know, from one rank. `why` is a sentence for warnings that have more than one cause
     * (OVERLAP_WARNING_TOPOLOGY and below), of OVERLAP_WARNING_RULES a line for each cause; else NULL. */
    void (*warn)(void *self, overlap_warning warning, const char *why);

    overlap_trace_names trace_names;

    /* Adds events to the timeline of the job: JSON objects, each with a "," behind it. `path` as the setting has it. The
     * file is valid JSON before and after, with all of them or none. Returns NULL, or why it has none. */
    const char *(*append_trace)(void *self, const char *path, const char *events, size_t length);

    /* Reads a whole file, which need not be the one that is written, into memory from malloc. Returns 0 or an errno. */
    int (*read_text)(void *self, const char *path, char **text, size_t *length);

    /* Loads a placement plugin until close_plugin. NULL where that fails: `why` is the reason then. Checks nothing. */
    const overlap_plugin *(*open_plugin)(void *self, const char *path, void **handle, char *why, size_t why_size);
    void (*close_plugin)(void *self, void *handle);
} overlap_host;

#ifdef __cplusplus
}
#endif

#endif
