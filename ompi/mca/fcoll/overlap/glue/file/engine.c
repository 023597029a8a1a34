/*
 * SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The overlap project
 *
 * The engine of a file, opened over its ports with settings that all ranks take from rank 0, and opened anew where they
 * change.
 */
#include "file.h"

static size_t listed_bytes(const mca_fcoll_overlap_terms_t *terms) {
    return (size_t)terms->facts.ompio_aggregator_count * sizeof(int);
}

/* What this rank itself would have the others take. OMPIO may make another list of aggregators while ranks agree in a
 * nonblocking call, and another may come with each view, which only one placement asks for. */
static void find_own_terms(mca_fcoll_overlap_module_t *module) {
    ompio_file_t *fh = module->fh;
    mca_fcoll_overlap_terms_t *own = module->own_terms;
    overlap_file_facts *facts = &own->facts;

    mca_fcoll_overlap_settings_of(fh, module, &own->settings, true);
    mca_fcoll_overlap_facts_of(fh, facts);
    if (OVERLAP_PLACEMENT_OMPIO != own->settings.placement) {
        facts->ompio_aggregator_count = 0;
    } else if (facts->ompio_aggregator_count > fh->f_size) {
        facts->ompio_aggregator_count = fh->f_size;
    }
    if (facts->ompio_aggregator_count > 0) {
        memcpy(own->ompio_aggregators, facts->ompio_aggregators, listed_bytes(own));
    }
    facts->ompio_aggregators = NULL; /* no address is of use to another rank */
}

/* Collective. All ranks take settings and facts of rank 0, as the hints that they follow from may differ between ranks. */
static int take_terms(mca_fcoll_overlap_module_t *module) {
    mca_fcoll_overlap_terms_t *terms = module->terms;
    int error;

    memcpy(terms, module->own_terms, sizeof(*terms) + listed_bytes(module->own_terms));
    error = mca_fcoll_overlap_broadcast(module, terms, sizeof(*terms));
    if (OVERLAP_SUCCESS == error && listed_bytes(terms) > 0) {
        error = mca_fcoll_overlap_broadcast(module, terms->ompio_aggregators, listed_bytes(terms));
    }
    module->facts = terms->facts;
    module->facts.ompio_aggregators = terms->ompio_aggregators;
    return error;
}

/* The windows of an engine are freed by all ranks together, which would block a nonblocking call. Who has put one aside has
 * made no windows since, as no nonblocking call does, and blocking calls free it first. */
static void retire_engine(mca_fcoll_overlap_module_t *module) {
    if (mca_fcoll_overlap_is_nonblocking() && NULL == module->retired) {
        module->retired = module->engine;
    } else {
        overlap_file_close(module->engine, !mca_fcoll_overlap_is_nonblocking());
    }
    module->engine = NULL;
}

void mca_fcoll_overlap_engine_free_retired(mca_fcoll_overlap_module_t *module, bool together) {
    overlap_file_close(module->retired, together);
    module->retired = NULL;
}

void mca_fcoll_overlap_engine_close(mca_fcoll_overlap_module_t *module, bool together) {
    mca_fcoll_overlap_engine_free_retired(module, together);
    overlap_file_close(module->engine, together);
    module->engine = NULL;
}

/* The engine for new settings. Collective. Whatever fails on this rank, it meets the others in each step. */
static int replace_engine(mca_fcoll_overlap_module_t *module) {
    overlap_transport transport;
    overlap_storage storage;
    overlap_host host;
    int error = OVERLAP_SUCCESS, agreed;
    const int kept = NULL == module->engine ? OVERLAP_SUCCESS : overlap_file_flush(module->engine);

    /* The next engine does not know which rank has written what (WriteOrder, engine/call/file_state.h). */
    if (NULL != module->engine && module->nodes.count > 1 && MCA_FCOLL_OVERLAP_NOT_COHERENT == module->caches) {
        error = mca_fcoll_overlap_flush(module);
    }
    retire_engine(module);
    if (!module->nodes_found) {
        error = mca_fcoll_overlap_find_nodes(module);
        module->caches = mca_fcoll_overlap_caches_of(module->fh);
        module->can_be_read_and_locked = mca_fcoll_overlap_can_be_read_and_locked(module->fh);
    }
    if (OVERLAP_SUCCESS == error) {
        mca_fcoll_overlap_transport_open(module, &transport);
        mca_fcoll_overlap_window_functions(&transport);
        mca_fcoll_overlap_storage_open(module, &storage);
        mca_fcoll_overlap_gaps_functions(&storage);
        mca_fcoll_overlap_host_open(module, &host);
        module->engine = overlap_file_open(&transport, &storage, &host, &module->terms->settings);
        error = NULL == module->engine ? OVERLAP_ERR_NO_MEM : OVERLAP_SUCCESS;
    }
    agreed = mca_fcoll_overlap_agree(module->fh, &error, 1); /* on the most severe of all ranks */
    error = OVERLAP_SUCCESS != agreed ? agreed : error;
    if (OVERLAP_SUCCESS != error) {
        overlap_file_close(module->engine, false);
        module->engine = NULL;
        return kept > error ? kept : error;
    }
    module->nodes_found = true;
    module->settings = module->terms->settings;
    overlap_file_hold(module->engine, !module->other_handle);
    if (OVERLAP_SUCCESS != kept) {
        overlap_file_keep(module->engine, kept);
    }
    return OVERLAP_SUCCESS;
}

/* Whether the engine that is there, if any, does not do. Rank 0 tells: all have taken what it had. */
static bool has_not_all_terms(const mca_fcoll_overlap_module_t *module) {
    const mca_fcoll_overlap_terms_t *own = module->own_terms;

    return NULL == module->engine || !module->terms_taken ||
           (0 == module->fh->f_rank && 0 != memcmp(module->terms, own, sizeof(*own) + listed_bytes(own)));
}

/* What ranks agree on when they open an engine. */
enum { ERROR = 0, OTHER_TERMS, DECLARES, WORDS };

int mca_fcoll_overlap_engine_refuse_nonblocking(const ompio_file_t *fh) {
    int words[WORDS] = {OVERLAP_ERR_NO_MEM, 1, 0};

    mca_fcoll_overlap_agree_nonblocking(fh, words, WORDS);
    return OVERLAP_ERR_NO_MEM;
}

int mca_fcoll_overlap_engine_open(ompio_file_t *fh, mca_fcoll_overlap_module_t *module) {
    int words[WORDS] = {OVERLAP_SUCCESS, 1, 0};
    int error;

    if (NULL != module && module->settings_agreed) {
        return OVERLAP_SUCCESS;
    }
    if (NULL == module) {
        words[ERROR] = OVERLAP_ERR_NO_MEM;
    } else {
        find_own_terms(module);
        words[DECLARES] = module->declaration_given ? 1 : 0;
        words[OTHER_TERMS] = has_not_all_terms(module) ? 1 : 0;
    }
    error = mca_fcoll_overlap_agree(fh, words, WORDS);
    error = OVERLAP_SUCCESS == error ? words[ERROR] : error;
    if (OVERLAP_SUCCESS != error) {
        return error;
    }
    module->declaration_given = false;
    module->declares = module->declares || 0 != words[DECLARES];
    if (0 == words[OTHER_TERMS]) {
        module->settings_agreed = true;
        return OVERLAP_SUCCESS;
    }
    module->terms_taken = false;
    error = take_terms(module);
    if (OVERLAP_SUCCESS != error) {
        return error;
    }
    if (NULL == module->engine || 0 != memcmp(&module->terms->settings, &module->settings, sizeof(module->settings))) {
        error = replace_engine(module);
    }
    module->terms_taken = module->settings_agreed = OVERLAP_SUCCESS == error;
    return error;
}

int mca_fcoll_overlap_transfer_pending(mca_fcoll_overlap_module_t *module, overlap_direction direction,
                                       const overlap_access *const *accesses, size_t count, size_t *joined, size_t *done) {
    int error = mca_fcoll_overlap_engine_open(module->fh, module);

    *joined = 1;
    *done = 0;
    if (OVERLAP_SUCCESS == error) {
        error = overlap_file_transfer_pending(module->engine, direction, accesses, count, joined, done);
    }
    return error;
}
