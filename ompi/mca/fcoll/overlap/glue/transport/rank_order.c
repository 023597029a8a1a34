/*
 * SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The overlap project
 *
 * Which rank is on which node. Launchers deal blocks of ranks to the nodes in turn, or one block to each: two numbers say
 * so.
 */
#include "nodes.h"

#include <stdlib.h>
#include <string.h>

bool mca_fcoll_overlap_deal_nodes(const int *lowest_of, int ranks, overlap_nodes *nodes) {
    int block = 1, count = 1;

    while (block < ranks && 0 == lowest_of[block]) {
        ++block;
    }
    while (count <= (ranks - 1) / block && count * block == lowest_of[count * block]) {
        ++count;
    }
    for (int rank = 0; rank < ranks; ++rank) {
        if (rank / block % count * block != lowest_of[rank]) {
            return false;
        }
    }
    *nodes = (overlap_nodes){.count = count, .block = block};
    return true;
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
