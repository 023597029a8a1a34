/*
 * The parameters: one table. Each row is an MCA parameter fcoll_overlap_<name> and, but for the priority, an info key of the
 * same name.
 */
#include "fcoll_overlap_params.h"

#include "opal/mca/base/mca_base_var.h"
#include "opal/util/output.h"

#include <limits.h>
#include <stdio.h>
#include <strings.h>

enum { MAX_ENUMERATORS = 16, DEFAULT_PRIORITY = 10 };

/* Whether a file is there shows when it is read. */
static int is_path(const char *text) {
    (void)text;
    return 1;
}

static param_t params[] = {
    {.name = "algorithm",
     .help = "Schedule that overlaps shuffle and write; auto takes dataflow between nodes (not with put-fence) and "
             "write-comm on one, none is the "
             "baseline without overlap",
     .kind = ENUMERATION,
     .names = overlap_algorithm_names,
     .value = OVERLAP_ALGORITHM_AUTO,
     .setting = SETTING(algorithm)},
    {.name = "shuffle",
     .help = "How the bytes travel to the aggregators; two-sided works on every network, and is what auto takes",
     .kind = ENUMERATION,
     .names = overlap_shuffle_names,
     .value = OVERLAP_SHUFFLE_AUTO,
     .setting = SETTING(shuffle)},
    {.name = "window_threshold",
     .help = "put-fence and put-lock: bytes that an aggregator has to write in one call before windows are made for a file",
     .kind = NUMBER,
     .most = INT_MAX,
     .value = OVERLAP_WINDOW_THRESHOLD_DEFAULT,
     .setting = SETTING(window_threshold)},
    {.name = "put_threshold",
     .help = "put-fence and put-lock: average bytes of the blocks to be put or got below which messages serve; 0: whatever "
             "their size",
     .kind = NUMBER,
     .most = INT_MAX,
     .value = OVERLAP_PUT_THRESHOLD_DEFAULT,
     .setting = SETTING(put_threshold)},
    {.name = "throttle",
     .help =
         "messages with data, of puts and gets words, that an aggregator has under way with its clients at the same time; "
         "fewer spare it memory and the network a crowd, more wait for nobody; 0: 64, but "
         "of data as many as have 8 MiB, from 8 to 64",
     .kind = NUMBER,
     .least = 1,
     .most = INT_MAX,
     .zero_chooses = true,
     .value = OVERLAP_THROTTLE_AUTO,
     .setting = SETTING(throttle)},
    {.name = "eager_bytes",
     .help =
         "Nonblocking calls: bytes of a file domain that its aggregator may hold, so that messages need not wait for the "
         "file; 0: what a blocking call takes",
     .kind = NUMBER,
     .most = INT_MAX,
     .value = OVERLAP_EAGER_BYTES_DEFAULT,
     .setting = SETTING(eager_bytes)},
    {.name = "writer",
     .help =
         "Write engine of the aggregators; fbtl is Open MPI's own and works on every file system, thread writes beside the "
         "MPI calls and is what auto takes, libaio and io_uring give the kernel writes that go past the page cache",
     .kind = ENUMERATION,
     .names = overlap_writer_names,
     .value = OVERLAP_WRITER_AUTO,
     .setting = SETTING(writer)},
    {.name = "slots",
     .help = "Sub-buffers that share the collective buffer (2 to 16; 0: chosen); every schedule but none uses them",
     .kind = NUMBER,
     .least = OVERLAP_SLOTS_MIN,
     .most = OVERLAP_SLOTS_MAX,
     .zero_chooses = true,
     .value = OVERLAP_SLOTS_AUTO,
     .setting = SETTING(slots)},
    {.name = "partition",
     .help =
         "How the file is cut into file domains; even gives each aggregator one contiguous, aligned part, static deals the "
         "stripes of the file in turn, so that each keeps to few storage targets",
     .kind = ENUMERATION,
     .names = overlap_partition_names,
     .value = OVERLAP_PARTITION_EVEN,
     .setting = SETTING(partition)},
    {.name = "placement",
     .help = "Which ranks aggregate: 0 ompio takes OMPIO's choice, 1 spread uses every node, 2 locality the ranks with most "
             "bytes "
             "of their own, 3 lap the fewest hop-bytes, 4 tapioca elects the cheapest; or the path of a plugin, with a "
             "\"/\" in it",
     .kind = PLACEMENT,
     .names = overlap_placement_names,
     .initial = "spread",
     .setting = SETTING(placement),
     .text_setting = SETTING(plugin)},
    {.name = "topology",
     .help = "How far apart nodes are, for the placements locality, lap, tapioca and plugins: flat (or hwloc), torus:AxBxC, "
             "matrix:FILE, or a file as Slurm's topology.conf or from ibnetdiscover",
     .kind = TEXT,
     .initial = "flat",
     .valid = "flat, hwloc, torus:AxBxC, matrix:FILE, slurm:FILE, ibnetdiscover:FILE, or the path of one of the last two",
     .is_valid = overlap_is_topology,
     .text_setting = SETTING(topology)},
    {.name = "topology_bandwidths",
     .help = "Bytes per second of a link between a node and its switch, of one between that and the next level, and so on, "
             "separated by commas; empty takes what the topology tells",
     .kind = TEXT,
     .initial = "",
     .valid = "numbers above 0, separated by commas, such as 1.25e9,5e8",
     .is_valid = overlap_is_topology_bandwidths,
     .text_setting = SETTING(topology_bandwidths)},
    {.name = "storage_nodes",
     .help = "Hosts or switches of the storage servers as the topology names them, separated by commas or as in Slurm, "
             "oss[1-4]; tapioca weighs the way to them; empty leaves it out",
     .kind = TEXT,
     .initial = "",
     .valid = "names separated by commas, such as oss1,oss2 or oss[1-4]",
     .is_valid = overlap_is_storage_nodes,
     .text_setting = SETTING(storage_nodes)},
    {.name = "aggregators_per_node",
     .help = "Ranks of a node that aggregate at most; 0 sets no limit",
     .kind = NUMBER,
     .most = INT_MAX,
     .setting = SETTING(aggregators_per_node)},
    {.name = "domains_per_rank",
     .help = "File domains that one rank may aggregate; more than 1 allows cb_nodes to be more than the ranks that may "
             "aggregate",
     .kind = NUMBER,
     .least = 1,
     .most = 1 << 10,
     .value = 1,
     .setting = SETTING(domains_per_rank)},
    {.name = "candidates_per_node",
     .help =
         "Ranks of a node that locality, lap and tapioca compare for a file domain, those with the most bytes first; more "
         "where the domains need more; 0 compares all, as the papers do",
     .kind = NUMBER,
     .most = INT_MAX,
     .value = OVERLAP_CANDIDATES_PER_NODE_DEFAULT,
     .setting = SETTING(candidates_per_node)},
    {.name = "holes",
     .help = "How a cycle with gaps between its extents is written; list writes each extent, sieve reads, merges and writes "
             "their "
             "range under a lock, auto sieves where the extents are small and close",
     .kind = ENUMERATION,
     .names = overlap_holes_names,
     .value = OVERLAP_HOLES_AUTO,
     .setting = SETTING(holes)},
    {.name = "reads",
     .help =
         "Who reads in a collective read: collective, the aggregators, who send each rank its bytes; independent, each rank "
         "what it asked for; auto, the aggregators, unless all ranks are on one node and read few or large pieces from "
         "a page cache",
     .kind = ENUMERATION,
     .names = overlap_transfers_names,
     .value = OVERLAP_TRANSFERS_AUTO,
     .setting = SETTING(reads)},
    {.name = "writes",
     .help =
         "Who writes in a collective write: collective, the aggregators, who get the bytes of each rank; independent, "
         "each rank its own; auto, the aggregators, unless all ranks are on one node, write few or large pieces to a page "
         "cache, and nothing was asked for that aggregators do",
     .kind = ENUMERATION,
     .names = overlap_transfers_names,
     .value = OVERLAP_TRANSFERS_AUTO,
     .setting = SETTING(writes)},
    {.name = "node_merge",
     .help = "Whether the lowest rank of each node takes part in a collective call for all ranks of the node, which hand it "
             "their bytes through shared memory: off; on; auto, for small pieces, once a call has "
             "shown that the clients of an aggregator are so many that their messages are most of what there is to wait for",
     .kind = ENUMERATION,
     .names = overlap_node_merge_names,
     .value = OVERLAP_NODE_MERGE_AUTO,
     .setting = SETTING(node_merge)},
    {.name = "node_leaders",
     .help =
         "Ranks of each node that take part in a collective call for others where node_merge merges them, each for ranks "
         "that follow it, so that not one processor handles all of a node's bytes; at most as many as there are; 0: 1, or "
         "more where node_merge is auto and one is measured to be slower than the network",
     .kind = NUMBER,
     .least = 1,
     .most = INT_MAX,
     .zero_chooses = true,
     .value = OVERLAP_NODE_LEADERS_AUTO,
     .setting = SETTING(node_leaders)},
    {.name = "rules",
     .help = "Path of a JSON file with the rules of the site, read by rank 0: the first that matches a call says what is "
             "chosen for it; empty for none",
     .kind = TEXT,
     .initial = "",
     .valid = "the path of a file",
     .is_valid = is_path,
     .text_setting = SETTING(rules)},
    {.name = "collect",
     .help = "Collective writes that return when their bytes are copied, for a later call to write them with its own: off; "
             "auto, up to the collective buffer of each aggregator, unless writes go to memory or a page cache of one node; "
             "or the bytes per aggregator",
     .kind = BYTES,
     .names = overlap_collect_names,
     .least = OVERLAP_COLLECT_LEAST,
     .most = INT_MAX,
     .initial = "off",
     .setting = SETTING(collect)},
    {.name = "collect_seconds",
     .help = "Seconds after which what was collected is written, as soon as MPI is called; 0: no limit",
     .kind = NUMBER,
     .most = INT_MAX,
     .value = OVERLAP_COLLECT_SECONDS_DEFAULT,
     .setting = SETTING(collect_seconds)},
    {.name = "declare",
     .help = "Collective writes of a file that belong together, again and again, and are written with the last of them: "
             "calls=N, or calls=N,bytes=B where a rank writes at most so many bytes in all of them; off for none",
     .kind = TEXT,
     .initial = "off",
     .valid = "off, calls=N or calls=N,bytes=B, such as calls=9,bytes=40m, with 1 to 4096 calls",
     .is_valid = overlap_is_declaration,
     .text_setting = SETTING(declare)},
    {.name = "report",
     .help = "What is said of a file when it is closed: off, nothing; text, a page of what was done with it, how long that "
             "took and what overlap gained; json, the same for programs",
     .kind = ENUMERATION,
     .names = overlap_report_names,
     .value = OVERLAP_REPORT_OFF,
     .setting = SETTING(report)},
    {.name = "report_file",
     .help = "Path of the file that reports are added to by rank 0, with %p for its process and %h for its host; empty for "
             "standard error",
     .kind = TEXT,
     .initial = "",
     .valid = "the path of a file",
     .is_valid = is_path,
     .text_setting = SETTING(report_file)},
    {.name = "trace",
     .help =
         "Path of a timeline of the job's collective calls, in Chrome's trace event format, written by rank 0; %p is its "
         "process id, %h its host; empty for none",
     .kind = TEXT,
     .initial = "",
     .valid = "the path of a file",
     .is_valid = is_path,
     .text_setting = SETTING(trace)},
    {.name = "trace_bytes",
     .help = "Bytes that a rank may hold of the timeline of a file between two collections; what finds no room is left out "
             "and counted",
     .kind = NUMBER,
     .least = 1 << 10,
     .most = INT_MAX,
     .value = OVERLAP_TRACE_BYTES_DEFAULT,
     .setting = SETTING(trace_bytes)},
    {.name = "progress_thread",
     .help =
         "1: a thread sees to nonblocking calls while there are any, in a program that asked for MPI_THREAD_MULTIPLE; 0: "
         "the program's own calls of MPI do",
     .kind = NUMBER,
     .most = 1,
     .value = 0,
     .setting = NOT_A_SETTING},
    {.name = "priority",
     .help = "Priority of the component; the default keeps it out until it is asked for with --mca fcoll overlap",
     .kind = NUMBER,
     .most = 1000,
     .value = DEFAULT_PRIORITY,
     .setting = NOT_A_SETTING},
};

_Static_assert(sizeof(params) / sizeof(params[0]) <= MCA_FCOLL_OVERLAP_PARAMS, "a module has room for as many");

enum { PARAM_COUNT = sizeof(params) / sizeof(params[0]), PRIORITY = PARAM_COUNT - 1, PROGRESS_THREAD = PARAM_COUNT - 2 };

static int create_enumeration(const param_t *param, mca_base_var_enum_t **enumeration) {
    mca_base_var_enum_value_t values[MAX_ENUMERATORS + 1];
    int count = 0;

    for (; NULL != param->names[count] && count < MAX_ENUMERATORS; ++count) {
        values[count].value = count;
        values[count].string = param->names[count];
    }
    values[count].value = 0;
    values[count].string = NULL;
    return mca_base_var_enum_create(param->name, values, enumeration);
}

static int register_param(param_t *param) {
    const bool is_text = NULL != param->initial;
    mca_base_var_enum_t *enumeration = NULL;
    int ret;

    param->index = -1;
    if (ENUMERATION == param->kind) {
        ret = create_enumeration(param, &enumeration);
        if (OPAL_SUCCESS != ret) {
            return ret;
        }
    }
    /* The variable system copies the default. */
    param->text = (char *)param->initial;
    ret = mca_base_component_var_register(&mca_fcoll_overlap_component.fcollm_version, param->name, param->help,
                                          is_text ? MCA_BASE_VAR_TYPE_STRING : MCA_BASE_VAR_TYPE_INT, enumeration, 0, 0,
                                          OPAL_INFO_LVL_5, MCA_BASE_VAR_SCOPE_READONLY,
                                          is_text ? (void *)&param->text : (void *)&param->value);
    if (NULL != enumeration) {
        OBJ_RELEASE(enumeration);
    }
    param->index = ret;
    return ret < 0 ? ret : OMPI_SUCCESS;
}

/* 5.0.7 unloads components that are still registered (mca_base_component_repository_release_internal looks for their
 * variables without the project's name and finds none), and later frees the texts of their variables where they were. */
__attribute__((destructor)) static void forget_texts(void) {
    for (int i = 0; i < PARAM_COUNT; ++i) {
        if (NULL != params[i].initial && NULL != params[i].text && params[i].index >= 0) {
            mca_base_var_deregister(params[i].index);
        }
    }
}

void mca_fcoll_overlap_param_valid(const param_t *param, char *text, size_t size) {
    size_t used = 0;
    if (NULL == param->names) {
        if (TEXT == param->kind) {
            snprintf(text, size, "%s", param->valid);
        } else {
            snprintf(text, size, "%s%d to %d", param->zero_chooses ? "0 or " : "", param->least, param->most);
        }
        return;
    }
    for (int i = 0; NULL != param->names[i] && used < size; ++i) {
        used += (size_t)snprintf(text + used, size - used, "%s%d:%s", 0 == i ? "" : ", ", i, param->names[i]);
    }
    if (PLACEMENT == param->kind && used < size) {
        snprintf(text + used, size - used, ", or the path of a plugin (with a \"/\")");
    }
    if (BYTES == param->kind && used < size) {
        snprintf(text + used, size - used, ", or a number of bytes from %d to %d", param->least, param->most);
    }
}

bool mca_fcoll_overlap_param_parse(const param_t *param, const char *text, value_t *value) {
    char *end = NULL;
    const long number = strtol(text, &end, 10);
    const bool is_number = end != text && '\0' == *end;

    *value = (value_t){0, ""};
    if (strlen(text) >= OVERLAP_TEXT_SIZE) {
        return false;
    }
    if (TEXT == param->kind) {
        value->text = text;
        return param->is_valid(text);
    }
    if (PLACEMENT == param->kind && NULL != strchr(text, '/')) {
        *value = (value_t){OVERLAP_PLACEMENT_PLUGIN, text};
        return true;
    }
    if (NULL == param->names) {
        value->number = (int)number;
        return is_number && ((number >= param->least && number <= param->most) || (param->zero_chooses && 0 == number));
    }
    for (int i = 0; NULL != param->names[i]; ++i) {
        if (0 == strcasecmp(text, param->names[i]) || (is_number && number == i)) {
            value->number = i;
            return true;
        }
    }
    value->number = (int)number;
    return BYTES == param->kind && is_number && number >= param->least && number <= param->most;
}

const char *mca_fcoll_overlap_param_text(const param_t *param, char *number, size_t size) {
    if (NULL != param->initial) {
        return NULL == param->text ? param->initial : param->text;
    }
    snprintf(number, size, "%d", param->value);
    return number;
}

int mca_fcoll_overlap_register_params(void) {
    for (int i = 0; i < PARAM_COUNT; ++i) {
        param_t *param = &params[i];
        const int initial = param->value;
        const int ret = register_param(param);
        char number[16], valid[256];
        const char *text;
        value_t value;
        if (OMPI_SUCCESS != ret) {
            return ret;
        }
        text = mca_fcoll_overlap_param_text(param, number, sizeof(number));
        if (!mca_fcoll_overlap_param_parse(param, text, &value)) {
            mca_fcoll_overlap_param_valid(param, valid, sizeof(valid));
            MCA_FCOLL_OVERLAP_HELP("bad-parameter", param->name, text, valid);
            param->value = initial;
            return OMPI_ERR_VALUE_OUT_OF_BOUNDS;
        }
    }
    return OMPI_SUCCESS;
}

int mca_fcoll_overlap_priority(void) { return params[PRIORITY].value; }

bool mca_fcoll_overlap_wants_progress_thread(void) { return 0 != params[PROGRESS_THREAD].value; }

const param_t *mca_fcoll_overlap_param(int i) { return i < PARAM_COUNT ? &params[i] : NULL; }
