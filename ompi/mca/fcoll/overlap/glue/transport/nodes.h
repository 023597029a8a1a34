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

/* rank_order.c: the nodes of so many ranks, whose nodes have these lowest ranks, where blocks of as many ranks are dealt to
 * them in turn; else false. */
bool mca_fcoll_overlap_deal_nodes(const int *lowest_of, int ranks, overlap_nodes *nodes);

/* rank_order.c: the node of a rank. */
int mca_fcoll_overlap_node_of(const overlap_nodes *nodes, int rank);

/* rank_order.c: the nodes of so many ranks that are not dealt. `nodes_of` holds the lowest rank of each rank's node, and
 * then the node. Returns what the nodes point to, for free(), or NULL without memory. */
int *mca_fcoll_overlap_list_nodes(int *nodes_of, int ranks, overlap_nodes *nodes);

#ifdef __cplusplus
}
#endif

#endif
