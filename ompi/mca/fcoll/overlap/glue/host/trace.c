/*
 * SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The overlap project
 *
 * The host port's part for timelines: one file for a job, which whoever writes to it leaves as valid JSON. A job replaces
 * the timeline of another one.
 */
#include "host.h"

#include <inttypes.h>
#include <stdio.h>

#define HEADER_BEGINNING "{\"displayTimeUnit\":\"ms\",\"otherData\":{\"tool\":\"overlap\","
#define CLOCKS                                                                                                              \
    "times are those of CLOCK_MONOTONIC on the node of rank 0 of each file; clocks of other nodes are set back by "         \
    "ahead_ns, and wrong by error_ns at most (events \\\"clock\\\")"
#define HEADER_FORMAT HEADER_BEGINNING "\"job\":\"%08" PRIx32 "\",\"clocks\":\"" CLOCKS "\"},\"traceEvents\":[\n"

static mca_fcoll_overlap_output_kind_t timelines = {
    .parameter = "fcoll_overlap_trace",
    .beginnings = {HEADER_BEGINNING, NULL},
    .end = "{\"ph\":\"M\",\"name\":\"end\",\"pid\":0,\"tid\":0,\"args\":{}}\n]}\n",
};

/* The numbers of open files, a bit each: a file that is opened after another has been closed shows where that was. Those
 * beyond 64 share the last one. */
static uint64_t handles_taken = 0;
static int64_t files_named = 0;

static uint64_t take_handle(void) {
    uint64_t taken = __atomic_load_n(&handles_taken, __ATOMIC_RELAXED), bit;

    do {
        bit = UINT64_MAX == taken ? UINT64_C(1) << 63 : ~taken & (taken + 1);
    } while (!__atomic_compare_exchange_n(&handles_taken, &taken, taken | bit, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
    return bit;
}

void mca_fcoll_overlap_trace_forget(const mca_fcoll_overlap_module_t *module) {
    __atomic_fetch_and(&handles_taken, ~module->trace_handle, __ATOMIC_RELAXED);
}

static const char *append_trace(void *self, const char *pattern, const char *events, size_t length) {
    const mca_fcoll_overlap_module_t *module = self;
    char header[MCA_FCOLL_OVERLAP_HEADER_SIZE];

    snprintf(header, sizeof(header), HEADER_FORMAT, (uint32_t)OPAL_PROC_MY_NAME.jobid);
    return mca_fcoll_overlap_output_append(module->fh, &timelines, pattern, header, events, length);
}

void mca_fcoll_overlap_trace_functions(mca_fcoll_overlap_module_t *module, overlap_host *host) {
    if (0 == module->trace_handle) {
        module->trace_handle = take_handle();
    }
    host->trace_names = (overlap_trace_names){
        .process = (int)OPAL_PROC_MY_NAME.vpid,
        .handle = __builtin_ctzll(module->trace_handle),
        .number = __atomic_fetch_add(&files_named, 1, __ATOMIC_RELAXED),
        .file = module->fh->f_filename,
    };
    host->append_trace = append_trace;
}
