/*
 * SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The overlap project
 *
 * A placement of one's own for the collective writes of the component fcoll/overlap of Open MPI:
 *
 *     --mca fcoll_overlap_placement /path/to/plugin.so
 *
 * loads a shared object that defines `overlap_placement_plugin` (only as an MCA parameter: no MPI_Info key loads code). It
 * is asked which rank aggregates which file domain, once for each access pattern of a file. Only rank 0 of the file's
 * communicator loads and asks it; all ranks take its answer. Plain C, no other header is needed.
 */
#ifndef OVERLAP_PLACEMENT_H
#define OVERLAP_PLACEMENT_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Grows whenever anything below changes. A plugin with another number is not used. */
#define OVERLAP_PLACEMENT_ABI_VERSION 1

/* All of it belongs to the caller and is valid until place returns. */
typedef struct overlap_placement_problem {
    int ranks;   /* of the file's communicator, numbered from 0 */
    int nodes;   /* numbered from 0 in the order of their lowest rank */
    int domains; /* file domains, at least 1, in the order of the file */

    const int *node_of_rank;         /* `ranks` nodes */
    const char *const *host_of_node; /* `nodes` names */

    /*
     * Bytes of each rank in each domain, those that are not 0: of domain d the entries first_of_domain[d] up to
     * first_of_domain[d + 1] of `rank` (ascending) and `bytes`. first_of_domain has domains + 1 entries.
     */
    const size_t *first_of_domain;
    const int *rank;
    const int64_t *bytes;

    /* 0 from a rank to itself; at most 1 within a node, less the deeper the object of the node that both share; between
     * nodes the number of hops, at least 2; -1 where one of the two is no rank. */
    double (*distance)(const struct overlap_placement_problem *problem, int a, int b);

    /* What the answer has to keep to. There is enough room for the domains. */
    const char *allowed;            /* of each rank: 1 where it may aggregate, else 0 */
    const int *aggregators_of_node; /* of each node: so many of its ranks may aggregate */
    int domains_per_rank;           /* so many domains may go to a rank */

    void *caller; /* not the plugin's */
} overlap_placement_problem;

/*
 * Functions return 0 for success. After anything else `error`, a buffer of `error_size` bytes, should hold the reason, ended
 * by 0; the user is notified, and the placement "spread" serves for the rest of the file. The same happens where an answer
 * does not keep to the limits, and where a function throws a C++ exception.
 */
typedef struct overlap_plugin {
    int abi_version; /* OVERLAP_PLACEMENT_ABI_VERSION; stays the first field */
    const char *name;

    /* Once for each file that uses the plugin. `*state` is the plugin's, NULL before. May be NULL. */
    int (*init)(void **state, char *error, size_t error_size);

    /* Writes the rank of each domain to `aggregators`, whose `domains` entries are -1 before. */
    int (*place)(void *state, const overlap_placement_problem *problem, int *aggregators, char *error, size_t error_size);

    /* When the file is closed, where init succeeded. May be NULL. */
    void (*finish)(void *state);
} overlap_plugin;

#if defined(__GNUC__)
__attribute__((visibility("default")))
#endif
extern const overlap_plugin overlap_placement_plugin; /* the plugin defines it */

#ifdef __cplusplus
}
#endif

#endif
