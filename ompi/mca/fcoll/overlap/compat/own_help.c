/*
 * SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The overlap project
 *
 * Messages for the user in a build outside of the source trees of Open MPI, which have the texts: where 6.0 and later read
 * no help files, and where others do.
 */
#include "../glue/base/base.h"

#ifdef MCA_FCOLL_OVERLAP_OWN_HELP

#    include <pmix.h>
#    include <stdarg.h>
#    include <stdio.h>

static const char ruler[] = "--------------------------------------------------------------------------\n";

/* A topic and its text, in turn; made from the help file. */
static const char *const texts[] = {
#    include "help_texts.h"
};

enum { TEXTS = sizeof(texts) / sizeof(texts[0]), INFOS = 4 };

/* What PMIx may read until it has answered. */
typedef struct message_t {
    char *text;
    pmix_info_t infos[INFOS]; /* the text, and directives */
} message_t;

static void answered(pmix_status_t status, void *data) {
    message_t *message = data;

    if (PMIX_SUCCESS != status && PMIX_OPERATION_SUCCEEDED != status) {
        opal_output(0, "%s", message->text);
    }
    for (int i = 0; i < INFOS; ++i) {
        PMIX_INFO_DESTRUCT(&message->infos[i]);
    }
    free(message->text);
    free(message);
}

/* As Open MPI delivers its own: mpirun prints what several processes say once. Takes `text`. */
static void deliver(const char *topic, char *text) {
    message_t *message = PMIx_Initialized() ? calloc(1, sizeof(*message)) : NULL;
    pmix_status_t status;

    if (NULL == message) {
        opal_output(0, "%s", text);
        free(text);
        return;
    }
    message->text = text;
    PMIX_INFO_LOAD(&message->infos[0], PMIX_LOG_STDERR, text, PMIX_STRING);
    PMIX_INFO_LOAD(&message->infos[1], PMIX_LOG_AGG, NULL, PMIX_BOOL); /* NULL is true */
    PMIX_INFO_LOAD(&message->infos[2], PMIX_LOG_KEY, "help-fcoll-overlap.txt", PMIX_STRING);
    PMIX_INFO_LOAD(&message->infos[3], PMIX_LOG_VAL, topic, PMIX_STRING);
    status = PMIx_Log_nb(&message->infos[0], 1, &message->infos[1], INFOS - 1, answered, message);
    if (PMIX_SUCCESS != status) {
        answered(status, message);
    }
}

void mca_fcoll_overlap_help(const char *topic, ...) {
    char *body = NULL, *text = NULL;
    va_list arguments;
    size_t i = 0;

    while (i < TEXTS && 0 != strcmp(topic, texts[i])) {
        i += 2;
    }
    va_start(arguments, topic);
    if (i < TEXTS && vasprintf(&body, texts[i + 1], arguments) >= 0) {
        if (asprintf(&text, "%s%s%s", ruler, body, ruler) >= 0) {
            deliver(topic, text);
        }
        free(body);
    }
    va_end(arguments);
}

void mca_fcoll_overlap_find_help(void) {}

#elif defined(OVERLAP_OUTSIDE_OF_TREE)

#    include "help_dir.h"

#    include <stdio.h>

/* The component is installed under a prefix of its own, or copied into the folder where every Open MPI of a user looks for
 * components. */
void mca_fcoll_overlap_find_help(void) {
    const char *home = getenv("HOME");
    char directory[OPAL_PATH_MAX];

    opal_show_help_add_dir(OVERLAP_HELP_DIR);
    if (NULL != home && (size_t)snprintf(directory, sizeof(directory), "%s/.openmpi/components", home) < sizeof(directory)) {
        opal_show_help_add_dir(directory);
    }
}

#endif
