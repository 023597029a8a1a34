/*
 * SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The overlap project
 *
 * The transport port: messages, collectives and windows over the communicator of a file, and its nodes. The engine of a file
 * (glue/file/engine.c) is opened with it.
 */
#ifndef MCA_FCOLL_OVERLAP_TRANSPORT_PORT_H
#define MCA_FCOLL_OVERLAP_TRANSPORT_PORT_H

#include "../nonblocking/nonblocking.h"

/* collectives.c: over the communicator of the file. Each returns an overlap_error. Agree: of each value the largest, in
 * place; `nonblocking`: with ranks that are in a nonblocking call. The others are those of the port. */
int mca_fcoll_overlap_agree(void *self, int *values, size_t count, bool nonblocking);
int mca_fcoll_overlap_allreduce(void *self, int64_t *values, size_t count, overlap_reduction reduction);
int mca_fcoll_overlap_broadcast(void *self, void *data, size_t bytes);

/* collectives.c: other ranks wait for a message or a collective that could not begin here, for want of memory as a rule,
 * which comes back as others complete. Lets these progress; false after many tries. */
bool mca_fcoll_overlap_may_try_again(int *tries);

/* nodes.c: whether all ranks are on one node, which each rank knows by itself. Local. */
bool mca_fcoll_overlap_are_on_one_node(ompi_communicator_t *comm);

/* nodes.c: finds those of all ranks, and learns how many NICs they have. Collective; an overlap_error of this rank. Needs
 * the room of the module for OMPIO's aggregators. */
int mca_fcoll_overlap_find_nodes(mca_fcoll_overlap_module_t *module);

/* messages.c: fills the port, with the functions of collectives.c; window.c and node_memory.c: fill in their own. */
void mca_fcoll_overlap_transport_open(mca_fcoll_overlap_module_t *module, overlap_transport *transport);
void mca_fcoll_overlap_window_functions(overlap_transport *transport);
void mca_fcoll_overlap_node_memory_functions(overlap_transport *transport);

#endif
