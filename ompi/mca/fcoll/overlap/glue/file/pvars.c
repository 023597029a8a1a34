/*
 * SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The overlap project
 *
 * The counters of a file as performance variables of the MPI tool interface, bound to the file handle.
 */
#include "file.h"

#include "opal/mca/base/mca_base_pvar.h"

#include <stdio.h>

enum { DIRECTIONS = 2 };

/* What a variable reads: its context. The times are behind the counts. */
typedef struct source_t {
    overlap_direction direction;
    int index;
} source_t;

static source_t sources[DIRECTIONS][OVERLAP_COUNTS + OVERLAP_TIMES];

/* A file that has no module of ours has done nothing here. */
static int read_value(const mca_base_pvar_t *pvar, void *value, void *object) {
    const source_t *source = pvar->ctx;
    overlap_counters counters[DIRECTIONS];

    if (!mca_fcoll_overlap_counters_of(object, counters)) {
        memset(counters, 0, sizeof(counters));
    }
    if (source->index < OVERLAP_COUNTS) {
        *(unsigned long long *)value = (unsigned long long)counters[source->direction].counts[source->index];
    } else {
        *(double *)value = counters[source->direction].seconds[source->index - OVERLAP_COUNTS];
    }
    return OMPI_SUCCESS;
}

static int register_one(source_t *source) {
    static const char *const prefixes[DIRECTIONS] = {[OVERLAP_WRITE] = "write", [OVERLAP_READ] = "read"};
    const char *const prefix = prefixes[source->direction];
    const bool counts = source->index < OVERLAP_COUNTS;
    const overlap_counter_row *row =
        counts ? &overlap_count_rows[source->index] : &overlap_time_rows[source->index - OVERLAP_COUNTS];
    char name[64], help[160];

    snprintf(name, sizeof(name), "%s_%s%s", prefix, counts ? "" : "seconds_", row->name);
    snprintf(help, sizeof(help), "Collective %ss of a file: %s", prefix, row->help);
    return mca_base_component_pvar_register(
        &mca_fcoll_overlap_component.fcollm_version, name, help, OPAL_INFO_LVL_5,
        counts ? MCA_BASE_PVAR_CLASS_COUNTER : MCA_BASE_PVAR_CLASS_TIMER,
        counts ? MCA_BASE_VAR_TYPE_UNSIGNED_LONG_LONG : MCA_BASE_VAR_TYPE_DOUBLE, NULL, MCA_BASE_VAR_BIND_MPI_FILE,
        MCA_BASE_PVAR_FLAG_READONLY | MCA_BASE_PVAR_FLAG_CONTINUOUS, read_value, NULL, NULL, source);
}

/* A file can be used without them. */
void mca_fcoll_overlap_register_pvars(void) {
    int ret = 0; /* an index, or an error */

    for (int direction = 0; direction < DIRECTIONS; ++direction) {
        for (int i = 0; i < OVERLAP_COUNTS + OVERLAP_TIMES && ret >= 0; ++i) {
            sources[direction][i] = (source_t){(overlap_direction)direction, i};
            ret = register_one(&sources[direction][i]);
        }
    }
}
