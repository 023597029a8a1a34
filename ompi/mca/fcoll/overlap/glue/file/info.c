/*
 * SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The overlap project
 *
 * The info of a file. Its entries are read where they are: opal_info_get copies a value even to compare it, and a file is
 * opened with 40 questions.
 */
#include "file.h"

#include <stdio.h>

char *mca_fcoll_overlap_hint_get(opal_info_t *info, const char *key) {
    opal_info_entry_t *entry, *found = NULL;
    char *copy = NULL;

    if (NULL == info) {
        return NULL;
    }
    OPAL_THREAD_LOCK(info->i_lock);
    OPAL_LIST_FOREACH(entry, &info->super, opal_info_entry_t) {
        bool given;
        const char *name = mca_fcoll_overlap_entry_key(entry, &given);
        if ((!given || NULL == found) && 0 == strcmp(name, key)) {
            found = entry;
        }
    }
    if (NULL != found) {
        mca_fcoll_overlap_entry_looked_up(found);
        copy = strdup(mca_fcoll_overlap_entry_value(found));
    }
    OPAL_THREAD_UNLOCK(info->i_lock);
    return copy;
}

bool mca_fcoll_overlap_hint_key(opal_info_t *info, int number, char key[OPAL_MAX_INFO_KEY + 1]) {
    opal_info_entry_t *entry;
    bool given, found = false;

    OPAL_THREAD_LOCK(info->i_lock);
    OPAL_LIST_FOREACH(entry, &info->super, opal_info_entry_t) {
        if (0 == number--) {
            snprintf(key, OPAL_MAX_INFO_KEY + 1, "%s", mca_fcoll_overlap_entry_key(entry, &given));
            found = true;
        }
    }
    OPAL_THREAD_UNLOCK(info->i_lock);
    return found;
}

/* FNV-1a. */
uint64_t mca_fcoll_overlap_hash(uint64_t hash, const void *bytes, size_t count) {
    const unsigned char *const byte = bytes;

    for (size_t i = 0; i < count; ++i) {
        hash = (hash ^ byte[i]) * UINT64_C(0x100000001b3);
    }
    return hash;
}

uint64_t mca_fcoll_overlap_hash_text(uint64_t hash, const char *text) {
    return mca_fcoll_overlap_hash(hash, text, strlen(text) + 1);
}

uint64_t mca_fcoll_overlap_hash_hints(opal_info_t *info) {
    uint64_t hash = MCA_FCOLL_OVERLAP_HASH_BEGIN;
    opal_info_entry_t *entry;

    if (NULL == info) {
        return hash;
    }
    OPAL_THREAD_LOCK(info->i_lock);
    OPAL_LIST_FOREACH(entry, &info->super, opal_info_entry_t) {
        bool given;
        const char *name = mca_fcoll_overlap_entry_key(entry, &given);
        hash = mca_fcoll_overlap_hash_text(hash + given + 2 * mca_fcoll_overlap_entry_is_shown(entry), name);
        hash = mca_fcoll_overlap_hash_text(hash, mca_fcoll_overlap_entry_value(entry));
    }
    OPAL_THREAD_UNLOCK(info->i_lock);
    return hash;
}
