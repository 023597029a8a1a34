/*
 * SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The overlap project
 *
 * A placement plugin for fcoll/overlap: domain after domain goes to the rank to which its bytes have the shortest way, among
 * those that the limits still allow. The environment variable GREEDY_AVOID names a rank that is taken only where no other is
 * left, such as one that has more to do than the others.
 */
#include "overlap_placement.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct greedy {
    int avoid; /* -1: none */
} greedy;

/* How much the ranks and nodes have got in one answer. */
typedef struct account {
    int *domains_of_rank;
    int *aggregators_of_node;
} account;

static int init(void **state, char *error, size_t error_size) {
    const char *text = getenv("GREEDY_AVOID");
    char *end = NULL;
    greedy *self = malloc(sizeof(*self));

    if (NULL == self) {
        snprintf(error, error_size, "no memory");
        return 1;
    }
    self->avoid = NULL == text ? -1 : (int)strtol(text, &end, 10);
    if (NULL != text && (end == text || '\0' != *end)) {
        snprintf(error, error_size, "GREEDY_AVOID is \"%s\", which is no rank", text);
        free(self);
        return 1;
    }
    *state = self;
    return 0;
}

static int has_room(const overlap_placement_problem *problem, const account *taken, int rank) {
    const int node = problem->node_of_rank[rank];
    if (!problem->allowed[rank] || taken->domains_of_rank[rank] == problem->domains_per_rank) {
        return 0;
    }
    return taken->domains_of_rank[rank] > 0 || taken->aggregators_of_node[node] < problem->aggregators_of_node[node];
}

/* Bytes times distance, for all bytes of the domain. */
static double way_to(const overlap_placement_problem *problem, int domain, int rank) {
    double way = 0;
    for (size_t i = problem->first_of_domain[domain]; i < problem->first_of_domain[domain + 1]; ++i) {
        way += problem->distance(problem, problem->rank[i], rank) * (double)problem->bytes[i];
    }
    return way;
}

/* -1 where nobody has room. */
static int best_rank(const greedy *self, const overlap_placement_problem *problem, const account *taken, int domain) {
    int best = -1;
    double shortest = 0;
    for (int rank = 0; rank < problem->ranks; ++rank) {
        if (rank != self->avoid && has_room(problem, taken, rank)) {
            const double way = way_to(problem, domain, rank);
            if (best < 0 || way < shortest) {
                best = rank;
                shortest = way;
            }
        }
    }
    if (best < 0 && self->avoid >= 0 && self->avoid < problem->ranks && has_room(problem, taken, self->avoid)) {
        best = self->avoid;
    }
    return best;
}

static int place(void *state, const overlap_placement_problem *problem, int *aggregators, char *error, size_t error_size) {
    account taken = {calloc((size_t)problem->ranks, sizeof(int)), calloc((size_t)problem->nodes, sizeof(int))};
    int failed = NULL == taken.domains_of_rank || NULL == taken.aggregators_of_node;

    for (int domain = 0; domain < problem->domains && !failed; ++domain) {
        const int rank = best_rank(state, problem, &taken, domain);
        aggregators[domain] = rank;
        failed = rank < 0;
        if (!failed && 0 == taken.domains_of_rank[rank]++) {
            ++taken.aggregators_of_node[problem->node_of_rank[rank]];
        }
    }
    if (failed) {
        snprintf(error, error_size, "no memory, or no rank is left");
    }
    free(taken.domains_of_rank);
    free(taken.aggregators_of_node);
    return failed;
}

static void finish(void *state) { free(state); }

const overlap_plugin overlap_placement_plugin = {
    .abi_version = OVERLAP_PLACEMENT_ABI_VERSION,
    .name = "greedy",
    .init = init,
    .place = place,
    .finish = finish,
};
