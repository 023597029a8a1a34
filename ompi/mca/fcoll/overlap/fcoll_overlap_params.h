/*
 * SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The overlap project
 *
 * The table of parameters, for the files that read it.
 */
#ifndef MCA_FCOLL_OVERLAP_PARAMS_H
#define MCA_FCOLL_OVERLAP_PARAMS_H

#include "fcoll_overlap.h"

#include "opal/mca/base/mca_base_var.h"

#include <stddef.h>

typedef enum kind_t { NUMBER, ENUMERATION, PLACEMENT, BYTES, TEXT } kind_t;

/* Room for what is wrong with the parameters, or with the hints of a file. */
enum { COMPLAINTS_SIZE = 4096 };

/* A value as it goes into overlap_settings. */
typedef struct value_t {
    int number;
    const char *text; /* of a placement that is a path, and of a text */
} value_t;

typedef struct param_t {
    const char *name;
    const char *key; /* of the hint of the same name; NULL: no setting of a file */
    mca_base_var_info_lvl_t level;
    const char *help; /* the values are added to it: at most 100 characters together */
    kind_t kind;
    const char *const *names;      /* of an enumeration, and of a placement, which may be a path as well; NULL: of others */
    int least, most;               /* of a number, and of bytes */
    bool zero_chooses;             /* a number may be 0 as well: nobody asks for one */
    bool mca_only;                 /* it names a file: no info key sets it, and no info shows it */
    int value;                     /* default; not of a text */
    size_t setting;                /* its place in overlap_settings; a placement that is a path stands in plugin */
    const char *initial;           /* default as text; where the row has none it is made of `value` */
    char number[16];               /* room for that */
    const char *valid;             /* the values of a text, for a message */
    int (*is_valid)(const char *); /* of a text; NULL: any */
    char *text;                    /* what the user set, NULL for an empty value; owned by the MCA variable system */
    value_t given;                 /* the same, or the default where that is wrong */
    char given_number[16];         /* its number as text, as each file shows it */
    int index;                     /* in the variable system, less than 0 where it is not registered */
} param_t;

#define SETTING(field) offsetof(overlap_settings, field)

/* For the component: registers the MCA parameters; then, its priority; registers the performance variables. */
int mca_fcoll_overlap_register_params(void);
int mca_fcoll_overlap_priority(void);
void mca_fcoll_overlap_register_pvars(void);

/* What follows is for glue/file/hints.c. Row i of the table, from 0; NULL behind the last setting of files. */
const param_t *mca_fcoll_overlap_param(int i);

/* Whether `text` is a value of the parameter. `value` points into `text` where it is one itself, and may be anything where
 * it is none. The one parser of MCA parameters and of hints. */
bool mca_fcoll_overlap_param_parse(const param_t *param, const char *text, value_t *value);

/* The value as a user writes it; a number that is not the one of the MCA parameter stands in `number`. */
const char *mca_fcoll_overlap_param_show(const param_t *param, const value_t *value, char number[16]);

/* Add name, value and valid values to `complaints`, which has room for `size` characters: of a parameter, of any hint. */
void mca_fcoll_overlap_param_complain(const param_t *param, const char *text, char *complaints, size_t size);
void mca_fcoll_overlap_complain(const char *name, const char *value, const char *valid, char *complaints, size_t size);

#endif
