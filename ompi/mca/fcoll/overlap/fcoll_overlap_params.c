/*
 * SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The overlap project
 *
 * The parameters: one table. Each row is an MCA parameter fcoll_overlap_<name> and, unless it is `mca_only` or no setting of
 * a file, an info key of the same name. Behind them the counters of a file, as performance variables of the MPI tool
 * interface, bound to the file handle.
 */
#include "fcoll_overlap_params.h"
#include "glue/file/file.h"

#include "opal/mca/base/mca_base_pvar.h"
#include "opal/mca/base/mca_base_var.h"
#include "opal/util/output.h"

#include <limits.h>
#include <stdio.h>
#include <strings.h>

enum { DEFAULT_PRIORITY = 10, VALID_SIZE = 256 };

/* Whom a parameter is for, as the levels of ompi_info have it: a user, the administrator of a site, who measures. */
#define USER OPAL_INFO_LVL_3
#define SITE OPAL_INFO_LVL_5
#define RARE OPAL_INFO_LVL_9

/* A row of the table, which is the setting of the same name: whom it is for, what its values are, the default, the help. */
#define ROW(field, whose, text, ...)                                                                                        \
    { .name = #field, .key = "fcoll_overlap_" #field, .level = whose, .help = text, .setting = SETTING(field), __VA_ARGS__ }
#define ONE_OF(field, whose, table, initially, text)                                                                        \
    ROW(field, whose, text, .kind = ENUMERATION, .names = overlap_##table##_names, .value = OVERLAP_##initially)
#define NUMBER_FROM(field, whose, smallest, largest, initially, text)                                                       \
    ROW(field, whose, text, .kind = NUMBER, .least = smallest, .most = largest, .value = initially)
#define ZERO_OR_FROM(field, whose, smallest, largest, initially, text)                                                      \
    ROW(field, whose, text, .kind = NUMBER, .least = smallest, .most = largest, .zero_chooses = true, .value = initially)
#define BYTES_FROM(field, whose, smallest, initially, text)                                                                 \
    ROW(field, whose, text, .kind = BYTES, .least = smallest, .most = INT_MAX, .value = initially)
#define TEXT_OF(field, whose, initially, check, values, text)                                                               \
    ROW(field, whose, text, .kind = TEXT, .is_valid = check, .initial = initially, .valid = values)
/* Rank 0 says whether there is such a file, when it is opened. */
#define PATH_OF(field, whose, text)                                                                                         \
    ROW(field, whose, text, .kind = TEXT, .initial = "", .valid = "the path of a file, or empty", .mca_only = true)

static param_t params[] = {
    ONE_OF(algorithm, USER, algorithm, ALGORITHM_AUTO, "Schedule of shuffles and writes"),
    ONE_OF(shuffle, RARE, shuffle, SHUFFLE_AUTO, "How bytes go to the aggregators; auto: two-sided"),
    BYTES_FROM(window_threshold, RARE, 0, OVERLAP_WINDOW_THRESHOLD_DEFAULT,
               "Puts: bytes of an aggregator in a call worth a window"),
    BYTES_FROM(put_threshold, RARE, 0, OVERLAP_PUT_THRESHOLD_DEFAULT, "Puts: mean bytes of the blocks that are put; 0: any"),
    ZERO_OR_FROM(throttle, RARE, 1, INT_MAX, OVERLAP_THROTTLE_AUTO,
                 "Messages with data that an aggregator has under way; 0: chosen"),
    BYTES_FROM(eager_bytes, RARE, 0, OVERLAP_EAGER_BYTES_DEFAULT, "Nonblocking: bytes that an aggregator holds of a domain"),
    ONE_OF(writer, SITE, writer, WRITER_AUTO, "Write engine of the aggregators; fbtl is Open MPI's"),
    ZERO_OR_FROM(slots, USER, OVERLAP_SLOTS_MIN, OVERLAP_SLOTS_MAX, OVERLAP_SLOTS_AUTO,
                 "Sub-buffers that share the collective buffer; 0: chosen"),
    ONE_OF(partition, SITE, partition, PARTITION_EVEN,
           "How the file is cut: contiguous parts (even), or stripes in turn (static)"),
    ROW(placement, SITE, "Which ranks aggregate", .kind = PLACEMENT, .names = overlap_placement_names, .initial = "spread"),
    ROW(topology, SITE, "Distances of nodes", .kind = TEXT, .initial = "flat", .is_valid = overlap_is_topology,
        .mca_only = true, .valid = "flat, hwloc, slurm:FILE, matrix:FILE (overlap placement hops), or a path"),
    TEXT_OF(topology_bandwidths, RARE, "", overlap_is_topology_bandwidths,
            "numbers above 0, separated by commas, such as 1.25e9,5e8", "Bytes a second of levels of links"),
    TEXT_OF(storage_nodes, SITE, "", overlap_is_storage_nodes, "names separated by commas, such as oss1,oss2 or oss[1-4]",
            "Hosts or switches of the storage"),
    NUMBER_FROM(aggregators_per_node, SITE, 0, INT_MAX, 0, "Ranks of a node that aggregate at most; 0: no limit"),
    NUMBER_FROM(domains_per_rank, RARE, 1, 1 << 10, 1, "File domains that one rank may aggregate"),
    NUMBER_FROM(candidates_per_node, RARE, 0, INT_MAX, OVERLAP_CANDIDATES_PER_NODE_DEFAULT,
                "Ranks of a node that locality, lap and tapioca compare; 0: all"),
    ONE_OF(holes, USER, holes, HOLES_AUTO, "Data with gaps: each piece (list), or its range under a lock (sieve)"),
    ONE_OF(reads, SITE, transfers, TRANSFERS_AUTO, "Who reads in a collective read: aggregators, or each rank"),
    ONE_OF(writes, SITE, transfers, TRANSFERS_AUTO, "Who writes in a collective write: aggregators, or each rank"),
    ONE_OF(node_merge, SITE, node_merge, NODE_MERGE_OFF,
           "Whether one rank of a node takes part in collective calls for all of them"),
    PATH_OF(rules, SITE, "JSON file with the rules of the site; empty: none"),
    ONE_OF(report, USER, report, REPORT_OFF, "What rank 0 says of a file at close: a page, JSON or one line"),
    PATH_OF(report_file, SITE, "File that gets reports (%p: process, %h: host); empty: stderr"),
    PATH_OF(trace, USER, "File for a timeline of the calls (%p, %h as for report_file)"),
    BYTES_FROM(trace_bytes, RARE, 1 << 10, OVERLAP_TRACE_BYTES_DEFAULT, "Bytes that a rank may hold of a file's timeline"),
    {.name = "roll_call",
     .level = SITE,
     .help = "Seconds until a line names the ranks that are not in a collective call; 0: off",
     .kind = NUMBER,
     .most = 1000000,
     .mca_only = true},
    {.name = "priority",
     .level = SITE,
     .help = "Priority of the component; the default keeps it out until --mca fcoll overlap",
     .kind = NUMBER,
     .most = 1000,
     .value = DEFAULT_PRIORITY},
};

_Static_assert(sizeof(params) / sizeof(params[0]) <= MCA_FCOLL_OVERLAP_PARAMS, "a module has room for as many");

/* The last two are no settings of a file. */
enum { PARAM_COUNT = sizeof(params) / sizeof(params[0]), PRIORITY = PARAM_COUNT - 1, ROLL_CALL = PRIORITY - 1 };

const char *mca_fcoll_overlap_param_show(const param_t *param, const value_t *value, char number[16]) {
    if (TEXT == param->kind || (PLACEMENT == param->kind && OVERLAP_PLACEMENT_PLUGIN == value->number)) {
        return value->text;
    }
    if (NULL != param->names) {
        return param->names[value->number];
    }
    if (value->number == param->given.number && '\0' != param->given_number[0]) {
        return param->given_number;
    }
    snprintf(number, 16, "%d", value->number);
    return number;
}

/* 5.0.7 unloads components that are still registered (mca_base_component_repository_release_internal looks for their
 * variables without the project's name and finds none), and later looks for the texts of their variables where they were.
 * An empty value has no text, and is looked for as well. */
__attribute__((destructor)) static void forget_texts(void) {
    for (int i = 0; i < PARAM_COUNT; ++i) {
        const mca_base_var_t *variable = NULL;
        if (NULL != params[i].initial && params[i].index >= 0 &&
            OPAL_SUCCESS == mca_base_var_get(params[i].index, &variable) &&
            (const void *)variable->mbv_storage == (const void *)&params[i].text) {
            mca_base_var_deregister(params[i].index);
        }
    }
}

/* "least to most", the names, or what a text may be. */
static void list_values(const param_t *param, char *text, size_t size) {
    size_t used = 0;

    *text = '\0';
    if (TEXT == param->kind) {
        snprintf(text, size, "%s", param->valid);
        return;
    }
    for (int i = 0; NULL != param->names && NULL != param->names[i] && used < size; ++i) {
        used += (size_t)snprintf(text + used, size - used, "%s%s", 0 == i ? "" : ", ", param->names[i]);
    }
    if (PLACEMENT == param->kind && used < size) {
        snprintf(text + used, size - used, ", or a plugin's path (no hint)");
    } else if (NULL == param->names) {
        snprintf(text, size, "%s%d to %d%s", param->zero_chooses ? "0 or " : "", param->least, param->most,
                 BYTES == param->kind ? " (as 64k, 16m, 1g)" : "");
    }
}

/* A number without a sign; of bytes with k, m or g behind it, in powers of 1024. -1: `text` is none, or above INT_MAX. */
static int parse_number(const char *text, bool is_bytes) {
    static const char units[] = "kmg";
    const char *unit;
    char *end;
    long long number;
    int shift = 0;

    if (*text < '0' || *text > '9') {
        return -1;
    }
    number = strtoll(text, &end, 10); /* LLONG_MAX where it is larger than that */
    if (is_bytes && '\0' != *end) {
        unit = strchr(units, *end | ('a' ^ 'A'));
        shift = NULL == unit ? 0 : 10 * (int)(unit - units + 1);
        end += NULL == unit ? 0 : 1;
    }
    return '\0' == *end && number <= (INT_MAX >> shift) ? (int)(number << shift) : -1;
}

bool mca_fcoll_overlap_param_parse(const param_t *param, const char *text, value_t *value) {
    const int number = parse_number(text, BYTES == param->kind);

    *value = (value_t){0, ""};
    if (strlen(text) >= OVERLAP_TEXT_SIZE) {
        return false;
    }
    if (TEXT == param->kind) {
        value->text = text;
        return NULL == param->is_valid || param->is_valid(text);
    }
    if (PLACEMENT == param->kind && NULL != strchr(text, '/')) {
        *value = (value_t){OVERLAP_PLACEMENT_PLUGIN, text};
        return true;
    }
    for (int i = 0; NULL != param->names && NULL != param->names[i]; ++i) {
        if (0 == strcasecmp(text, param->names[i]) || number == i) {
            value->number = i;
            return true;
        }
    }
    value->number = number;
    return NULL == param->names &&
           ((number >= param->least && number <= param->most) || (param->zero_chooses && 0 == number));
}

void mca_fcoll_overlap_complain(const char *name, const char *value, const char *valid, char *complaints, size_t size) {
    const size_t used = strlen(complaints);

    snprintf(complaints + used, size - used, "  Name:          %s\n  Value:         \"%.200s\"\n  Valid values:  %s\n\n",
             name, value, valid);
}

void mca_fcoll_overlap_param_complain(const param_t *param, const char *text, char *complaints, size_t size) {
    char name[64], valid[VALID_SIZE];

    snprintf(name, sizeof(name), "fcoll_overlap_%s", param->name);
    list_values(param, valid, sizeof(valid));
    mca_fcoll_overlap_complain(name, text, valid, complaints, size);
}

/* Every parameter is a string for Open MPI: of a number it would make 0 of "abc", and of an enumeration it refuses to
 * register a value that it does not know, which leaves the job without the component. */
int mca_fcoll_overlap_register_params(void) {
    char complaints[COMPLAINTS_SIZE] = "";

    for (param_t *param = params; param < params + PARAM_COUNT; ++param) {
        char valid[VALID_SIZE], help[2 * VALID_SIZE];
        const char *used;

        if (NULL == param->initial) {
            param->initial = mca_fcoll_overlap_param_show(param, &(value_t){.number = param->value}, param->number);
        }
        param->text = (char *)param->initial; /* the variable system copies the default */
        list_values(param, valid, sizeof(valid));
        snprintf(help, sizeof(help), "%s; values: %s", param->help, valid);
        param->index = mca_base_component_var_register(&mca_fcoll_overlap_component.fcollm_version, param->name, help,
                                                       MCA_BASE_VAR_TYPE_STRING, NULL, 0, 0, param->level,
                                                       MCA_BASE_VAR_SCOPE_READONLY, &param->text);
        if (param->index < 0) {
            return param->index;
        }
        used = NULL == param->text ? "" : param->text;
        if (!mca_fcoll_overlap_param_parse(param, used, &param->given)) {
            mca_fcoll_overlap_param_complain(param, used, complaints, sizeof(complaints));
            mca_fcoll_overlap_param_parse(param, param->initial, &param->given);
        }
        snprintf(param->given_number, sizeof(param->given_number), "%d", param->given.number);
    }
    if ('\0' != complaints[0]) {
        MCA_FCOLL_OVERLAP_HELP("wrong-parameters", complaints);
    }
    return OMPI_SUCCESS;
}

int mca_fcoll_overlap_priority(void) { return params[PRIORITY].given.number; }

int mca_fcoll_overlap_roll_call_seconds(void) { return params[ROLL_CALL].given.number; }

const param_t *mca_fcoll_overlap_param(int i) { return i < ROLL_CALL ? &params[i] : NULL; }

/* Performance variables of a direction. The context of one is its number: those of writes come first, times behind counts.
 */
enum { VARIABLES = OVERLAP_COUNTS + OVERLAP_TIMES, DIRECTIONS = 2 };

static int read_value(const mca_base_pvar_t *pvar, void *value, void *object) {
    const int number = (int)(intptr_t)pvar->ctx, direction = number / VARIABLES, index = number % VARIABLES;
    overlap_counters counters[DIRECTIONS];

    mca_fcoll_overlap_counters_of(object, counters);
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
    snprintf(help, sizeof(help), "Collective %ss: %s", prefix, row->help);
    return mca_base_component_pvar_register(
        &mca_fcoll_overlap_component.fcollm_version, name, help, RARE,
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
