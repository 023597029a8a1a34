/*
 * Where all ranks are, told by a few numbers that they agree on. Launchers give nodes their ranks in blocks or in turn; then
 * no rank has to hear from each other one. Needs nothing of Open MPI.
 */
#ifndef MCA_FCOLL_OVERLAP_RANK_ORDER_H
#define MCA_FCOLL_OVERLAP_RANK_ORDER_H

#include <limits.h>
#include <stdbool.h>

/* The ranks of one node. Begins as zeros. */
typedef struct mca_fcoll_overlap_node_ranks_t {
    int lowest;
    int last;
    int count;
    int stride; /* between two of them; 0 where it is not always the same, or there is one */
} mca_fcoll_overlap_node_ranks_t;

/* Ranks are added in ascending order. */
static inline void mca_fcoll_overlap_node_ranks_add(mca_fcoll_overlap_node_ranks_t *node, int rank) {
    if (0 == node->count) {
        node->lowest = rank;
    } else if (1 == node->count) {
        node->stride = rank - node->last;
    } else if (rank - node->last != node->stride) {
        node->stride = 0;
    }
    node->last = rank;
    ++node->count;
}

/* What ranks agree on, the largest of each: of the nodes' numbers of ranks, whether some node does not have its ranks one
 * behind the other, and of the strides between them and the first ranks of the nodes. What is to be the least counts as a
 * negative number. */
enum {
    MCA_FCOLL_OVERLAP_ORDER_MOST,
    MCA_FCOLL_OVERLAP_ORDER_FEWEST,
    MCA_FCOLL_OVERLAP_ORDER_APART,
    MCA_FCOLL_OVERLAP_ORDER_WIDEST,
    MCA_FCOLL_OVERLAP_ORDER_NARROWEST,
    MCA_FCOLL_OVERLAP_ORDER_LAST_FIRST,
    MCA_FCOLL_OVERLAP_ORDER_UNEVEN,
    MCA_FCOLL_OVERLAP_ORDER_WORDS
};

/* The words of a rank of this node, of so many ranks in all. */
static inline void mca_fcoll_overlap_order_describe(const mca_fcoll_overlap_node_ranks_t *node, int ranks,
                                                    int words[MCA_FCOLL_OVERLAP_ORDER_WORDS]) {
    const int nothing = -INT_MAX;
    const bool ends = node->last == ranks - 1; /* the last block may be shorter */
    const bool alone = 1 == node->count;

    words[MCA_FCOLL_OVERLAP_ORDER_MOST] = node->count;
    words[MCA_FCOLL_OVERLAP_ORDER_FEWEST] = ends ? nothing : -node->count;
    words[MCA_FCOLL_OVERLAP_ORDER_APART] = !alone && 1 != node->stride;
    words[MCA_FCOLL_OVERLAP_ORDER_WIDEST] = alone ? nothing : node->stride;
    words[MCA_FCOLL_OVERLAP_ORDER_NARROWEST] = alone ? nothing : -node->stride;
    words[MCA_FCOLL_OVERLAP_ORDER_LAST_FIRST] = node->lowest;
    words[MCA_FCOLL_OVERLAP_ORDER_UNEVEN] = !alone && 0 == node->stride;
}

/* The node of a rank, nodes in the order of their lowest ranks; -1, for all ranks, where the agreed words do not tell. */
static inline int mca_fcoll_overlap_order_node(const int words[MCA_FCOLL_OVERLAP_ORDER_WORDS], int rank) {
    const int most = words[MCA_FCOLL_OVERLAP_ORDER_MOST];
    const int fewest = -words[MCA_FCOLL_OVERLAP_ORDER_FEWEST];
    const int stride = words[MCA_FCOLL_OVERLAP_ORDER_WIDEST];

    if (0 == words[MCA_FCOLL_OVERLAP_ORDER_APART] && (INT_MAX == fewest || most == fewest)) {
        return rank / most;
    }
    if (0 == words[MCA_FCOLL_OVERLAP_ORDER_UNEVEN] && stride == -words[MCA_FCOLL_OVERLAP_ORDER_NARROWEST] &&
        words[MCA_FCOLL_OVERLAP_ORDER_LAST_FIRST] == stride - 1) {
        return rank % stride;
    }
    return -1;
}

#endif
