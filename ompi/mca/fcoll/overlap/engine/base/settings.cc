// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "settings.h"

const char *const overlap_algorithm_names[] = {"none",         "comm",     "write", "write-comm",
                                               "write-comm-2", "dataflow", "auto",  nullptr};
const char *const overlap_shuffle_names[] = {"two-sided", "put-fence", "put-lock", "auto", nullptr};
const char *const overlap_writer_names[] = {"fbtl", "thread", "libaio", "auto", nullptr};
const char *const overlap_partition_names[] = {"even", "static", nullptr};
const char *const overlap_placement_names[] = {"ompio", "spread", "locality", "lap", "tapioca", nullptr};
const char *const overlap_holes_names[] = {"auto", "list", "sieve", nullptr};
const char *const overlap_transfers_names[] = {"auto", "collective", "independent", nullptr};
const char *const overlap_node_merge_names[] = {"off", "on", nullptr};
const char *const overlap_report_names[] = {"off", "text", "json", "line", nullptr};
