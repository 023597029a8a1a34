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

/* A row of the table, which is the setting of the same name: what its values are, and the default, at the end the help. */
#define ROW(field, text, ...)                                                                                               \
    { .name = #field, .help = text, .setting = SETTING(field), __VA_ARGS__ }
#define ONE_OF(field, table, initially, text)                                                                               \
    ROW(field, text, .kind = ENUMERATION, .names = overlap_##table##_names, .value = OVERLAP_##initially)
#define NUMBER_FROM(field, smallest, largest, initially, text)                                                              \
    ROW(field, text, .kind = NUMBER, .least = smallest, .most = largest, .value = initially)
#define ZERO_OR_FROM(field, smallest, largest, initially, text)                                                             \
    ROW(field, text, .kind = NUMBER, .least = smallest, .most = largest, .zero_chooses = true, .value = initially)
#define BYTES_FROM(field, smallest, initially, text)                                                                        \
    ROW(field, text, .kind = BYTES, .least = smallest, .most = INT_MAX, .value = initially)
#define TEXT_OF(field, initially, check, values, text)                                                                      \
    ROW(field, text, .kind = TEXT, .is_valid = check, .initial = initially, .valid = values, .text_setting = SETTING(field))
/* Rank 0 says whether there is such a file, when it is opened. */
#define PATH_OF(field, text)                                                                                                \
    ROW(field, text, .kind = TEXT, .initial = "", .valid = "the path of a file, or empty", .mca_only = true,                \
        .text_setting = SETTING(field))

static param_t params[] = {
    ONE_OF(algorithm, algorithm, ALGORITHM_AUTO,
           "Schedule that overlaps shuffle and write; none is the baseline without overlap"),
    ONE_OF(shuffle, shuffle, SHUFFLE_AUTO,
           "How bytes are sent to the aggregators; auto takes two-sided, which works on every network"),
    BYTES_FROM(window_threshold, 0, OVERLAP_WINDOW_THRESHOLD_DEFAULT,
               "put-fence, put-lock: bytes an aggregator writes in a call before windows are made for it"),
    BYTES_FROM(put_threshold, 0, OVERLAP_PUT_THRESHOLD_DEFAULT,
               "put-fence, put-lock: average bytes of blocks below which messages carry them; 0: always put"),
    ZERO_OR_FROM(throttle, 1, INT_MAX, OVERLAP_THROTTLE_AUTO,
                 "Messages with data that an aggregator has under way at the same time; 0: chosen"),
    BYTES_FROM(eager_bytes, 0, OVERLAP_EAGER_BYTES_DEFAULT,
               "Nonblocking calls: bytes of a file domain that its aggregator may hold; 0: as a blocking call"),
    ONE_OF(writer, writer, WRITER_AUTO, "Write engine of the aggregators; fbtl is that of Open MPI, auto takes thread"),
    ZERO_OR_FROM(slots, OVERLAP_SLOTS_MIN, OVERLAP_SLOTS_MAX, OVERLAP_SLOTS_AUTO,
                 "Sub-buffers that share the collective buffer; 0: chosen"),
    ONE_OF(partition, partition, PARTITION_EVEN,
           "How the file is cut into file domains: contiguous parts (even), or stripes in turn (static)"),
    ROW(placement, "Which ranks aggregate", .kind = PLACEMENT, .names = overlap_placement_names, .initial = "spread",
        .text_setting = SETTING(plugin)),
    ROW(topology, "How far apart nodes are, for the placements locality, lap, tapioca and plugins", .kind = TEXT,
        .initial = "flat", .is_valid = overlap_is_topology, .mca_only = true, .text_setting = SETTING(topology),
        .valid =
            "flat, hwloc, matrix:FILE, slurm:FILE, or the path of such a file; overlap placement hops makes a matrix of a "
            "torus, or of output of ibnetdiscover"),
    TEXT_OF(topology_bandwidths, "", overlap_is_topology_bandwidths,
            "numbers above 0, separated by commas, such as 1.25e9,5e8",
            "Bytes per second of the levels of links, the node's own first; empty: as the topology says"),
    TEXT_OF(storage_nodes, "", overlap_is_storage_nodes, "names separated by commas, such as oss1,oss2 or oss[1-4]",
            "Hosts or switches of the storage servers, for tapioca; empty: not known"),
    NUMBER_FROM(aggregators_per_node, 0, INT_MAX, 0, "Ranks of a node that aggregate at most; 0: no limit"),
    NUMBER_FROM(domains_per_rank, 1, 1 << 10, 1, "File domains that one rank may aggregate"),
    NUMBER_FROM(candidates_per_node, 0, INT_MAX, OVERLAP_CANDIDATES_PER_NODE_DEFAULT,
                "Ranks of a node that locality, lap and tapioca compare for a file domain; 0: all"),
    ONE_OF(holes, holes, HOLES_AUTO, "How data with gaps is written: each extent (list), or its range under a lock (sieve)"),
    ONE_OF(reads, transfers, TRANSFERS_AUTO,
           "Who reads in a collective read: the aggregators (collective), or each rank (independent)"),
    ONE_OF(writes, transfers, TRANSFERS_AUTO,
           "Who writes in a collective write: the aggregators (collective), or each rank (independent)"),
    ONE_OF(node_merge, node_merge, NODE_MERGE_OFF,
           "Whether the lowest rank of a node takes part in a collective call for all of its ranks"),
    PATH_OF(rules, "JSON file with the rules of the site, read by rank 0; empty: none"),
    ONE_OF(report, report, REPORT_OFF,
           "What rank 0 says of a file when it is closed: a page (text), or the same for programs (json)"),
    PATH_OF(report_file, "File that reports are added to; %p: process, %h: host of rank 0; empty: standard error"),
    PATH_OF(trace, "Timeline of the collective calls (Chrome trace events); %p, %h as for report_file; empty: none"),
    BYTES_FROM(trace_bytes, 1 << 10, OVERLAP_TRACE_BYTES_DEFAULT,
               "Bytes that a rank may hold of a file's timeline; events without room are counted"),
    {.name = "priority",
     .help = "Priority of the component; the default keeps it out until --mca fcoll overlap",
     .kind = NUMBER,
     .most = 1000,
     .value = DEFAULT_PRIORITY},
};

_Static_assert(sizeof(params) / sizeof(params[0]) <= MCA_FCOLL_OVERLAP_PARAMS, "a module has room for as many");

enum { PARAM_COUNT = sizeof(params) / sizeof(params[0]), PRIORITY = PARAM_COUNT - 1 /* no setting of a file */ };

const char *mca_fcoll_overlap_param_show(const param_t *param, const value_t *value, char number[16]) {
    if (TEXT == param->kind || (PLACEMENT == param->kind && OVERLAP_PLACEMENT_PLUGIN == value->number)) {
        return value->text;
    }
    if (NULL != param->names) {
        return param->names[value->number];
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
        used += (size_t)snprintf(text + used, size - used, "%s%d:%s", 0 == i ? "" : ", ", i, param->names[i]);
    }
    if (PLACEMENT == param->kind && used < size) {
        snprintf(text + used, size - used, ", or as an MCA parameter the path of a plugin (with a \"/\")");
    } else if (NULL == param->names) {
        snprintf(text, size, "%s%d to %d%s", param->zero_chooses ? "0 or " : "", param->least, param->most,
                 BYTES == param->kind ? " bytes (k, m, g: powers of 1024)" : "");
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

void mca_fcoll_overlap_param_complain(const param_t *param, const char *text, char *complaints, size_t size) {
    const size_t used = strlen(complaints);
    char valid[VALID_SIZE];

    list_values(param, valid, sizeof(valid));
    snprintf(complaints + used, size - used,
             "  Name:          fcoll_overlap_%s\n  Value:         \"%.200s\"\n  Valid values:  %s\n\n", param->name, text,
             valid);
}

/* Every parameter is a string for Open MPI: of a number it would make 0 of "abc", and of an enumeration it refuses to
 * register a value that it does not know, which leaves the job without the component. */
int mca_fcoll_overlap_register_params(void) {
    char complaints[COMPLAINTS_SIZE] = "";

    for (param_t *param = params; param < params + PARAM_COUNT; ++param) {
        char valid[VALID_SIZE], help[2 * VALID_SIZE];
        value_t value;

        if (NULL == param->initial) {
            param->initial = mca_fcoll_overlap_param_show(param, &(value_t){.number = param->value}, param->number);
        }
        param->text = (char *)param->initial; /* the variable system copies the default */
        list_values(param, valid, sizeof(valid));
        snprintf(help, sizeof(help), "%s; values: %s", param->help, valid);
        param->index = mca_base_component_var_register(&mca_fcoll_overlap_component.fcollm_version, param->name, help,
                                                       MCA_BASE_VAR_TYPE_STRING, NULL, 0, 0, OPAL_INFO_LVL_5,
                                                       MCA_BASE_VAR_SCOPE_READONLY, &param->text);
        if (param->index < 0) {
            return param->index;
        }
        param->used = NULL == param->text ? "" : param->text;
        if (!mca_fcoll_overlap_param_parse(param, param->used, &value)) {
            mca_fcoll_overlap_param_complain(param, param->used, complaints, sizeof(complaints));
            param->used = param->initial;
        }
    }
    if ('\0' != complaints[0]) {
        MCA_FCOLL_OVERLAP_HELP("wrong-parameters", complaints);
    }
    return OMPI_SUCCESS;
}

int mca_fcoll_overlap_priority(void) { return atoi(params[PRIORITY].used); }

const param_t *mca_fcoll_overlap_param(int i) { return i < PRIORITY ? &params[i] : NULL; }

/* Performance variables of a direction. The context of one is its number: those of writes come first, times behind counts.
 */
enum { VARIABLES = OVERLAP_COUNTS + OVERLAP_TIMES, DIRECTIONS = 2 };

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
