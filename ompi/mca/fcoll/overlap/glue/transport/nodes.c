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

bool mca_fcoll_overlap_are_on_one_node(ompi_communicator_t *comm) {
    return !ompi_group_have_remote_peers(comm->c_local_group);
}

/* Each rank names the lowest rank of its node. Behind them is the fewest NICs of a node, as a negative number, by its lowest
 * rank; 0 where all ranks are on one, as nobody asks for them then. A list of all ranks is less than what OMPIO makes for
 * each view of a file, which is an entry for each pair of them (mca_common_ompio_set_view). */
int mca_fcoll_overlap_find_nodes(mca_fcoll_overlap_module_t *module) {
    int *const lowest_of = module->ompio_aggregators, lowest = 0, error; /* the aggregators come later (take_terms) */
    ompi_communicator_t *comm = module->fh->f_comm;
    const int ranks = ompi_comm_size(comm);

    while (!is_here(comm, lowest)) {
        ++lowest;
    }
    memset(lowest_of, 0, (size_t)ranks * sizeof(int));
    lowest_of[ompi_comm_rank(comm)] = lowest;
    lowest_of[ranks] = ompi_comm_rank(comm) != lowest            ? -INT_MAX
                       : mca_fcoll_overlap_are_on_one_node(comm) ? 0
                                                                 : -nics_of_node();
    error = mca_fcoll_overlap_agree(module, lowest_of, (size_t)ranks + 1, mca_fcoll_overlap_is_nonblocking());
    if (OVERLAP_SUCCESS == error) {
        free(module->node_list); /* of a call that failed behind its own */
        module->node_list = NULL;
        module->nics = -lowest_of[ranks];
        if (!mca_fcoll_overlap_deal_nodes(lowest_of, ranks, &module->nodes)) {
            module->node_list = mca_fcoll_overlap_list_nodes(lowest_of, ranks, &module->nodes);
            error = NULL == module->node_list ? OVERLAP_ERR_NO_MEM : OVERLAP_SUCCESS;
        }
    }
    return error;
}
