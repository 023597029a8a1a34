/*
 * SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The overlap project
 *
 * Where all ranks are. Launchers deal blocks of ranks to the nodes in turn, be it one block to each; then a few agreed
 * numbers tell, and no rank has to hear from each other one.
 */
#include "nodes.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

int mca_fcoll_overlap_order_describe(bool (*is_here)(void *of, int rank), void *of, int ranks,
                                     int words[MCA_FCOLL_OVERLAP_ORDER_WORDS]) {
    int lowest = 0, end, next, block, period;

    while (!is_here(of, lowest)) {
        ++lowest;
    }
    for (end = lowest + 1; end < ranks && is_here(of, end); ++end) {
    }
    for (next = end; next < ranks && !is_here(of, next); ++next) {
    }
    block = end - lowest;
    period = next - lowest;
    words[MCA_FCOLL_OVERLAP_ORDER_LONGEST] = block;
    words[MCA_FCOLL_OVERLAP_ORDER_SHORTEST] = end == ranks ? -INT_MAX : -block;
    words[MCA_FCOLL_OVERLAP_ORDER_PERIOD] = period;
    words[MCA_FCOLL_OVERLAP_ORDER_LEAST_PERIOD] = next == ranks ? -INT_MAX : -period;
    words[MCA_FCOLL_OVERLAP_ORDER_IRREGULAR] = 0;
    for (int rank = next; rank < ranks; ++rank) {
        if (is_here(of, rank) != ((rank - lowest) % period < block)) {
            words[MCA_FCOLL_OVERLAP_ORDER_IRREGULAR] = 1;
        }
    }
    return lowest;
}

/* Nodes that are regular and have the same block and period leave no other way, as each rank is on one of them. */
bool mca_fcoll_overlap_order_nodes(const int words[MCA_FCOLL_OVERLAP_ORDER_WORDS], int ranks, overlap_nodes *nodes) {
    const int block = words[MCA_FCOLL_OVERLAP_ORDER_LONGEST];
    const int period = -words[MCA_FCOLL_OVERLAP_ORDER_LEAST_PERIOD]; /* INT_MAX: each node has one block */

    *nodes = (overlap_nodes){.count = INT_MAX == period ? (ranks - 1) / block + 1 : period / block, .block = block};
    return 0 == words[MCA_FCOLL_OVERLAP_ORDER_IRREGULAR] && -words[MCA_FCOLL_OVERLAP_ORDER_SHORTEST] >= block &&
           period >= words[MCA_FCOLL_OVERLAP_ORDER_PERIOD];
}

int *mca_fcoll_overlap_list_nodes(int *nodes_of, int ranks, overlap_nodes *nodes) {
    int *list, *by_node;
    int count = 0;
    size_t room;
    bool in_a_row = true;

    for (int rank = 0; rank < ranks; ++rank) {
        nodes_of[rank] = nodes_of[rank] == rank ? count++ : nodes_of[nodes_of[rank]];
        in_a_row = in_a_row && (0 == rank || nodes_of[rank] >= nodes_of[rank - 1]);
    }
    /* Where each node begins. One number more, as each is counted up to the next one while `by_node` is filled. */
    room = (size_t)count + 2;
    list = calloc(room + (in_a_row ? 0 : 2 * (size_t)ranks), sizeof(*list));
    if (NULL == list) {
        return NULL;
    }
    for (int rank = 0; rank < ranks; ++rank) {
        ++list[nodes_of[rank] + (in_a_row ? 1 : 2)];
    }
    for (size_t i = 1; i < room; ++i) {
        list[i] += list[i - 1];
    }
    *nodes = (overlap_nodes){.count = count, .begin = list};
    if (!in_a_row) {
        by_node = list + room;
        for (int rank = 0; rank < ranks; ++rank) {
            by_node[list[nodes_of[rank] + 1]++] = rank;
        }
        nodes->by_node = by_node;
        nodes->node_of_rank = memcpy(by_node + ranks, nodes_of, (size_t)ranks * sizeof(*list));
    }
    return list;
}

int mca_fcoll_overlap_node_of(const overlap_nodes *nodes, int rank) {
    int node = 0;

    if (nodes->block > 0) {
        return rank / nodes->block % nodes->count;
    }
    if (NULL != nodes->node_of_rank) {
        return nodes->node_of_rank[rank];
    }
    while (nodes->begin[node + 1] <= rank) {
        ++node;
    }
    return node;
}
