/*
 * SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The overlap project
 *
 * The choices that a user has for a file, with their names. The values are those of the MCA parameters and MPI_Info keys
 * `fcoll_overlap_*`; a row of each `overlap_*_names` table stands for the enumerator of the same index.
 */
#ifndef OVERLAP_ENGINE_BASE_SETTINGS_H
#define OVERLAP_ENGINE_BASE_SETTINGS_H

#ifdef __cplusplus
extern "C" {
#endif

typedef enum overlap_algorithm {
    OVERLAP_ALGORITHM_NONE = 0,
    OVERLAP_ALGORITHM_COMM,
    OVERLAP_ALGORITHM_WRITE,
    OVERLAP_ALGORITHM_WRITE_COMM,
    OVERLAP_ALGORITHM_WRITE_COMM_2,
    OVERLAP_ALGORITHM_DATAFLOW,
    OVERLAP_ALGORITHM_AUTO /* chosen, see policy/choice.h */
} overlap_algorithm;

typedef enum overlap_shuffle {
    OVERLAP_SHUFFLE_TWO_SIDED = 0,
    OVERLAP_SHUFFLE_PUT_FENCE,
    OVERLAP_SHUFFLE_PUT_LOCK,
    OVERLAP_SHUFFLE_AUTO /* as OVERLAP_ALGORITHM_AUTO */
} overlap_shuffle;

typedef enum overlap_writer {
    OVERLAP_WRITER_FBTL = 0,
    OVERLAP_WRITER_THREAD,
    OVERLAP_WRITER_LIBAIO,
    OVERLAP_WRITER_AUTO /* as OVERLAP_ALGORITHM_AUTO */
} overlap_writer;

typedef enum overlap_partition { OVERLAP_PARTITION_EVEN = 0, OVERLAP_PARTITION_STATIC } overlap_partition;

/* How a cycle with gaps between its extents is written. */
typedef enum overlap_holes { OVERLAP_HOLES_AUTO = 0, OVERLAP_HOLES_LIST, OVERLAP_HOLES_SIEVE } overlap_holes;

/* Who reads in a collective read, and who writes in a collective write. */
typedef enum overlap_transfers {
    OVERLAP_TRANSFERS_AUTO = 0,   /* as suits the access */
    OVERLAP_TRANSFERS_COLLECTIVE, /* the aggregators */
    OVERLAP_TRANSFERS_INDEPENDENT /* each rank its own bytes */
} overlap_transfers;

/* Whether one rank of a node takes part in a collective call for all of them. */
typedef enum overlap_node_merge { OVERLAP_NODE_MERGE_OFF = 0, OVERLAP_NODE_MERGE_ON } overlap_node_merge;

/* What is said of a file when it is closed. */
typedef enum overlap_report {
    OVERLAP_REPORT_OFF = 0,
    OVERLAP_REPORT_TEXT, /* a page */
    OVERLAP_REPORT_JSON,
    OVERLAP_REPORT_LINE
} overlap_report;

typedef enum overlap_placement {
    OVERLAP_PLACEMENT_OMPIO = 0,
    OVERLAP_PLACEMENT_SPREAD,
    OVERLAP_PLACEMENT_LOCALITY,
    OVERLAP_PLACEMENT_LAP,
    OVERLAP_PLACEMENT_TAPIOCA,
    OVERLAP_PLACEMENT_PLUGIN /* has no name: the path of the plugin stands for it */
} overlap_placement;

/* Names in the order of the enumerators, ended by NULL; entry.h's library defines them. */
extern const char *const overlap_algorithm_names[];
extern const char *const overlap_shuffle_names[];
extern const char *const overlap_writer_names[];
extern const char *const overlap_partition_names[];
extern const char *const overlap_placement_names[];
extern const char *const overlap_holes_names[];
extern const char *const overlap_transfers_names[];
extern const char *const overlap_node_merge_names[];
extern const char *const overlap_report_names[];

enum { OVERLAP_SLOTS_AUTO = 0, OVERLAP_SLOTS_MIN = 2, OVERLAP_SLOTS_MAX = 16 };

enum { OVERLAP_THROTTLE_AUTO = 0 };

enum {
    OVERLAP_WINDOW_THRESHOLD_DEFAULT = 4 << 20,
    OVERLAP_PUT_THRESHOLD_DEFAULT = 512 << 10,
    OVERLAP_CANDIDATES_PER_NODE_DEFAULT = 4,
    OVERLAP_EAGER_BYTES_DEFAULT = 64 << 20,
    OVERLAP_TRACE_BYTES_DEFAULT = 4 << 20
};

enum { OVERLAP_TEXT_SIZE = 1024 }; /* of a setting that is a text, with the 0 at its end */

/* The same on all ranks of a file. */
typedef struct overlap_settings {
    overlap_algorithm algorithm;
    overlap_shuffle shuffle;
    overlap_writer writer;
    int slots; /* sub-buffers that share the collective buffer, OVERLAP_SLOTS_MIN to OVERLAP_SLOTS_MAX, or _AUTO */
    overlap_partition partition;
    overlap_placement placement;
    int window_threshold; /* bytes that an aggregator has to write in a call before windows are allocated for it */
    int put_threshold;    /* bytes that the blocks that are put have on average, at least; below it messages serve */
    int throttle;         /* messages that an aggregator has under way with its clients, at most, or _AUTO */
    int eager_bytes; /* of sub-buffers that a nonblocking call may take for a domain, beyond what a blocking one takes */
    overlap_holes holes;
    overlap_transfers reads;
    overlap_transfers writes;
    overlap_node_merge node_merge;
    int aggregators_per_node; /* at most; 0: no limit */
    int domains_per_rank;     /* file domains that a rank may aggregate; 0 counts as 1 */
    int candidates_per_node;  /* ranks of a node that are compared as aggregators; 0: all */
    overlap_report report;
    char plugin[OVERLAP_TEXT_SIZE];              /* path, of OVERLAP_PLACEMENT_PLUGIN */
    char topology[OVERLAP_TEXT_SIZE];            /* of the network, see placement/topology/network.h; empty: flat */
    char topology_bandwidths[OVERLAP_TEXT_SIZE]; /* bytes per second of its levels of links; empty: what is known of them */
    char storage_nodes[OVERLAP_TEXT_SIZE];       /* hosts or switches of the storage servers; empty: not known */
    char rules[OVERLAP_TEXT_SIZE];               /* path of the rules of a site, see policy/rules.h; empty: none */
    char report_file[OVERLAP_TEXT_SIZE];         /* pattern of its path, of which the engine knows nothing; empty: stderr */
    char trace[OVERLAP_TEXT_SIZE];               /* path of the timeline, see observe/timeline.h; empty: none */
    int trace_bytes;                             /* that a rank may hold of it between two collections */
    char config_list[OVERLAP_TEXT_SIZE];         /* the hint cb_config_list, empty where it is not given */
} overlap_settings;

#ifdef __cplusplus
}
#endif

#endif
