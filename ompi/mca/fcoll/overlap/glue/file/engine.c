/*
 * SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The overlap project
 *
 * The engine of a file, opened over its ports with settings that all ranks take from rank 0, and opened anew where they
 * change.
 */
#include "file.h"

/* Collective. The error is the most severe of all ranks. */
static int agree_on_error(const ompio_file_t *fh, int error) {
    int all = error;
    const int failed = mca_fcoll_overlap_agree(fh, &all, 1);
    return OVERLAP_SUCCESS == failed ? all : failed;
}

/* What this rank itself would have the others take. */
typedef struct own_terms_t {
    overlap_settings settings;
    overlap_file_facts facts;
} own_terms_t;

/* OMPIO may make another list of aggregators while ranks agree in a nonblocking call. */
static void find_own_terms(mca_fcoll_overlap_module_t *module, own_terms_t *own) {
    ompio_file_t *fh = module->fh;

    mca_fcoll_overlap_settings_of(fh, module, &own->settings, true);
    mca_fcoll_overlap_facts_of(fh, &own->facts);
    /* Another list may come with each view, which nobody else asks for. */
    if (OVERLAP_PLACEMENT_OMPIO != own->settings.placement) {
        own->facts.ompio_aggregator_count = 0;
    } else if (own->facts.ompio_aggregator_count > fh->f_size) {
        own->facts.ompio_aggregator_count = fh->f_size;
    }
    if (own->facts.ompio_aggregator_count > 0) {
        memcpy(module->own_aggregators, own->facts.ompio_aggregators,
               (size_t)own->facts.ompio_aggregator_count * sizeof(int));
    }
    own->facts.ompio_aggregators = module->own_aggregators;
}

/* Of rank 0, which counts: whether they are others than all ranks have taken. */
static bool are_other_terms(const mca_fcoll_overlap_terms_t *taken, const own_terms_t *own) {
    const size_t listed = (size_t)own->facts.ompio_aggregator_count * sizeof(int);
    overlap_file_facts facts;

    memcpy(&facts, &own->facts, sizeof(facts)); /* with what lies between its members */
    if (facts.ompio_aggregator_count != taken->facts.ompio_aggregator_count ||
        (listed > 0 && 0 != memcmp(facts.ompio_aggregators, taken->ompio_aggregators, listed))) {
        return true;
    }
    facts.ompio_aggregators = taken->facts.ompio_aggregators;
    return 0 != memcmp(&own->settings, &taken->settings, sizeof(own->settings)) ||
           0 != memcmp(&facts, &taken->facts, sizeof(facts));
}

/* Collective. All ranks take settings and facts of rank 0, as the hints that they follow from may differ between ranks. */
static int take_terms(mca_fcoll_overlap_module_t *module, const own_terms_t *own) {
    ompio_file_t *fh = module->fh;
    mca_fcoll_overlap_terms_t *terms = module->terms;
    int count = own->facts.ompio_aggregator_count;
    int error;

    memcpy(&terms->settings, &own->settings, sizeof(terms->settings));
    memcpy(&terms->facts, &own->facts, sizeof(terms->facts));
    if (count > 0) {
        memcpy(terms->ompio_aggregators, own->facts.ompio_aggregators, (size_t)count * sizeof(int));
    }
    error = mca_fcoll_overlap_broadcast(fh, terms, sizeof(*terms));
    count = terms->facts.ompio_aggregator_count;
    if (OVERLAP_SUCCESS == error && count > 0) {
        error = mca_fcoll_overlap_broadcast(fh, terms->ompio_aggregators, (size_t)count * sizeof(int));
    }
    terms->facts.ompio_aggregators = terms->ompio_aggregators; /* what came was an address of rank 0 */
    module->facts = terms->facts;
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

static void free_retired(mca_fcoll_overlap_module_t *module, bool together) {
    overlap_file_close(module->retired, together);
    module->retired = NULL;
}

void mca_fcoll_overlap_engine_free_retired(mca_fcoll_overlap_module_t *module) { free_retired(module, true); }

void mca_fcoll_overlap_engine_close(mca_fcoll_overlap_module_t *module, bool together) {
    free_retired(module, together);
    overlap_file_close(module->engine, together);
    module->engine = NULL;
}

/* Collective. Returns an error for the next engine to have returned. */
static int write_held(mca_fcoll_overlap_module_t *module) {
    int error = OVERLAP_SUCCESS;

    if (NULL != module->engine) {
        error = overlap_file_flush(module->engine);
    }
    return error;
}

/* The engine for new settings. Collective. Whatever fails on this rank, it meets the others in each step. */
static int replace_engine(mca_fcoll_overlap_module_t *module) {
    overlap_transport transport;
    overlap_storage storage;
    overlap_host host;
    int error = OVERLAP_SUCCESS;
    const int kept = write_held(module);

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
    error = agree_on_error(module->fh, error);
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

/* Whether another engine is needed than the module has. */
static bool are_other_settings(const mca_fcoll_overlap_module_t *module) {
    return NULL == module->engine || 0 != memcmp(&module->terms->settings, &module->settings, sizeof(module->settings));
}

/* Whether the engine that is there, if any, does not do. */
static bool has_not_all_terms(const mca_fcoll_overlap_module_t *module, const own_terms_t *own) {
    const bool counts = 0 == module->fh->f_rank;

    return NULL == module->engine || !module->terms_taken || (counts && are_other_terms(module->terms, own));
}

/* What ranks agree on when they open an engine. */
enum { ERROR = 0, OTHER_TERMS, DECLARES, WORDS };

int mca_fcoll_overlap_engine_refuse_nonblocking(const ompio_file_t *fh) {
    int words[WORDS] = {OVERLAP_ERR_NO_MEM, 1, 0};

    mca_fcoll_overlap_agree_nonblocking(fh, words, WORDS);
    return OVERLAP_ERR_NO_MEM;
}

int mca_fcoll_overlap_engine_open(ompio_file_t *fh, mca_fcoll_overlap_module_t *module) {
    own_terms_t own;
    int words[WORDS] = {OVERLAP_SUCCESS, 1, 0};
    int error;

    if (NULL != module && module->settings_agreed) {
        return OVERLAP_SUCCESS;
    }
    if (NULL == module) {
        words[ERROR] = OVERLAP_ERR_NO_MEM;
    } else {
        find_own_terms(module, &own);
        words[DECLARES] = module->declaration_given ? 1 : 0;
        words[OTHER_TERMS] = has_not_all_terms(module, &own) ? 1 : 0;
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
    error = take_terms(module, &own);
    if (OVERLAP_SUCCESS != error) {
        return error;
    }
    if (are_other_settings(module)) {
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
    mca_fcoll_overlap_say_notes(module);
    return error;
}
