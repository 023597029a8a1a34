/*
 * SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The overlap project
 *
 * What only Open MPI 4.1 needs.
 */
#ifndef MCA_FCOLL_OVERLAP_COMPAT_4_1_H
#define MCA_FCOLL_OVERLAP_COMPAT_4_1_H

#include "ompi/mca/osc/base/base.h"

/* osc rdma names its shared memory after the number of the communicator, which disjoint communicators of one node may share,
 * and then maps the same memory for both; over TCP it cannot make a window at all. Where it is there it may be chosen, as
 * its priority is the highest. */
static inline bool mca_fcoll_overlap_has_safe_windows(void) {
    const mca_base_component_list_item_t *item;

    OPAL_LIST_FOREACH(item, &ompi_osc_base_framework.framework_components, mca_base_component_list_item_t) {
        if (0 == strcmp(item->cli_component->mca_component_name, "rdma")) {
            return false;
        }
    }
    return true;
}

#endif
