/*
 * SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The overlap project
 *
 * Hints that nobody hears, which the user should know: a value that a known key does not have, and a key that is almost one
 * of the component's. They are taken out of the info of the file, so that it shows what is used and each is reported once;
 * but for keys that may be those of another library.
 */
#include "file.h"

#include "../../fcoll_overlap_params.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <strings.h>

/* What the keys of others may say that the component hears: one of these words, else a number from `least`. */
static const struct {
    const char *key, *words[3];
    int least;
    const char *valid;
} keys_of_others[] = {
    {"romio_ds_write", {"enable", "disable", "automatic"}, 0, "enable, disable, automatic"},
    {"romio_cb_read", {"enable", "disable", "automatic"}, 0, "enable, disable, automatic"},
    {"romio_cb_write", {"enable", "disable", "automatic"}, 0, "enable, disable, automatic"},
    {"collective_buffering", {"true", "false"}, 0, "true, false"},
    {"cb_nodes", {NULL}, 1, "1 to 2147483647"},
    {"cb_buffer_size", {NULL}, 1, "1 to 2147483647 bytes, without k, m or g"},
    {"striping_unit", {NULL}, INT_MIN, "a number of bytes, without k, m or g"},
    {"striping_factor", {NULL}, INT_MIN, "a number"},
};

enum { KEYS_OF_OTHERS = sizeof(keys_of_others) / sizeof(keys_of_others[0]) };

bool mca_fcoll_overlap_hint_number(const char *text, int64_t *number) {
    char *end;

    errno = 0;
    *number = strtoll(text, &end, 10);
    return end != text && '\0' == *end && 0 == errno;
}

static bool is_value_of_other(size_t row, const char *value) {
    int64_t number;

    for (int i = 0; i < 3 && NULL != keys_of_others[row].words[i]; ++i) {
        if (0 == strcasecmp(value, keys_of_others[row].words[i])) {
            return true;
        }
    }
    return NULL == keys_of_others[row].words[0] && mca_fcoll_overlap_hint_number(value, &number) &&
           number >= keys_of_others[row].least && (INT_MIN == keys_of_others[row].least || number <= INT_MAX);
}

/* OMPIO has taken the digits at the beginning of a size, 16 of "16m": it gets what it has without the hint. */
static void forget_buffer_size(ompio_file_t *fh, const char *value) {
    int taken = 0;

    if (1 == sscanf(value, "%d", &taken) && taken == fh->f_bytes_per_agg) {
        fh->f_bytes_per_agg = OMPIO_MCA_GET(fh, bytes_per_agg);
    }
}

static bool begins(const char *key, const char *with) { return 0 == strncmp(key, with, strlen(with)); }

/* NULL where the component has the key, or it is nobody's but another's; else what is wrong with it. */
static const char *wrong_key(const char *key, char *text, size_t size) {
    static const char declared[] = "overlap_declared_writes";
    const param_t *param;

    for (int i = 0; NULL != (param = mca_fcoll_overlap_param(i)); ++i) {
        if (0 == strcmp(key, param->name)) {
            snprintf(text, size, "none: the key is %s", param->key);
            return text;
        }
        if (0 == strcmp(key, param->key)) {
            return NULL;
        }
    }
    return NULL == strcasestr(key, "overlap") || begins(key, declared)
               ? NULL
               : "none: there is no such hint (ompi_info --param fcoll overlap --level 9)";
}

void mca_fcoll_overlap_ignore_hint(mca_fcoll_overlap_module_t *module, const char *key, const char *value) {
    char *const list = module->wrong_hints;
    const size_t used = strlen(list);

    snprintf(list + used, sizeof(module->wrong_hints) - used, "%s%s=%s", 0 == used ? "" : ", ", key, value);
    mca_fcoll_overlap_hint_delete(module->fh->f_info, key);
}

/* Tells of a hint, and takes it out of the info unless it `stays`: such a one is reported at open. `value` is freed. */
static void refuse(mca_fcoll_overlap_module_t *module, const char *key, char *value, const char *valid, bool stays,
                   char *complaints) {
    if (!stays || !module->hints_shown) {
        mca_fcoll_overlap_complain(key, value, valid, complaints, COMPLAINTS_SIZE);
    }
    if (!stays) {
        mca_fcoll_overlap_ignore_hint(module, key, value);
    }
    free(value);
}

/* Whether a key that the component does not know may be another library's. */
static bool may_be_of_others(const char *key) {
    static const char *const ours[] = {"fcoll_overlap", "overlap_"};
    return 0 != strncasecmp(key, ours[0], strlen(ours[0])) && 0 != strncasecmp(key, ours[1], strlen(ours[1]));
}

void mca_fcoll_overlap_refuse_wrong_hints(mca_fcoll_overlap_module_t *module, char *complaints) {
    ompio_file_t *const fh = module->fh;
    char key[OPAL_MAX_INFO_KEY + 1], text[128];
    int keys = 0;

    for (size_t i = 0; i < KEYS_OF_OTHERS; ++i) {
        char *value = mca_fcoll_overlap_hint_get(fh->f_info, keys_of_others[i].key);
        if (NULL == value || is_value_of_other(i, value)) {
            free(value);
            continue;
        }
        if (0 == strcmp(keys_of_others[i].key, "cb_buffer_size")) {
            forget_buffer_size(fh, value);
        }
        refuse(module, keys_of_others[i].key, value, keys_of_others[i].valid, false, complaints);
    }
    if (NULL != fh->f_info) {
        opal_info_get_nkeys(fh->f_info, &keys);
    }
    for (int i = keys - 1; i >= 0; --i) {
        const char *wrong = mca_fcoll_overlap_hint_key(fh->f_info, i, key) ? wrong_key(key, text, sizeof(text)) : NULL;
        char *value = NULL == wrong ? NULL : mca_fcoll_overlap_hint_get(fh->f_info, key);
        if (NULL != value) {
            refuse(module, key, value, wrong, may_be_of_others(key), complaints);
        }
    }
}
