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

/* What rank 0 tells the others, but for the list of OMPIO's aggregators. No address in it is of use to another rank. */
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

/* Collective. All ranks take settings and facts of rank 0, as the hints that they follow from may differ between ranks.
 * OMPIO may have made another list of aggregators while ranks agreed in a nonblocking call. */
static int take_terms(mca_fcoll_overlap_module_t *module, terms_t *terms) {
    const ompio_file_t *fh = module->fh;
    int error, *const count = &terms->facts.ompio_aggregator_count;

    if (0 == fh->f_rank && (*count = listed_aggregators(fh, &terms->settings)) > 0) {
        memcpy(module->ompio_aggregators, fh->f_init_aggr_list, (size_t)*count * sizeof(int));
    }
    error = mca_fcoll_overlap_broadcast(module, terms, sizeof(*terms));
    if (OVERLAP_SUCCESS == error && *count > 0) {
        error = mca_fcoll_overlap_broadcast(module, module->ompio_aggregators, (size_t)*count * sizeof(int));
    }
    module->facts = terms->facts;
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

/* What an engine is given of its file. Collective. */
static int look_at_the_file(mca_fcoll_overlap_module_t *module) {
    const int error = mca_fcoll_overlap_find_nodes(module);

    module->locality = NULL == module->locality ? mca_fcoll_overlap_locality() : module->locality;
    module->caches = mca_fcoll_overlap_caches_of(module->fh);
    return worse(error, NULL == module->locality ? OVERLAP_ERR_NO_MEM : OVERLAP_SUCCESS);
}

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

/* The engine for new settings. Collective. Whatever fails on this rank, it meets the others in each step. */
static int replace_engine(mca_fcoll_overlap_module_t *module, const overlap_settings *settings) {
    const int kept = NULL == module->engine ? OVERLAP_SUCCESS : overlap_file_flush(module->engine);
    int error = OVERLAP_SUCCESS, agreed;

    /* The next engine does not know which rank has written what (WriteOrder, engine/call/file_state.h). */
    if (NULL != module->engine && module->nodes.count > 1 && MCA_FCOLL_OVERLAP_NOT_COHERENT == module->caches) {
        error = mca_fcoll_overlap_flush(module);
    }
    retire_engine(module);
    if (!module->nodes_found) {
        error = worse(error, look_at_the_file(module));
    }
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
    module->settings = *settings;
    overlap_file_hold(module->engine, !module->other_handle);
    if (OVERLAP_SUCCESS != kept) {
        overlap_file_keep(module->engine, kept);
    }
    return OVERLAP_SUCCESS;
}

/* Whether this rank would need another engine. All ranks take the terms of rank 0, so its answer counts. */
static bool has_other_terms(const mca_fcoll_overlap_module_t *module, const terms_t *own) {
    const size_t listed = (size_t)own->facts.ompio_aggregator_count * sizeof(int);

    if (NULL == module->engine || !module->terms_taken) {
        return true;
    }
    return 0 == module->fh->f_rank &&
           (0 != memcmp(&module->settings, &own->settings, sizeof(own->settings)) ||
            0 != memcmp(&module->facts, &own->facts, sizeof(own->facts)) ||
            (listed > 0 && 0 != memcmp(module->ompio_aggregators, module->fh->f_init_aggr_list, listed)));
}

/* What ranks agree on when they open an engine. */
enum { ERROR = 0, OTHER_TERMS, DECLARES, WORDS };

int mca_fcoll_overlap_engine_refuse(ompio_file_t *fh, bool nonblocking) {
    mca_fcoll_overlap_module_t none = {.fh = fh};
    int words[WORDS] = {OVERLAP_ERR_NO_MEM, 1, 0};

    mca_fcoll_overlap_agree(&none, words, WORDS, nonblocking);
    return OVERLAP_ERR_NO_MEM;
}

int mca_fcoll_overlap_engine_open(mca_fcoll_overlap_module_t *module) {
    int words[WORDS] = {OVERLAP_SUCCESS, 1, 0};
    terms_t terms;
    int error;

    if (!mca_fcoll_overlap_is_nonblocking()) {
        close_engine(&module->retired, true);
    }
    if (module->settings_agreed) {
        return OVERLAP_SUCCESS;
    }
    /* What this rank itself would have the others take; compared byte by byte. */
    memset(&terms, 0, sizeof(terms));
    mca_fcoll_overlap_settings_of(module, &terms.settings);
    mca_fcoll_overlap_facts_of(module->fh, &terms.facts);
    terms.facts.ompio_aggregator_count = listed_aggregators(module->fh, &terms.settings);
    words[DECLARES] = module->declaration_given;
    words[OTHER_TERMS] = has_other_terms(module, &terms);
    error = mca_fcoll_overlap_agree(module, words, WORDS, mca_fcoll_overlap_is_nonblocking());
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
    error = take_terms(module, &terms);
    if (OVERLAP_SUCCESS != error) {
        return error;
    }
    if (NULL == module->engine || 0 != memcmp(&terms.settings, &module->settings, sizeof(module->settings))) {
        error = replace_engine(module, &terms.settings);
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
    const char *pattern = module->settings.report_file, *why = NULL;

    if ('\0' == pattern[0]) {
        fputs(text, stderr);
    } else if (NULL != (why = mca_fcoll_overlap_append_report(module->fh, pattern, text))) {
        MCA_FCOLL_OVERLAP_HELP("no-report", module->fh->f_filename, pattern, why);
    }
}

void mca_fcoll_overlap_close_report(mca_fcoll_overlap_module_t *module) {
    int error = OVERLAP_SUCCESS;
    char *text;

    if (NULL == module->engine || OVERLAP_REPORT_OFF == module->settings.report) {
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
