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

BEGIN_C_DECLS

/* The file of the port. */
static inline ompio_file_t *mca_fcoll_overlap_fh(void *self) { return ((mca_fcoll_overlap_module_t *)self)->fh; }

/* collectives.c: over the communicator of the file. Each returns an overlap_error. Agree: of each value the largest, in
 * place; nonblocking: of a rank that has no nonblocking call, with ranks that have one. The others are those of the port. */
int mca_fcoll_overlap_agree(const ompio_file_t *fh, int *values, size_t count);
int mca_fcoll_overlap_agree_nonblocking(const ompio_file_t *fh, int *values, size_t count);
int mca_fcoll_overlap_allreduce(void *self, int64_t *values, size_t count, overlap_reduction reduction);
int mca_fcoll_overlap_broadcast(void *self, void *data, size_t bytes);

/* collectives.c: other ranks wait for a message or a collective that could not begin here, for want of memory as a rule,
 * which comes back as others complete. Lets these progress; false after many tries. */
bool mca_fcoll_overlap_may_try_again(int *tries);

/* nodes.c: finds those of all ranks, and learns how many NICs they have. Collective. Returns an overlap_error. */
int mca_fcoll_overlap_find_nodes(mca_fcoll_overlap_module_t *module);

/* messages.c: fills the port over the communicator of the file, but for windows. */
void mca_fcoll_overlap_transport_open(mca_fcoll_overlap_module_t *module, overlap_transport *transport);

/* node_memory.c: fills in the memory of a node. */
void mca_fcoll_overlap_node_memory_open(overlap_transport *transport);

/* window.c: fills in the functions for windows. */
void mca_fcoll_overlap_window_functions(overlap_transport *transport);

END_C_DECLS

#endif
