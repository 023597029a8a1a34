/*
 * SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The overlap project
 *
 * The part of the storage port that tells what is known of a file, and what the user asks of it by OMPIO's parameters and by
 * hints.
 */
#include "file.h"

#include "opal/mca/base/mca_base_var.h"

#include <limits.h>

/* The number that a hint holds, 0 where it holds none between 1 and `most`. */
static int64_t number_of_hint(ompio_file_t *fh, const char *key, int64_t most) {
    char *text = mca_fcoll_overlap_hint_get(fh->f_info, key);
    const long long number = NULL == text ? 0 : strtoll(text, NULL, 10);

    free(text);
    return number > 0 && number <= most ? (int64_t)number : 0;
}

/* No file system has stripes as long as this, and whole stripes can be counted in 64 bits. */
enum { LONGEST_STRIPE_BITS = 50 };

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
static void know_buffer(ompio_file_t *fh, overlap_file_facts *facts) {
    const int64_t hinted = MCA_FCOLL_OVERLAP_INFO_HAS_DEFAULTS ? 0 : number_of_hint(fh, "cb_buffer_size", INT_MAX);
    const int64_t size = hinted > 0 ? hinted : fh->f_bytes_per_agg;

    facts->collective_buffer_size = size > 0 ? size : DEFAULT_COLLECTIVE_BUFFER;
    facts->collective_buffer_chosen =
        size > 0 && (hinted > 0 || buffer_is_set() || DEFAULT_COLLECTIVE_BUFFER != fh->f_bytes_per_agg);
}

void mca_fcoll_overlap_facts_of(ompio_file_t *fh, overlap_file_facts *facts) {
    const int hinted = (int)number_of_hint(fh, "cb_nodes", INT_MAX);
    const int aggregators = hinted > 0 ? hinted : OMPIO_MCA_GET(fh, num_aggregators);

    memset(facts, 0, sizeof(*facts)); /* facts are compared byte by byte */
    facts->stripe_size = (int64_t)fh->f_stripe_size;
    /* Open MPI's component for PVFS2 does not ask the file system: it has there what the hints wish for, and the unit in the
     * place of the factor. */
    facts->stripe_count = mca_fcoll_overlap_is_of_pvfs2(fh) ? 0 : fh->f_stripe_count;
    facts->hinted_stripe_size = number_of_hint(fh, "striping_unit", (int64_t)1 << LONGEST_STRIPE_BITS);
    facts->hinted_stripe_count = (int)number_of_hint(fh, "striping_factor", INT_MAX);
    facts->block_size = fh->f_fs_block_size > 0 ? fh->f_fs_block_size : 1;
    know_buffer(fh, facts);
    facts->aggregators = aggregators > 0 ? aggregators : 0;
    facts->atomic_mode = fh->f_atomicity;
    facts->posix = mca_fcoll_overlap_is_posix(fh);
    if (0 == fh->f_rank) { /* who tells the others */
        mca_fcoll_overlap_look_at_file_system(fh, facts);
    }
}
