/*
 * SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The overlap project
 *
 * Which rank is on which node, and how many NICs each node has.
 */
#include "transport.h"
#include "nodes.h"

#include "ompi/communicator/communicator.h"
#include "ompi/group/group.h"
#include "ompi/proc/proc.h"

#include <limits.h>

/* Open MPI knows the processes of its own node from the start, so it need not look up any. */
static bool is_here(ompi_communicator_t *comm, int rank) {
    const ompi_proc_t *proc = ompi_group_peer_lookup_existing(comm->c_local_group, rank);
    return rank == ompi_comm_rank(comm) || (NULL != proc && OPAL_PROC_ON_LOCAL_NODE(proc->super.proc_flags));
}

/* The process counts them once, as a driver may take long to say how fast it is. */
static int nics_of_node(void) {
    static _Atomic int counted = -1;

    if (counted < 0) {
        counted = mca_fcoll_overlap_count_nics("/sys/class");
    }
    return counted;
}

/* What this rank contributes to the agreement on NICs. Ranks agree on the largest value, and the fewest NICs count, so it is
 * minus their number. Only the lowest rank of a node tells it. 0 where all ranks are on one node: nobody asks then. */
static int word_on_nics(ompi_communicator_t *comm, int lowest) {
    int rank = 0;

    if (lowest != ompi_comm_rank(comm)) {
        return -INT_MAX;
    }
    while (rank < ompi_comm_size(comm) && is_here(comm, rank)) {
        ++rank;
    }
    return rank == ompi_comm_size(comm) ? 0 : -nics_of_node();
}

/* Each rank names the lowest rank of its node. A list of all ranks is less than what OMPIO makes for each view of a file,
 * which is an entry for each pair of them (mca_common_ompio_set_view). */
int mca_fcoll_overlap_find_nodes(mca_fcoll_overlap_module_t *module) {
    const bool nonblocking = mca_fcoll_overlap_is_nonblocking();
    ompi_communicator_t *comm = module->fh->f_comm;
    const int ranks = ompi_comm_size(comm);
    int *const lowest_of = calloc((size_t)ranks + 1, sizeof(int)); /* and the fewest NICs of a node */
    int error = NULL == lowest_of ? OVERLAP_ERR_NO_MEM : OVERLAP_SUCCESS, lowest = 0;
    const int failed = mca_fcoll_overlap_agree(module, &error, 1, nonblocking);

    error = OVERLAP_SUCCESS == failed ? error : failed;
    if (OVERLAP_SUCCESS == error) {
        while (!is_here(comm, lowest)) {
            ++lowest;
        }
        lowest_of[ompi_comm_rank(comm)] = lowest;
        lowest_of[ranks] = word_on_nics(comm, lowest);
        error = mca_fcoll_overlap_agree(module, lowest_of, (size_t)ranks + 1, nonblocking);
    }
    if (OVERLAP_SUCCESS == error) {
        free(module->node_list); /* of a call that failed behind its own */
        module->node_list = NULL;
        module->nics = -lowest_of[ranks];
        if (!mca_fcoll_overlap_deal_nodes(lowest_of, ranks, &module->nodes)) {
            module->node_list = mca_fcoll_overlap_list_nodes(lowest_of, ranks, &module->nodes);
            error = NULL == module->node_list ? OVERLAP_ERR_NO_MEM : OVERLAP_SUCCESS;
        }
    }
    free(lowest_of);
    return error;
}
