/*
 * SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The overlap project
 *
 * Where all ranks are, described by a few numbers that they agree on. Launchers give nodes their ranks in blocks or in turn;
 * then no rank has to hear from each other one. Of other ways it makes a list that all have heard as short as it may be.
 * Needs nothing of Open MPI.
 */
#ifndef MCA_FCOLL_OVERLAP_RANK_ORDER_H
#define MCA_FCOLL_OVERLAP_RANK_ORDER_H

#include "../../engine/ports.h"

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

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

/* What one rank of each node agrees on with all others, whose word is 0; and the fewest NICs of all nodes, by the agreed
 * one. */
static inline int mca_fcoll_overlap_nics_word(int nics) { return INT_MAX - nics; }
static inline int mca_fcoll_overlap_nics_of_word(int word) { return INT_MAX - word; }

/* The nodes of so many ranks; false, for all of them, where the agreed words do not tell. */
static inline bool mca_fcoll_overlap_order_nodes(const int words[MCA_FCOLL_OVERLAP_ORDER_WORDS], int ranks,
                                                 overlap_nodes *nodes) {
    const int most = words[MCA_FCOLL_OVERLAP_ORDER_MOST];
    const int fewest = -words[MCA_FCOLL_OVERLAP_ORDER_FEWEST];
    const int stride = words[MCA_FCOLL_OVERLAP_ORDER_WIDEST];

    *nodes = (overlap_nodes){0, 0, NULL, NULL, NULL};
    if (0 == words[MCA_FCOLL_OVERLAP_ORDER_APART] && (INT_MAX == fewest || most == fewest)) {
        nodes->count = (ranks - 1) / most + 1;
        nodes->block = most;
    } else if (0 == words[MCA_FCOLL_OVERLAP_ORDER_UNEVEN] && stride == -words[MCA_FCOLL_OVERLAP_ORDER_NARROWEST] &&
               words[MCA_FCOLL_OVERLAP_ORDER_LAST_FIRST] == stride - 1) {
        nodes->count = stride;
        nodes->block = 1;
    }
    return 0 != nodes->count;
}

/* How many numbers `list_nodes` needs room for. */
static inline size_t mca_fcoll_overlap_list_room(int ranks) { return 3 * (size_t)ranks + 1; }

/* Whether the first entries of `list`, the nodes of ranks, are those of ranks that are dealt to `count` nodes. */
static inline bool mca_fcoll_overlap_is_dealt(const int *list, int ranks, int block, int count) {
    for (int rank = 0; rank < ranks; ++rank) {
        if (list[rank] != rank / block % count) {
            return false;
        }
    }
    return true;
}

/* Points the nodes of so many ranks into `list`, whose first `used` numbers are those that `list_nodes` left in use. */
static inline void mca_fcoll_overlap_point_into(overlap_nodes *nodes, const int *list, int ranks, size_t used) {
    const size_t of_nodes = (size_t)nodes->count + 1;

    nodes->begin = 0 == used ? NULL : used == of_nodes ? list : list + ranks;
    nodes->by_node = used > of_nodes ? nodes->begin + of_nodes : NULL;
    nodes->node_of_rank = used > of_nodes ? list : NULL;
}

/* The nodes of so many ranks. `list` begins with a rank of each rank's node, for all ranks of a node the lowest; what the
 * nodes point to is put in its place. How many numbers of it are in use then. */
static inline size_t mca_fcoll_overlap_list_nodes(int *list, int ranks, overlap_nodes *nodes) {
    int *const begin = list + ranks, *by_node;
    int count = 0, block = 0;
    bool in_a_row = true;

    for (int rank = 0; rank < ranks; ++rank) {
        list[rank] = list[rank] == rank ? count++ : list[list[rank]];
        in_a_row = in_a_row && (0 == rank || list[rank] >= list[rank - 1]);
        block += 0 == list[rank] && block == rank;
    }
    *nodes = (overlap_nodes){count, 0, NULL, NULL, NULL};
    if (mca_fcoll_overlap_is_dealt(list, ranks, block, count)) {
        nodes->block = block;
        return 0;
    }
    for (int node = 0; node <= count; ++node) {
        begin[node] = 0;
    }
    for (int rank = 0; rank < ranks; ++rank) {
        ++begin[list[rank] + 1];
    }
    for (int node = 0; node < count; ++node) {
        begin[node + 1] += begin[node];
    }
    if (in_a_row) {
        for (int node = 0; node <= count; ++node) {
            list[node] = begin[node];
        }
        mca_fcoll_overlap_point_into(nodes, list, ranks, (size_t)count + 1);
        return (size_t)count + 1;
    }
    /* Each begin counts up to that of the next node. */
    by_node = begin + count + 1;
    for (int rank = 0; rank < ranks; ++rank) {
        by_node[begin[list[rank]]++] = rank;
    }
    for (int node = count; node > 0; --node) {
        begin[node] = begin[node - 1];
    }
    begin[0] = 0;
    mca_fcoll_overlap_point_into(nodes, list, ranks, 2 * (size_t)ranks + (size_t)count + 1);
    return 2 * (size_t)ranks + (size_t)count + 1;
}

#endif
