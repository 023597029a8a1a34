/*
 * SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The overlap project
 *
 * The engine of a file, opened over its ports with settings that all ranks take from rank 0, and opened anew where they
 * change. When it is closed, what it says of the file goes to where the user wants it.
 */
#include "file.h"

#include <errno.h>
#include <stdio.h>

/* What an engine and its file system are used with, the same on all ranks. No address in it is of use to another rank. */
typedef struct terms_t {
    overlap_settings settings;
    overlap_file_facts facts;
} terms_t;

/* How many aggregators of OMPIO's list count, which only one placement asks for. */
static int listed_aggregators(const ompio_file_t *fh, const overlap_settings *settings) {
    if (OVERLAP_PLACEMENT_OMPIO != settings->placement || NULL == fh->f_init_aggr_list || fh->f_init_num_aggrs < 0) {
        return 0;
    }
    return fh->f_init_num_aggrs < fh->f_size ? fh->f_init_num_aggrs : fh->f_size;
}

/* Of the settings, the facts and the list of OMPIO's aggregators. */
static uint64_t hash_terms(uint64_t settings, const overlap_file_facts *facts, const int *aggregators) {
    const uint64_t hash = mca_fcoll_overlap_hash(settings, facts, sizeof(*facts));
    return mca_fcoll_overlap_hash(hash, aggregators, (size_t)facts->ompio_aggregator_count * sizeof(int));
}

/* What this rank itself would have all take. */
static uint64_t find_own_terms(mca_fcoll_overlap_module_t *module, overlap_file_facts *facts) {
    mca_fcoll_overlap_update_settings(module);
    memset(facts, 0, sizeof(*facts)); /* compared byte by byte */
    mca_fcoll_overlap_facts_of(module, facts);
    facts->ompio_aggregator_count = listed_aggregators(module->fh, &module->own_settings);
    return hash_terms(module->own_hash, facts, module->fh->f_init_aggr_list);
}

/* Collective. All ranks take what rank 0 has, as the hints that it follows from may differ between ranks. OMPIO may have
 * made another list of aggregators while ranks agreed in a nonblocking call. */
static int broadcast_terms(mca_fcoll_overlap_module_t *module, terms_t *terms) {
    const ompio_file_t *fh = module->fh;
    int error, *const count = &terms->facts.ompio_aggregator_count;

    if (0 == fh->f_rank && (*count = listed_aggregators(fh, &terms->settings)) > 0) {
        memcpy(module->ompio_aggregators, fh->f_init_aggr_list, (size_t)*count * sizeof(int));
    }
    error = mca_fcoll_overlap_broadcast(module, terms, sizeof(*terms));
    if (OVERLAP_SUCCESS == error && *count > 0) {
        error = mca_fcoll_overlap_broadcast(module, module->ompio_aggregators, (size_t)*count * sizeof(int));
    }
    return error;
}

static void close_engine(overlap_file **engine, bool together) {
    overlap_file_close(*engine, together);
    *engine = NULL;
}

void mca_fcoll_overlap_engine_close(mca_fcoll_overlap_module_t *module, bool together) {
    close_engine(&module->retired, together);
    close_engine(&module->engine, together);
}

/* The windows of an engine are freed by all ranks together, which would block a nonblocking call. Who has put one aside has
 * made no windows since, as no nonblocking call does, and blocking calls free it first. */
static void retire_engine(mca_fcoll_overlap_module_t *module) {
    if (mca_fcoll_overlap_is_nonblocking() && NULL == module->retired) {
        module->retired = module->engine;
        module->engine = NULL;
    }
    close_engine(&module->engine, !mca_fcoll_overlap_is_nonblocking());
}

static int worse(int error, int other) { return error > other ? error : other; }

/* With facts and nodes of the module. */
static int open_engine(mca_fcoll_overlap_module_t *module, const overlap_settings *settings) {
    overlap_transport transport;
    overlap_storage storage;
    overlap_host host;

    mca_fcoll_overlap_transport_open(module, &transport);
    mca_fcoll_overlap_storage_open(module, &storage);
    storage.gaps = mca_fcoll_overlap_gaps;
    mca_fcoll_overlap_host_open(module, &host);
    module->engine = overlap_file_open(&transport, &storage, &host, settings);
    return NULL == module->engine ? OVERLAP_ERR_NO_MEM : OVERLAP_SUCCESS;
}

/* The engine for new settings. Collective. Whatever fails on this rank, `error` before this, it meets the others in each
 * step. */
static int replace_engine(mca_fcoll_overlap_module_t *module, const overlap_settings *settings, int error) {
    const int kept = NULL == module->engine ? OVERLAP_SUCCESS : overlap_file_flush(module->engine);
    int agreed;

    /* The next engine does not know which rank has written what (WriteOrder, engine/call/file_state.h). */
    if (NULL != module->engine && module->nodes.count > 1 && MCA_FCOLL_OVERLAP_NOT_COHERENT == module->caches) {
        error = worse(error, mca_fcoll_overlap_flush(module));
    }
    retire_engine(module);
    if (OVERLAP_SUCCESS == error) {
        error = open_engine(module, settings);
    }
    agreed = mca_fcoll_overlap_agree(module, &error, 1, mca_fcoll_overlap_is_nonblocking());
    error = worse(error, agreed);
    if (OVERLAP_SUCCESS != error) {
        close_engine(&module->engine, false);
        return worse(error, kept);
    }
    module->nodes_found = true;
    overlap_file_hold(module->engine, !module->other_handle);
    if (OVERLAP_SUCCESS != kept) {
        overlap_file_keep(module->engine, kept);
    }
    return OVERLAP_SUCCESS;
}

/* What ranks agree on when they open an engine. The terms are 64 bits, whose largest and smallest are the same where all
 * ranks have the same. */
enum { ERROR = 0, OTHER_TERMS, DECLARES, NOT_OPENED, TERMS, WORDS = TERMS + 4 };

static void offer_terms(int *words, uint64_t own) {
    words[0] = (int)(uint32_t)own;
    words[1] = (int)(uint32_t)(own >> 32);
    words[2] = ~words[0];
    words[3] = ~words[1];
}

static bool are_the_same(const int *words) { return words[0] == ~words[2] && words[1] == ~words[3]; }

int mca_fcoll_overlap_engine_refuse(ompio_file_t *fh, bool nonblocking) {
    mca_fcoll_overlap_module_t none = {.fh = fh};
    int words[WORDS] = {OVERLAP_ERR_NO_MEM, 1};

    mca_fcoll_overlap_agree(&none, words, WORDS, nonblocking);
    return OVERLAP_ERR_NO_MEM;
}

/* Collective. `same`: all ranks have the terms that this one has. */
static int take_terms(mca_fcoll_overlap_module_t *module, const overlap_file_facts *own, bool same) {
    const int found = module->nodes_found ? OVERLAP_SUCCESS : mca_fcoll_overlap_find_nodes(module);
    const uint64_t before = module->settings_hash;
    terms_t terms = {0};
    int error;

    terms.settings = module->own_settings;
    memcpy(&terms.facts, own, sizeof(terms.facts));
    error = same ? OVERLAP_SUCCESS : broadcast_terms(module, &terms);
    if (OVERLAP_SUCCESS != error) {
        return error;
    }
    memcpy(&module->facts, &terms.facts, sizeof(module->facts));
    module->settings_hash = mca_fcoll_overlap_hash_settings(&terms.settings);
    module->terms = hash_terms(module->settings_hash, &module->facts, module->ompio_aggregators);
    if (NULL != module->engine && before == module->settings_hash) {
        return OVERLAP_SUCCESS;
    }
    return replace_engine(module, &terms.settings, found);
}

/* The first engine of a file, before the ranks agree: where all of them have the same terms and are on one node, as is
 * usual, ranks have nothing to send each other. Local; false: where this rank sees that it is not so. */
static bool open_first(mca_fcoll_overlap_module_t *module, const overlap_file_facts *own, uint64_t terms, int *error) {
    if (own->ompio_aggregator_count > 0 ||
        (!module->nodes_found && !mca_fcoll_overlap_are_on_one_node(module->fh->f_comm))) {
        return false;
    }
    if (!module->nodes_found) {
        module->nodes = (overlap_nodes){.count = 1, .block = module->fh->f_size};
        module->nics = 0; /* nobody asks for them */
    }
    module->facts = *own;
    module->settings_hash = module->own_hash;
    module->terms = terms;
    *error = open_engine(module, &module->own_settings);
    return true;
}

int mca_fcoll_overlap_engine_open(mca_fcoll_overlap_module_t *module) {
    const bool is_first = NULL == module->engine;
    int words[WORDS] = {OVERLAP_SUCCESS};
    overlap_file_facts own;
    uint64_t terms;
    bool same;
    int error;

    if (!mca_fcoll_overlap_is_nonblocking()) {
        close_engine(&module->retired, true);
    }
    if (module->settings_agreed) {
        return OVERLAP_SUCCESS;
    }
    terms = find_own_terms(module, &own);
    words[NOT_OPENED] = !is_first || !open_first(module, &own, terms, &words[ERROR]);
    words[DECLARES] = module->declaration_given;
    /* All ranks take the terms of rank 0, so its answer counts. */
    words[OTHER_TERMS] = is_first || !module->terms_taken || (0 == module->fh->f_rank && terms != module->terms);
    offer_terms(words + TERMS, terms);
    error = mca_fcoll_overlap_agree(module, words, WORDS, mca_fcoll_overlap_is_nonblocking());
    error = OVERLAP_SUCCESS == error ? words[ERROR] : error;
    same = are_the_same(words + TERMS) && 0 == own.ompio_aggregator_count;
    if (is_first && (OVERLAP_SUCCESS != error || !same || 0 != words[NOT_OPENED])) {
        close_engine(&module->engine, false);
    }
    if (OVERLAP_SUCCESS != error) {
        return error;
    }
    module->declaration_given = false;
    module->declares = module->declares || 0 != words[DECLARES];
    if (is_first && NULL != module->engine) {
        module->nodes_found = true;
        overlap_file_hold(module->engine, !module->other_handle);
    } else if (0 != words[OTHER_TERMS]) {
        module->terms_taken = false;
        error = take_terms(module, &own, same);
    }
    module->terms_taken = module->settings_agreed = OVERLAP_SUCCESS == error;
    return error;
}

int mca_fcoll_overlap_transfer_pending(mca_fcoll_overlap_module_t *module, overlap_direction direction,
                                       const overlap_access *const *accesses, size_t count, size_t *joined, size_t *done) {
    int error = mca_fcoll_overlap_engine_open(module);

    *joined = 1;
    *done = 0;
    if (OVERLAP_SUCCESS == error) {
        error = overlap_file_transfer_pending(module->engine, direction, accesses, count, joined, done);
    }
    return error;
}

/* Where the user wants the report of a file. */
static void show_report(const mca_fcoll_overlap_module_t *module, const char *text) {
    const char *pattern = overlap_file_settings(module->engine)->report_file, *why = NULL;

    if ('\0' == pattern[0]) {
        fputs(text, stderr);
    } else if (NULL != (why = mca_fcoll_overlap_append_report(module->fh, pattern, text))) {
        MCA_FCOLL_OVERLAP_HELP("no-report", module->fh->f_filename, pattern, why);
    }
}

void mca_fcoll_overlap_close_report(mca_fcoll_overlap_module_t *module) {
    int error = OVERLAP_SUCCESS;
    char *text;

    if (NULL == module->engine || OVERLAP_REPORT_OFF == overlap_file_settings(module->engine)->report) {
        return;
    }
    text = overlap_file_report(module->engine, module->fh->f_filename, module->wrong_hints, &error);
    if (NULL != text) {
        show_report(module, text);
    } else if (OVERLAP_SUCCESS != error && 0 == module->fh->f_rank) {
        MCA_FCOLL_OVERLAP_HELP("no-report", module->fh->f_filename, "(the counters of all ranks)",
                               OVERLAP_ERR_NO_MEM == error ? strerror(ENOMEM) : strerror(EIO));
    }
    free(text);
}
