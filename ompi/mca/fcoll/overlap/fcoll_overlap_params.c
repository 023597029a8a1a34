/*
 * The parameters: one table. Each row is an MCA parameter fcoll_overlap_<name> and, but for the priority, an info key of the
 * same name.
 */
#include "fcoll_overlap.h"

#include "opal/mca/base/mca_base_var.h"
#include "opal/util/output.h"

#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <strings.h>

enum { MAX_ENUMERATORS = 16, DEFAULT_PRIORITY = 10 };

typedef enum kind_t { NUMBER, ENUMERATION, PLACEMENT, TEXT } kind_t;

typedef struct param_t {
    const char *name;
    const char *help;
    kind_t kind;
    const char *const *names;      /* of an enumeration and of a placement, which may be a path as well */
    int least, most;               /* of a number */
    bool zero_chooses;             /* a number may be 0 as well: nobody asks for one */
    int value;                     /* default, then what the user set; not of a text */
    size_t setting;                /* its place in overlap_settings, NOT_A_SETTING for none; of a path: text_setting */
    const char *initial;           /* default of a placement and of a text */
    const char *valid;             /* the values of a text, for a message */
    int (*is_valid)(const char *); /* of a text */
    size_t text_setting;
    char *text; /* what the user set; owned by the MCA variable system */
    int index;  /* in that system, less than 0 where it is not registered */
} param_t;

/* A value as it goes into overlap_settings. */
typedef struct value_t {
    int number;
    const char *text; /* of a placement that is a path, and of a text */
} value_t;

#define NOT_A_SETTING ((size_t)-1)
#define SETTING(field) offsetof(overlap_settings, field)

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
         "what it asked for; auto, the aggregators, unless all ranks are on one node and read large pieces from a page "
         "cache",
     .kind = ENUMERATION,
     .names = overlap_transfers_names,
     .value = OVERLAP_TRANSFERS_AUTO,
     .setting = SETTING(reads)},
    {.name = "writes",
     .help =
         "Who writes in a collective write: collective, the aggregators, who get the bytes of each rank; independent, "
         "each rank its own; auto, the aggregators, unless all ranks are on one node, write large pieces to a page cache, "
         "and nothing was asked for that aggregators do",
     .kind = ENUMERATION,
     .names = overlap_transfers_names,
     .value = OVERLAP_TRANSFERS_AUTO,
     .setting = SETTING(writes)},
    {.name = "rules",
     .help = "Path of a JSON file with the rules of the site, read by rank 0: the first that matches a call says what is "
             "chosen for it; empty for none",
     .kind = TEXT,
     .initial = "",
     .valid = "the path of a file",
     .is_valid = is_path,
     .text_setting = SETTING(rules)},
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

/* "least to most", the names, or what a text may be, for a message. */
static void valid_values(const param_t *param, char *text, size_t size) {
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
}

/* Whether `text` is a value of the parameter. `value` points into `text` where it is one itself. */
static bool parse(const param_t *param, const char *text, value_t *value) {
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
    return false;
}

/* What the MCA parameter says, as text; `number` is room for it. */
static const char *text_of(const param_t *param, char *number, size_t size) {
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
        text = text_of(param, number, sizeof(number));
        if (!parse(param, text, &value)) {
            valid_values(param, valid, sizeof(valid));
            MCA_FCOLL_OVERLAP_HELP("bad-parameter", param->name, text, valid);
            param->value = initial;
            return OMPI_ERR_VALUE_OUT_OF_BOUNDS;
        }
    }
    return OMPI_SUCCESS;
}

int mca_fcoll_overlap_priority(void) { return params[PRIORITY].value; }

bool mca_fcoll_overlap_wants_progress_thread(void) { return 0 != params[PROGRESS_THREAD].value; }

bool mca_fcoll_overlap_is_asked_for(void) {
    const char *selection = ompi_fcoll_base_framework.framework_selection;
    return DEFAULT_PRIORITY != params[PRIORITY].value || (NULL != selection && '\0' != selection[0]);
}

/* A value as an info key has it; `number` is that of a number. */
static const char *shown_value(const param_t *param, const value_t *value, const char *number) {
    if (TEXT == param->kind || (PLACEMENT == param->kind && OVERLAP_PLACEMENT_PLUGIN == value->number)) {
        return value->text;
    }
    return NULL == param->names ? number : param->names[value->number];
}

/* Hints of others that are parameters here, the stronger first. What says nothing but what is the default anyway is not
 * heard: 6.0 puts it into every info. */
static const struct {
    size_t setting;
    const char *key;
    const char *const *names;
    const char *yes, *no; /* NULL: not heard */
    int enable, disable;
} other_hints[] = {
    {SETTING(holes), "romio_ds_write", overlap_holes_names, "enable", "disable", OVERLAP_HOLES_SIEVE, OVERLAP_HOLES_LIST},
    {SETTING(reads), "romio_cb_read", overlap_transfers_names, "enable", "disable", OVERLAP_TRANSFERS_COLLECTIVE,
     OVERLAP_TRANSFERS_INDEPENDENT},
    {SETTING(writes), "romio_cb_write", overlap_transfers_names, "enable", "disable", OVERLAP_TRANSFERS_COLLECTIVE,
     OVERLAP_TRANSFERS_INDEPENDENT},
    {SETTING(reads), "collective_buffering", overlap_transfers_names, NULL, "false", 0, OVERLAP_TRANSFERS_INDEPENDENT},
    {SETTING(writes), "collective_buffering", overlap_transfers_names, NULL, "false", 0, OVERLAP_TRANSFERS_INDEPENDENT},
};

enum { OTHER_HINTS = sizeof(other_hints) / sizeof(other_hints[0]) };

static bool says(const char *hint, const char *word) { return NULL != word && NULL != hint && 0 == strcasecmp(hint, word); }

/* What the hints of others say of a parameter; NULL where they say nothing. */
static const char *value_of_others(const param_t *param, opal_info_t *info) {
    const char *value = NULL;

    for (size_t i = 0; i < OTHER_HINTS && NULL == value; ++i) {
        if (other_hints[i].setting == param->setting) {
            char *hint = mca_fcoll_overlap_info_get(info, other_hints[i].key);
            if (says(hint, other_hints[i].yes)) {
                value = other_hints[i].names[other_hints[i].enable];
            } else if (says(hint, other_hints[i].no)) {
                value = other_hints[i].names[other_hints[i].disable];
            }
            free(hint);
        }
    }
    return value;
}

/* The value that the user gave the parameter's own key; NULL where the key has what was put there by us. */
static char *hint_of_user(opal_info_t *info, const char *key, const char *published) {
    char *hint = mca_fcoll_overlap_info_get(info, key);

    if (NULL != hint && NULL != published && 0 == strcmp(hint, published)) {
        free(hint);
        hint = NULL;
    }
    return hint;
}

/* Puts what the info key of a parameter says, else what a hint of others or the MCA parameter says, into the settings, and
 * what counts back into the info. */
static void settle(const param_t *param, ompio_file_t *fh, overlap_settings *settings, char **published, bool warns) {
    opal_info_t *info = fh->f_info;
    char key[64], number[16];
    char *hint;
    const char *other = value_of_others(param, info);
    const char *text = NULL != other ? other : text_of(param, number, sizeof(number));
    value_t value;
    bool taken = false;

    parse(param, text, &value); /* valid since it was registered, or a name of its own */
    snprintf(key, sizeof(key), "fcoll_overlap_%s", param->name);
    hint = hint_of_user(info, key, *published);
    if (NULL != hint) {
        value_t wanted;
        taken = parse(param, hint, &wanted);
        if (taken) {
            value = wanted;
        } else if (0 == fh->f_rank && warns) {
            char valid[256];
            valid_values(param, valid, sizeof(valid));
            MCA_FCOLL_OVERLAP_HELP("bad-info-value", key, hint, fh->f_filename, valid);
        }
    }
    if (TEXT != param->kind) {
        /* Every such field of overlap_settings is an int or an enumeration, which has the size of one. */
        memcpy((char *)settings + param->setting, &value.number, sizeof(value.number));
        snprintf(number, sizeof(number), "%d", value.number);
    }
    if (NULL != param->initial) {
        snprintf((char *)settings + param->text_setting, OVERLAP_TEXT_SIZE, "%s", value.text);
    }
    /* A hint that cannot be taken stays until somebody has been told of it. */
    if (NULL != info && (NULL == hint || taken || warns)) {
        const char *shown = shown_value(param, &value, number);
        opal_info_set(info, key, shown);
        free(*published);
        *published = taken ? NULL : strdup(shown);
    }
    free(hint);
}

void mca_fcoll_overlap_keep_hints(ompio_file_t *fh) {
    static const char *const others[] = {"cb_config_list", "striping_unit", "striping_factor"};
    char key[64];

    for (int i = 0; i < PARAM_COUNT; ++i) {
        if (NOT_A_SETTING != params[i].setting) {
            snprintf(key, sizeof(key), "fcoll_overlap_%s", params[i].name);
            mca_fcoll_overlap_keep_hint(fh, key);
        }
    }
    for (size_t i = 0; i < OTHER_HINTS; ++i) {
        mca_fcoll_overlap_keep_hint(fh, other_hints[i].key);
    }
    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); ++i) {
        mca_fcoll_overlap_keep_hint(fh, others[i]);
    }
}

void mca_fcoll_overlap_settings_of(ompio_file_t *fh, mca_fcoll_overlap_module_t *module, overlap_settings *settings,
                                   bool warns) {
    char *hint = mca_fcoll_overlap_info_get(fh->f_info, "cb_config_list");

    memset(settings, 0, sizeof(*settings)); /* settings are compared byte by byte */
    for (int i = 0; i < PARAM_COUNT; ++i) {
        if (NOT_A_SETTING != params[i].setting) {
            settle(&params[i], fh, settings, &module->published[i], warns);
        }
    }
    if (NULL != hint) {
        snprintf(settings->config_list, sizeof(settings->config_list), "%s", hint);
    }
    free(hint);
}
