/*
 * SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The overlap project
 *
 * Which rank is on which node, and how many NICs a node has, for nodes.c. Needs nothing of Open MPI.
 */
#ifndef MCA_FCOLL_OVERLAP_NODES_H
#define MCA_FCOLL_OVERLAP_NODES_H

#include "../../engine/ports.h"

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* nics.c: ports of the fastest kind whose links are up: those of InfiniBand and Omni-Path with the highest rate; where there
 * are none, those of Ethernet with the highest speed (Slingshot and RoCE among them). Devices on PCI count, virtual
 * functions of them do not. 0 where that is not known, as in most virtual machines. `classes`: /sys/class, or what stands
 * for it. */
int mca_fcoll_overlap_count_nics(const char *classes);

/* What ranks agree on, the largest of each, to learn whether ranks are dealt to the nodes in blocks, as launchers do. A
 * block is a run of ranks of one node, a period the distance between two of them. What is to be the least counts as a
 * negative number. */
enum {
    MCA_FCOLL_OVERLAP_ORDER_LONGEST,      /* block; the first one of each node is looked at */
    MCA_FCOLL_OVERLAP_ORDER_SHORTEST,     /* block, of those that do not end with the last rank */
    MCA_FCOLL_OVERLAP_ORDER_PERIOD,       /* a node with one block has a period that leads beyond the last rank */
    MCA_FCOLL_OVERLAP_ORDER_LEAST_PERIOD, /* of nodes with several blocks */
    MCA_FCOLL_OVERLAP_ORDER_IRREGULAR,    /* a node has blocks of several lengths, or unlike distances between them */
    MCA_FCOLL_OVERLAP_ORDER_WORDS
};

/* rank_order.c: the words of a rank, of so many in all. `is_here(of, rank)`: whether a rank is on its node. Returns the
 * lowest one that is. */
int mca_fcoll_overlap_order_describe(bool (*is_here)(void *of, int rank), void *of, int ranks,
                                     int words[MCA_FCOLL_OVERLAP_ORDER_WORDS]);

/* rank_order.c: the nodes of so many ranks by the agreed words; false, for all of them, where ranks are not dealt. */
bool mca_fcoll_overlap_order_nodes(const int words[MCA_FCOLL_OVERLAP_ORDER_WORDS], int ranks, overlap_nodes *nodes);

/* rank_order.c: the node of a rank. */
int mca_fcoll_overlap_node_of(const overlap_nodes *nodes, int rank);

/* rank_order.c: the nodes of so many ranks that are not dealt. `nodes_of` holds the lowest rank of each rank's node, and
 * then the node. Returns what the nodes point to, for free(), or NULL without memory. */
int *mca_fcoll_overlap_list_nodes(int *nodes_of, int ranks, overlap_nodes *nodes);

#ifdef __cplusplus
}
#endif

#endif
