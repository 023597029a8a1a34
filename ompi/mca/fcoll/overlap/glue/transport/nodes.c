/*
 * SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The overlap project
 *
 * Which rank is on which node, and how many NICs each node has.
 */
#include "transport.h"
#include "nics.h"
#include "rank_order.h"

#include "ompi/communicator/communicator.h"
#include "ompi/group/group.h"
#include "ompi/proc/proc.h"

#include <stddef.h>
#include <stdlib.h>

/* Processes of a node are known from the start, so no other is looked up. */
static bool is_here(ompi_communicator_t *comm, int rank) {
    const ompi_proc_t *proc = ompi_group_peer_lookup_existing(comm->c_local_group, rank);
    return rank == ompi_comm_rank(comm) || (NULL != proc && OPAL_PROC_ON_LOCAL_NODE(proc->super.proc_flags));
}

/* Keeps `used` numbers of a list that the nodes point into, and gives back the rest of it, and that of a call that failed
 * behind its own. */
static void keep(mca_fcoll_overlap_module_t *module, int *list, size_t used, const overlap_nodes *nodes) {
    int *shorter = NULL;

    free(module->node_list);
    module->node_list = NULL;
    module->nodes = *nodes;
    if (0 == used) {
        free(list);
        return;
    }
    shorter = realloc(list, used * sizeof(int));
    module->node_list = NULL == shorter ? list : shorter;
    mca_fcoll_overlap_point_into(&module->nodes, module->node_list, module->fh->f_size, used);
}

/* Collective. Each rank names the lowest rank of its node. */
static int gather_nodes(mca_fcoll_overlap_module_t *module, int lowest) {
    const int ranks = module->fh->f_size;
    int *list = malloc(mca_fcoll_overlap_list_room(ranks) * sizeof(int));
    int missing = NULL == list;
    int error = mca_fcoll_overlap_agree(module->fh, &missing, 1);
    overlap_nodes nodes;
    size_t used;

    if (OVERLAP_SUCCESS == error) {
        error = missing ? OVERLAP_ERR_NO_MEM : mca_fcoll_overlap_gather(module->fh, lowest, list);
    }
    if (OVERLAP_SUCCESS != error) {
        free(list);
        return error;
    }
    used = mca_fcoll_overlap_list_nodes(list, ranks, &nodes);
    keep(module, list, used, &nodes);
    return OVERLAP_SUCCESS;
}

/* A node that has all ranks needs none. The process counts them once, as a driver may take long to say how fast it is. */
static int nics_of_node(const mca_fcoll_overlap_node_ranks_t *node, int ranks) {
    static _Atomic int counted = -1;

    if (node->count == ranks) {
        return 0;
    }
    if (counted < 0) {
        counted = mca_fcoll_overlap_count_nics("/sys/class");
    }
    return counted;
}

int mca_fcoll_overlap_find_nodes(mca_fcoll_overlap_module_t *module) {
    ompi_communicator_t *comm = module->fh->f_comm;
    const int ranks = ompi_comm_size(comm);
    mca_fcoll_overlap_node_ranks_t own = {0};
    int words[MCA_FCOLL_OVERLAP_ORDER_WORDS + 1];
    int *const nics = &words[MCA_FCOLL_OVERLAP_ORDER_WORDS];
    int error;

    for (int rank = 0; rank < ranks; ++rank) {
        if (is_here(comm, rank)) {
            mca_fcoll_overlap_node_ranks_add(&own, rank);
        }
    }
    mca_fcoll_overlap_order_describe(&own, ranks, words);
    *nics = own.lowest == ompi_comm_rank(comm) ? mca_fcoll_overlap_nics_word(nics_of_node(&own, ranks)) : 0;
    error = mca_fcoll_overlap_agree(module->fh, words, MCA_FCOLL_OVERLAP_ORDER_WORDS + 1);
    if (OVERLAP_SUCCESS != error) {
        return error;
    }
    module->nics = mca_fcoll_overlap_nics_of_word(*nics);
    return mca_fcoll_overlap_order_nodes(words, ranks, &module->nodes) ? OVERLAP_SUCCESS : gather_nodes(module, own.lowest);
}
