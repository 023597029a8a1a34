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

/* What a variable reads: its context. */
typedef struct source_t {
    overlap_direction direction;
    int count; /* an overlap_count, less than 0 where it is a time */
    int time;
} source_t;

static source_t sources[DIRECTIONS][OVERLAP_COUNTS + OVERLAP_TIMES];

/* A file that has no module of ours has done nothing here. */
static int read_value(const mca_base_pvar_t *pvar, void *value, void *object) {
    const source_t *source = pvar->ctx;
    overlap_counters counters[DIRECTIONS];

    if (!mca_fcoll_overlap_counters_of(object, counters)) {
        memset(counters, 0, sizeof(counters));
    }
    if (source->count >= 0) {
        *(unsigned long long *)value = (unsigned long long)counters[source->direction].counts[source->count];
    } else {
        *(double *)value = counters[source->direction].seconds[source->time];
    }
    return OMPI_SUCCESS;
}

static int register_one(const overlap_counter_row *row, source_t *source) {
    static const char *const prefixes[DIRECTIONS] = {[OVERLAP_WRITE] = "write", [OVERLAP_READ] = "read"};
    char name[64], help[160];
    const bool counts = source->count >= 0;
    int ret;

    snprintf(name, sizeof(name), "%s_%s%s", prefixes[source->direction], counts ? "" : "seconds_", row->name);
    snprintf(help, sizeof(help), "Collective %ss of a file: %s", prefixes[source->direction], row->help);
    ret = mca_base_component_pvar_register(
        &mca_fcoll_overlap_component.fcollm_version, name, help, OPAL_INFO_LVL_5,
        counts ? MCA_BASE_PVAR_CLASS_COUNTER : MCA_BASE_PVAR_CLASS_TIMER,
        counts ? MCA_BASE_VAR_TYPE_UNSIGNED_LONG_LONG : MCA_BASE_VAR_TYPE_DOUBLE, NULL, MCA_BASE_VAR_BIND_MPI_FILE,
        MCA_BASE_PVAR_FLAG_READONLY | MCA_BASE_PVAR_FLAG_CONTINUOUS, read_value, NULL, NULL, source);
    return ret < 0 ? ret : OMPI_SUCCESS;
}

/* A file can be used without them. */
void mca_fcoll_overlap_register_pvars(void) {
    int ret = OMPI_SUCCESS;

    for (int direction = 0; direction < DIRECTIONS; ++direction) {
        for (int i = 0; i < OVERLAP_COUNTS + OVERLAP_TIMES && OMPI_SUCCESS == ret; ++i) {
            const bool counts = i < OVERLAP_COUNTS;
            source_t *source = &sources[direction][i];

            *source = (source_t){(overlap_direction)direction, counts ? i : -1, counts ? -1 : i - OVERLAP_COUNTS};
            ret = register_one(counts ? &overlap_count_rows[i] : &overlap_time_rows[i - OVERLAP_COUNTS], source);
        }
    }
}
