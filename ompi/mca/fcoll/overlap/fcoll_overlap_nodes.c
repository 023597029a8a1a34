/*
 * Which rank is on which node.
 */
#include "fcoll_overlap.h"
#include "fcoll_overlap_rank_order.h"

#include "ompi/communicator/communicator.h"
#include "ompi/group/group.h"
#include "ompi/proc/proc.h"

/* Processes of a node are known from the start, so no other is looked up. */
static bool is_here(ompi_communicator_t *comm, int rank) {
    const ompi_proc_t *proc = ompi_group_peer_lookup_existing(comm->c_local_group, rank);
    return rank == ompi_comm_rank(comm) || (NULL != proc && OPAL_PROC_ON_LOCAL_NODE(proc->super.proc_flags));
}

/* Each rank names the lowest rank of its node; nodes are then numbered in the order of these. */
static int gather_nodes(const ompio_file_t *fh, int lowest, int *node) {
    const int error = mca_fcoll_overlap_gather(fh, lowest, node);
    int nodes = 0;

    for (int rank = 0; OVERLAP_SUCCESS == error && rank < fh->f_size; ++rank) {
        node[rank] = node[rank] == rank ? nodes++ : node[node[rank]];
    }
    return error;
}

int mca_fcoll_overlap_find_nodes(mca_fcoll_overlap_module_t *module) {
    ompi_communicator_t *comm = module->fh->f_comm;
    const int ranks = ompi_comm_size(comm);
    mca_fcoll_overlap_node_ranks_t own = {0};
    int words[MCA_FCOLL_OVERLAP_ORDER_WORDS];
    int error;

    for (int rank = 0; rank < ranks; ++rank) {
        if (is_here(comm, rank)) {
            mca_fcoll_overlap_node_ranks_add(&own, rank);
        }
    }
    mca_fcoll_overlap_order_describe(&own, ranks, words);
    error = mca_fcoll_overlap_agree(module->fh, words, MCA_FCOLL_OVERLAP_ORDER_WORDS);
    if (OVERLAP_SUCCESS != error) {
        return error;
    }
    if (mca_fcoll_overlap_order_node(words, 0) < 0) {
        return gather_nodes(module->fh, own.lowest, module->node_of_rank);
    }
    for (int rank = 0; rank < ranks; ++rank) {
        module->node_of_rank[rank] = mca_fcoll_overlap_order_node(words, rank);
    }
    return OVERLAP_SUCCESS;
}
