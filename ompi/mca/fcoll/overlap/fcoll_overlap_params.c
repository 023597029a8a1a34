/*
 * The parameters: one table. Each row is an MCA parameter fcoll_overlap_<name> and, but for the priority, an info key of the
 * same name.
 */
#include "fcoll_overlap.h"

#include "opal/mca/base/mca_base_var.h"
#include "opal/util/output.h"
#include "opal/util/show_help.h"

#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <strings.h>

enum { MAX_ENUMERATORS = 16 };

typedef struct param_t {
    const char *name;
    const char *help;
    const char *const *names; /* of an enumeration, else NULL */
    int least, most;          /* of a number */
    int value;                /* default, then what the user set */
    size_t setting;           /* its place in overlap_settings, NOT_A_SETTING for none */
} param_t;

#define NOT_A_SETTING ((size_t)-1)
#define SETTING(field) offsetof(overlap_settings, field)

static param_t params[] = {
    {"algorithm",
     "Schedule that overlaps shuffle and write; write-comm suits most files, none is the baseline without overlap",
     overlap_algorithm_names, 0, 0, OVERLAP_ALGORITHM_WRITE_COMM, SETTING(algorithm)},
    {"shuffle", "How the bytes travel to the aggregators; two-sided works on every network", overlap_shuffle_names, 0, 0,
     OVERLAP_SHUFFLE_TWO_SIDED, SETTING(shuffle)},
    {"window_threshold",
     "put-fence and put-lock: bytes that an aggregator has to write in one call before windows are made for a file", NULL, 0,
     INT_MAX, OVERLAP_WINDOW_THRESHOLD_DEFAULT, SETTING(window_threshold)},
    {"writer",
     "Write engine of the aggregators; fbtl is Open MPI's own and works on every file system, thread writes beside the MPI "
     "calls, libaio and io_uring give the kernel writes that go past the page cache",
     overlap_writer_names, 0, 0, OVERLAP_WRITER_FBTL, SETTING(writer)},
    {"slots", "Sub-buffers that share the collective buffer (2 to 16); every schedule but none uses them", NULL,
     OVERLAP_SLOTS_MIN, OVERLAP_SLOTS_MAX, OVERLAP_SLOTS_DEFAULT, SETTING(slots)},
    {"partition", "How the file is cut into file domains; even gives each aggregator one contiguous, aligned part",
     overlap_partition_names, 0, 0, OVERLAP_PARTITION_EVEN, SETTING(partition)},
    {"placement", "Which ranks aggregate; spread uses every node, ompio takes OMPIO's choice, for comparison with vulcan",
     overlap_placement_names, 0, 0, OVERLAP_PLACEMENT_SPREAD, SETTING(placement)},
    {"holes",
     "How a cycle with gaps between its extents is written; list writes each extent, sieve reads, merges and writes their "
     "range under a lock, auto sieves where the extents are small and close",
     overlap_holes_names, 0, 0, OVERLAP_HOLES_AUTO, SETTING(holes)},
    {"priority", "Priority of the component; the default keeps it out until it is asked for with --mca fcoll overlap", NULL,
     0, 1000, 10, NOT_A_SETTING},
};

enum { PARAM_COUNT = sizeof(params) / sizeof(params[0]), PRIORITY = PARAM_COUNT - 1 };

static int register_param(param_t *param) {
    mca_base_var_enum_value_t values[MAX_ENUMERATORS + 1];
    mca_base_var_enum_t *enumeration = NULL;
    int count = 0, ret;

    if (NULL != param->names) {
        for (; NULL != param->names[count] && count < MAX_ENUMERATORS; ++count) {
            values[count].value = count;
            values[count].string = param->names[count];
        }
        values[count].value = 0;
        values[count].string = NULL;
        ret = mca_base_var_enum_create(param->name, values, &enumeration);
        if (OPAL_SUCCESS != ret) {
            return ret;
        }
    }
    ret = mca_base_component_var_register(&mca_fcoll_overlap_component.fcollm_version, param->name, param->help,
                                          MCA_BASE_VAR_TYPE_INT, enumeration, 0, 0, OPAL_INFO_LVL_5,
                                          MCA_BASE_VAR_SCOPE_READONLY, &param->value);
    if (NULL != enumeration) {
        OBJ_RELEASE(enumeration);
    }
    return ret < 0 ? ret : OMPI_SUCCESS;
}

/* "least to most", or the names, for a message. */
static void valid_values(const param_t *param, char *text, size_t size) {
    size_t used = 0;
    if (NULL == param->names) {
        snprintf(text, size, "%d to %d", param->least, param->most);
        return;
    }
    for (int i = 0; NULL != param->names[i] && used < size; ++i) {
        used += (size_t)snprintf(text + used, size - used, "%s%d:%s", 0 == i ? "" : ", ", i, param->names[i]);
    }
}

int mca_fcoll_overlap_register_params(void) {
    for (int i = 0; i < PARAM_COUNT; ++i) {
        param_t *param = &params[i];
        const int initial = param->value;
        const int ret = register_param(param);
        if (OMPI_SUCCESS != ret) {
            return ret;
        }
        if (NULL == param->names && (param->value < param->least || param->value > param->most)) {
            char value[16], valid[256];
            snprintf(value, sizeof(value), "%d", param->value);
            valid_values(param, valid, sizeof(valid));
            opal_show_help("help-fcoll-overlap.txt", "bad-parameter", true, param->name, value, valid);
            param->value = initial;
            return OMPI_ERR_VALUE_OUT_OF_BOUNDS;
        }
    }
    return OMPI_SUCCESS;
}

int mca_fcoll_overlap_priority(void) { return params[PRIORITY].value; }

/* Whether `text` is a name or a number of the parameter. */
static bool parse(const param_t *param, const char *text, int *value) {
    char *end = NULL;
    const long number = strtol(text, &end, 10);
    const bool is_number = end != text && '\0' == *end;

    if (NULL == param->names) {
        *value = (int)number;
        return is_number && number >= param->least && number <= param->most;
    }
    for (int i = 0; NULL != param->names[i]; ++i) {
        if (0 == strcasecmp(text, param->names[i]) || (is_number && number == i)) {
            *value = i;
            return true;
        }
    }
    return false;
}

/* What a hint of ROMIO says of a parameter, else what the MCA parameter says. */
static int value_without_key(const param_t *param, ompio_file_t *fh) {
    int value = param->value;

    if (SETTING(holes) == param->setting) {
        char *hint = mca_fcoll_overlap_info_get(fh->f_info, "romio_ds_write");
        if (NULL != hint && 0 == strcasecmp(hint, "enable")) {
            value = OVERLAP_HOLES_SIEVE;
        } else if (NULL != hint && 0 == strcasecmp(hint, "disable")) {
            value = OVERLAP_HOLES_LIST;
        }
        free(hint);
    }
    return value;
}

/* What the info key of a parameter says, else what there is without it. */
static int value_for_file(const param_t *param, ompio_file_t *fh, const char *key) {
    const int without = value_without_key(param, fh);
    int value = without;
    char *text = mca_fcoll_overlap_info_get(fh->f_info, key);

    if (NULL != text && !parse(param, text, &value)) {
        value = without;
        if (0 == fh->f_rank) {
            char valid[256];
            valid_values(param, valid, sizeof(valid));
            opal_show_help("help-fcoll-overlap.txt", "bad-info-value", true, key, text, fh->f_filename, valid);
        }
    }
    free(text);
    return value;
}

void mca_fcoll_overlap_settings_of(ompio_file_t *fh, overlap_settings *settings) {
    for (int i = 0; i < PARAM_COUNT; ++i) {
        const param_t *param = &params[i];
        char key[64], number[16];
        int value;
        if (NOT_A_SETTING == param->setting) {
            continue;
        }
        snprintf(key, sizeof(key), "fcoll_overlap_%s", param->name);
        value = value_for_file(param, fh, key);
        /* Every field of overlap_settings is an int or an enumeration, which has the size of one. */
        memcpy((char *)settings + param->setting, &value, sizeof(value));
        if (NULL != fh->f_info) {
            snprintf(number, sizeof(number), "%d", value);
            opal_info_set(fh->f_info, key, NULL == param->names ? number : param->names[value]);
        }
    }
}
