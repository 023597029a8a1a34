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

/* Processes of a node are known from the start, so no other is looked up. */
static bool is_here(void *of, int rank) {
    ompi_communicator_t *comm = of;
    const ompi_proc_t *proc = ompi_group_peer_lookup_existing(comm->c_local_group, rank);
    return rank == ompi_comm_rank(comm) || (NULL != proc && OPAL_PROC_ON_LOCAL_NODE(proc->super.proc_flags));
}

/* Collective. Each rank names the lowest rank of its node. */
static int gather_nodes(mca_fcoll_overlap_module_t *module, int lowest) {
    const size_t ranks = (size_t)module->fh->f_size;
    int *nodes_of = calloc(ranks, sizeof(int));
    int error = NULL == nodes_of ? OVERLAP_ERR_NO_MEM : OVERLAP_SUCCESS;
    const int failed = mca_fcoll_overlap_agree(module->fh, &error, 1);

    error = OVERLAP_SUCCESS == failed ? error : failed;
    if (OVERLAP_SUCCESS == error) {
        nodes_of[module->fh->f_rank] = lowest;
        error = mca_fcoll_overlap_agree(module->fh, nodes_of, ranks);
    }
    if (OVERLAP_SUCCESS == error) {
        module->node_list = mca_fcoll_overlap_list_nodes(nodes_of, (int)ranks, &module->nodes);
        error = NULL == module->node_list ? OVERLAP_ERR_NO_MEM : OVERLAP_SUCCESS;
    }
    free(nodes_of);
    return error;
}

/* The process counts them once, as a driver may take long to say how fast it is. */
static int nics_of_node(void) {
    static _Atomic int counted = -1;

    if (counted < 0) {
        counted = mca_fcoll_overlap_count_nics("/sys/class");
    }
    return counted;
}

int mca_fcoll_overlap_find_nodes(mca_fcoll_overlap_module_t *module) {
    ompi_communicator_t *comm = module->fh->f_comm;
    const int ranks = ompi_comm_size(comm);
    int words[MCA_FCOLL_OVERLAP_ORDER_WORDS + 1];
    int *const fewest_nics = &words[MCA_FCOLL_OVERLAP_ORDER_WORDS]; /* of a node, as a negative number */
    const int lowest = mca_fcoll_overlap_order_describe(is_here, comm, ranks, words);
    const bool has_all = ranks == words[MCA_FCOLL_OVERLAP_ORDER_LONGEST]; /* then nobody asks for NICs */
    int error;

    *fewest_nics = lowest != ompi_comm_rank(comm) ? -INT_MAX : has_all ? 0 : -nics_of_node();
    error = mca_fcoll_overlap_agree(module->fh, words, MCA_FCOLL_OVERLAP_ORDER_WORDS + 1);
    if (OVERLAP_SUCCESS != error) {
        return error;
    }
    free(module->node_list); /* of a call that failed behind its own */
    module->node_list = NULL;
    module->nics = -*fewest_nics;
    return mca_fcoll_overlap_order_nodes(words, ranks, &module->nodes) ? OVERLAP_SUCCESS : gather_nodes(module, lowest);
}
