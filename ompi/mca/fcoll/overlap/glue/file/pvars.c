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

/* Of a direction. The context of a variable is its number: those of writes come first, times behind counts. */
enum { VARIABLES = OVERLAP_COUNTS + OVERLAP_TIMES };

/* A file that has no module of ours has done nothing here. */
static int read_value(const mca_base_pvar_t *pvar, void *value, void *object) {
    const int number = (int)(intptr_t)pvar->ctx, direction = number / VARIABLES, index = number % VARIABLES;
    overlap_counters counters[DIRECTIONS];

    if (!mca_fcoll_overlap_counters_of(object, counters)) {
        memset(counters, 0, sizeof(counters));
    }
    if (index < OVERLAP_COUNTS) {
        *(unsigned long long *)value = (unsigned long long)counters[direction].counts[index];
    } else {
        *(double *)value = counters[direction].seconds[index - OVERLAP_COUNTS];
    }
    return OMPI_SUCCESS;
}

static int register_one(int number) {
    static const char *const prefixes[DIRECTIONS] = {[OVERLAP_WRITE] = "write", [OVERLAP_READ] = "read"};
    const char *const prefix = prefixes[number / VARIABLES];
    const int index = number % VARIABLES;
    const bool counts = index < OVERLAP_COUNTS;
    const overlap_counter_row *row = counts ? &overlap_count_rows[index] : &overlap_time_rows[index - OVERLAP_COUNTS];
    char name[64], help[160];

    snprintf(name, sizeof(name), "%s_%s%s", prefix, counts ? "" : "seconds_", row->name);
    snprintf(help, sizeof(help), "Collective %ss of a file: %s", prefix, row->help);
    return mca_base_component_pvar_register(
        &mca_fcoll_overlap_component.fcollm_version, name, help, OPAL_INFO_LVL_5,
        counts ? MCA_BASE_PVAR_CLASS_COUNTER : MCA_BASE_PVAR_CLASS_TIMER,
        counts ? MCA_BASE_VAR_TYPE_UNSIGNED_LONG_LONG : MCA_BASE_VAR_TYPE_DOUBLE, NULL, MCA_BASE_VAR_BIND_MPI_FILE,
        MCA_BASE_PVAR_FLAG_READONLY | MCA_BASE_PVAR_FLAG_CONTINUOUS, read_value, NULL, NULL, (void *)(intptr_t)number);
}

/* A file can be used without them. */
void mca_fcoll_overlap_register_pvars(void) {
    int ret = 0; /* an index, or an error */

    for (int number = 0; number < DIRECTIONS * VARIABLES && ret >= 0; ++number) {
        ret = register_one(number);
    }
}
