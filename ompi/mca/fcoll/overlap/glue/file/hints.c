/*
 * SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The overlap project
 *
 * The hints of a file: which count, what they and the MCA parameters make the settings of its engine, what its info
 * shows of them, and what else is known of the file, with what the user asks of OMPIO.
 */
#include "file.h"

#include "../../fcoll_overlap_params.h"

#include "opal/mca/base/mca_base_var.h"

#include <limits.h>
#include <stdio.h>
#include <strings.h>

/* Hints of others, the stronger first: a row for each word that sets a parameter here. What says nothing but what is the
 * default anyway is not heard: 6.0 puts it into every info. */
static const struct {
    const char *key, *word;
    size_t setting;
    const char *value;
} hints_of_others[] = {
    {"romio_ds_write", "enable", SETTING(holes), "sieve"},
    {"romio_ds_write", "disable", SETTING(holes), "list"},
    {"romio_cb_read", "enable", SETTING(reads), "collective"},
    {"romio_cb_read", "disable", SETTING(reads), "independent"},
    {"romio_cb_write", "enable", SETTING(writes), "collective"},
    {"romio_cb_write", "disable", SETTING(writes), "independent"},
    {"collective_buffering", "false", SETTING(reads), "independent"},
    {"collective_buffering", "false", SETTING(writes), "independent"},
};

enum { HINTS_OF_OTHERS = sizeof(hints_of_others) / sizeof(hints_of_others[0]) };

/* What the hints of others say of a parameter, else what the MCA parameter does. */
static value_t value_without_own_key(const param_t *param, opal_info_t *info) {
    value_t value = param->given;
    bool is_heard = false;

    for (size_t i = 0; i < HINTS_OF_OTHERS && !is_heard; ++i) {
        if (hints_of_others[i].setting == param->setting) {
            char *hint = mca_fcoll_overlap_hint_get(info, hints_of_others[i].key);
            is_heard = NULL != hint && 0 == strcasecmp(hint, hints_of_others[i].word) &&
                       mca_fcoll_overlap_param_parse(param, hints_of_others[i].value, &value);
            free(hint);
        }
    }
    return value;
}

/* Hints tune, they do not act: none names a file to write, a file to read or code to load. Anybody may set a hint: a
 * program, a library, or the info of another file that was copied. */
static bool names_a_file(const param_t *param, const char *value) {
    return param->mca_only || (PLACEMENT == param->kind && NULL != strchr(value, '/'));
}

/* The value that the user gave the parameter's own key; NULL where the key has what was put there by us, or names a file:
 * then it is removed, so that nobody copies it from there. What the user gave before stays where the key is gone: Open MPI
 * has dropped what was to take its place. */
static char *hint_of_user(mca_fcoll_overlap_module_t *module, const param_t *param, const mca_fcoll_overlap_hint_t *known) {
    char *hint = mca_fcoll_overlap_hint_get(module->fh->f_info, param->key);

    if (NULL == hint) {
        return known->by_user && NULL != known->text ? strdup(known->text) : NULL;
    }
    if (known->by_user || NULL == known->text || 0 != strcmp(hint, known->text)) {
        if (!names_a_file(param, hint)) {
            return hint;
        }
        if (0 == module->fh->f_rank) {
            mca_fcoll_overlap_note(module, "the hint %s is ignored: only an MCA parameter may name a file, or code to load",
                                   param->key);
        }
        mca_fcoll_overlap_ignore_hint(module, param->key, hint);
    }
    free(hint);
    return NULL;
}

/* One that mca_fcoll_overlap_param_parse takes has the room. */
static void copy_text(char to[OVERLAP_TEXT_SIZE], const char *text) { memcpy(to, text, strlen(text) + 1); }

/* The value of a parameter that counts. `hint`: what the user gave by its own key, NULL where nothing; `value.text` may
 * point into it. */
typedef struct chosen_t {
    char *hint;
    value_t value;
} chosen_t;

/* What the info key of a parameter says, else what a hint of others or the MCA parameter says. What is wrong with the key is
 * added to `complaints`. */
static chosen_t choose_value(mca_fcoll_overlap_module_t *module, const param_t *param, mca_fcoll_overlap_hint_t *known,
                             char *complaints) {
    chosen_t chosen = {.hint = hint_of_user(module, param, known)};

    known->by_user = NULL != chosen.hint && mca_fcoll_overlap_param_parse(param, chosen.hint, &chosen.value);
    if (!known->by_user) {
        if (NULL != chosen.hint) {
            mca_fcoll_overlap_param_complain(param, chosen.hint, complaints, COMPLAINTS_SIZE);
            mca_fcoll_overlap_ignore_hint(module, param->key, chosen.hint);
        }
        chosen.value = value_without_own_key(param, module->fh->f_info);
    }
    return chosen;
}

/* Puts a value into the settings. */
static void set_value(const param_t *param, const value_t *value, overlap_settings *settings) {
    if (TEXT == param->kind) {
        copy_text((char *)settings + param->setting, value->text);
    } else { /* every such field of overlap_settings is an int or an enumeration, which has the size of one */
        memcpy((char *)settings + param->setting, &value->number, sizeof(value->number));
    }
    if (PLACEMENT == param->kind) {
        copy_text(settings->plugin, value->text);
    }
}

/* Shows a value in the info. */
static void show_value(opal_info_t *info, const param_t *param, const chosen_t *chosen, mca_fcoll_overlap_hint_t *known) {
    char number[16];
    const char *const shown = mca_fcoll_overlap_param_show(param, &chosen->value, number);

    free(known->text);
    known->text = NULL;
    /* What MPI_Info_set takes: programs copy what the info of a file shows, as HDF5 does from 1.14 on. */
    if ('\0' != shown[0] && strlen(shown) < OPAL_MAX_INFO_VAL && !names_a_file(param, shown)) {
        opal_info_set(info, param->key, shown);
        known->text = strdup(shown);
    } else if (NULL != chosen->hint) {
        mca_fcoll_overlap_hint_delete(info, param->key);
    }
}

/* The keys by which overlap_declare.h tells what it declares: 0: in how many others it does, then those. None is longer than
 * 26 characters (hint_get). */
enum { DECLARED_KEYS = 64 };

static void declared_key(int part, char *key, size_t size) {
    snprintf(key, size, 0 == part ? "overlap_declared_writes" : "overlap_declared_writes_%d", part);
}

/* Of a key, which it removes; NULL where it is not set. */
static char *take_declared_key(opal_info_t *info, int part) {
    char key[64], *value;

    declared_key(part, key, sizeof(key));
    value = mca_fcoll_overlap_hint_get(info, key);
    if (NULL != value) {
        mca_fcoll_overlap_hint_delete(info, key);
    }
    return value;
}

/* Takes what overlap_declare.h has put into the info of the file out of it; where it is `heard` the module keeps it for the
 * engine. */
static void take_declaration(mca_fcoll_overlap_module_t *module, bool heard) {
    opal_info_t *const info = module->fh->f_info;
    char *const count = take_declared_key(info, 0), *text;
    int parts = 0;

    if (NULL == count) {
        return;
    }
    text = calloc((size_t)DECLARED_KEYS, OPAL_MAX_INFO_VAL);
    for (int part = 1; part <= DECLARED_KEYS; ++part) {
        char *value = take_declared_key(info, part);
        parts += NULL != value;
        if (NULL != value && NULL != text) {
            strncat(text, value, OPAL_MAX_INFO_VAL - 1);
        }
        free(value);
    }
    if (NULL != text && parts != atoi(count)) { /* a text that the engine does not read as layouts */
        strcpy(text, "?");
    }
    free(count);
    if (heard) {
        free(module->declaration);
        module->declaration = text;
        module->declaration_given = true;
    } else {
        free(text);
    }
}

/* Lets those that the component knows last as long as the file, and show in its info. */
static void keep_hints(ompio_file_t *fh) {
    static const char *const others[] = {"cb_config_list", "striping_unit", "striping_factor"};
    const param_t *param;
    char key[64];

    for (int i = 0; NULL != (param = mca_fcoll_overlap_param(i)); ++i) {
        if (!param->mca_only) {
            mca_fcoll_overlap_keep_hint(fh, param->key);
        }
    }
    for (size_t i = 0; i < HINTS_OF_OTHERS; ++i) {
        mca_fcoll_overlap_keep_hint(fh, hints_of_others[i].key);
    }
    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); ++i) {
        mca_fcoll_overlap_keep_hint(fh, others[i]);
    }
    for (int part = 0; part <= DECLARED_KEYS; ++part) {
        declared_key(part, key, sizeof(key));
        mca_fcoll_overlap_keep_hint(fh, key);
    }
}

/* The number that a hint holds, 0 where it holds none between 1 and `most`. */
static int64_t number_of_hint(ompio_file_t *fh, const char *key, int64_t most) {
    char *text = mca_fcoll_overlap_hint_get(fh->f_info, key);
    int64_t number = 0;
    const bool is_number = NULL != text && mca_fcoll_overlap_hint_number(text, &number);

    free(text);
    return is_number && number > 0 && number <= most ? number : 0;
}

/* Where more are asked for than there can be the info shows those. */
static void show_aggregators(ompio_file_t *fh, const overlap_settings *settings) {
    const int64_t most = (int64_t)fh->f_size * settings->domains_per_rank;
    char number[24];

    if (number_of_hint(fh, "cb_nodes", INT_MAX) > most) {
        snprintf(number, sizeof(number), "%lld", (long long)most);
        opal_info_set(fh->f_info, "cb_nodes", number);
    }
}

/* Looks up all keys before it adds any to the info, as a look-up goes through the whole info. */
static void read_settings(mca_fcoll_overlap_module_t *module, overlap_settings *settings) {
    ompio_file_t *const fh = module->fh;
    char *hint = mca_fcoll_overlap_hint_get(fh->f_info, "cb_config_list");
    char complaints[COMPLAINTS_SIZE] = "";
    chosen_t chosen[MCA_FCOLL_OVERLAP_PARAMS];
    const param_t *param;

    mca_fcoll_overlap_refuse_wrong_hints(module, complaints);
    for (int i = 0; NULL != (param = mca_fcoll_overlap_param(i)); ++i) {
        chosen[i] = choose_value(module, param, &module->hints[i], complaints);
    }
    for (int i = 0; NULL != (param = mca_fcoll_overlap_param(i)); ++i) {
        set_value(param, &chosen[i].value, settings);
        show_value(fh->f_info, param, &chosen[i], &module->hints[i]);
        free(chosen[i].hint);
    }
    show_aggregators(fh, settings);
    if ('\0' != complaints[0] && 0 == fh->f_rank) {
        MCA_FCOLL_OVERLAP_HELP("wrong-hints", fh->f_filename, complaints);
    }
    snprintf(settings->config_list, sizeof(settings->config_list), "%s", NULL == hint ? "" : hint);
    free(hint);
}

uint64_t mca_fcoll_overlap_hash_settings(const overlap_settings *settings) {
    uint64_t hash = mca_fcoll_overlap_hash_text(MCA_FCOLL_OVERLAP_HASH_BEGIN, settings->plugin);
    const param_t *param;

    for (int i = 0; NULL != (param = mca_fcoll_overlap_param(i)); ++i) {
        const char *const setting = (const char *)settings + param->setting;
        hash = TEXT == param->kind ? mca_fcoll_overlap_hash_text(hash, setting)
                                   : mca_fcoll_overlap_hash(hash, setting, sizeof(int));
    }
    return mca_fcoll_overlap_hash_text(hash, settings->config_list);
}

void mca_fcoll_overlap_update_settings(mca_fcoll_overlap_module_t *module) {
    if (!module->hints_shown || mca_fcoll_overlap_hash_hints(module->fh->f_info) != module->own_hints) {
        read_settings(module, &module->own_settings);
        module->own_hash = mca_fcoll_overlap_hash_settings(&module->own_settings);
        module->own_hints = mca_fcoll_overlap_hash_hints(module->fh->f_info); /* with what it shows now */
    }
}

void mca_fcoll_overlap_process_hints(mca_fcoll_overlap_module_t *module) {
    take_declaration(module, module->hints_shown); /* not from the info of the open */
    if (!module->hints_shown) {
        if (MCA_FCOLL_OVERLAP_KEEPS_HINTS) {
            keep_hints(module->fh);
        }
        mca_fcoll_overlap_update_settings(module);
        module->hints_shown = true;
    }
}

/* The default of io_ompio_bytes_per_agg. */
enum { DEFAULT_COLLECTIVE_BUFFER = 33554432 };

/* Whether somebody gave io_ompio_bytes_per_agg a value, which may be the default: on the command line, in the environment or
 * in a file. */
static bool buffer_is_set(void) {
    const int index = mca_base_var_find("ompi", "io", "ompio", "bytes_per_agg");
    mca_base_var_source_t source = MCA_BASE_VAR_SOURCE_DEFAULT;

    return index >= 0 && OPAL_SUCCESS == mca_base_var_get_value(index, NULL, &source, NULL) &&
           MCA_BASE_VAR_SOURCE_DEFAULT != source;
}

/* The size of the collective buffer, and whether the user asked for it, by the hint or the MCA parameter. 4.1 and 5.0 look
 * at the hint when the file is opened and never again. A hint that is no size is not heard. */
static void find_buffer(ompio_file_t *fh, overlap_file_facts *facts) {
    const int64_t hinted = MCA_FCOLL_OVERLAP_INFO_HAS_DEFAULTS ? 0 : number_of_hint(fh, "cb_buffer_size", INT_MAX);
    const int64_t size = hinted > 0 ? hinted : fh->f_bytes_per_agg;

    facts->collective_buffer_size = size > 0 ? size : DEFAULT_COLLECTIVE_BUFFER;
    facts->collective_buffer_chosen =
        size > 0 && (hinted > 0 || buffer_is_set() || DEFAULT_COLLECTIVE_BUFFER != fh->f_bytes_per_agg);
}

void mca_fcoll_overlap_facts_of(mca_fcoll_overlap_module_t *module, overlap_file_facts *facts) {
    ompio_file_t *const fh = module->fh;
    const int hinted = (int)number_of_hint(fh, "cb_nodes", INT_MAX);
    const int aggregators = hinted > 0 ? hinted : OMPIO_MCA_GET(fh, num_aggregators);

    facts->stripe_size = (int64_t)fh->f_stripe_size;
    facts->hinted_stripe_size =
        number_of_hint(fh, "striping_unit", INT64_C(1) << 50); /* whole stripes are counted in 64 bits */
    facts->hinted_stripe_count = (int)number_of_hint(fh, "striping_factor", INT_MAX);
    facts->block_size = fh->f_fs_block_size > 0 ? fh->f_fs_block_size : 1;
    find_buffer(fh, facts);
    facts->aggregators = aggregators > 0 ? aggregators : 0;
    facts->posix = mca_fcoll_overlap_is_posix(fh);
    mca_fcoll_overlap_look_at_file_system(module, facts);
}
