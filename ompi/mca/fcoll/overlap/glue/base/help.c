/*
 * SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The overlap project
 *
 * Messages for the user, by their topics in help-fcoll-overlap.txt: where Open MPI finds that file, and, where it reads
 * none, the messages themselves.
 */
#include "base.h"

#include <stdio.h>

pthread_mutex_t mca_fcoll_overlap_help_lock = PTHREAD_MUTEX_INITIALIZER;

#ifndef MCA_FCOLL_OVERLAP_OWN_HELP

#    ifdef OVERLAP_OUTSIDE_OF_TREE
#        include "help_dir.h"
#    endif

/* Beside Open MPI's own folder: outside of its source tree the component is installed under a prefix of its own, or copied
 * into the folder where every Open MPI of a user looks for components. */
void mca_fcoll_overlap_find_help(void) {
#    ifdef OVERLAP_OUTSIDE_OF_TREE
    const char *home = getenv("HOME");
    char directory[OPAL_PATH_MAX];

    opal_show_help_add_dir(OVERLAP_HELP_DIR);
    if (NULL != home && (size_t)snprintf(directory, sizeof(directory), "%s/.openmpi/components", home) < sizeof(directory)) {
        opal_show_help_add_dir(directory);
    }
#    endif
}

#else

#    include "opal/util/output.h"

#    include <pmix.h>
#    include <stdarg.h>

static const char ruler[] = "--------------------------------------------------------------------------\n";

/* A topic and its text, in turn; made from the help file. */
static const char *const texts[] = {
#    include "help_texts.h"
};

enum { TEXTS = sizeof(texts) / sizeof(texts[0]), DIRECTIVES = 3 };

/* What PMIx may read until it has answered. */
typedef struct message_t {
    char *text;
    pmix_info_t *info, *directives;
} message_t;

static void answered(pmix_status_t status, void *data) {
    message_t *message = data;

    if (PMIX_SUCCESS != status && PMIX_OPERATION_SUCCEEDED != status) {
        opal_output(0, "%s", message->text);
    }
    PMIX_INFO_FREE(message->info, 1);
    PMIX_INFO_FREE(message->directives, DIRECTIVES);
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
    PMIX_INFO_CREATE(message->info, 1);
    PMIX_INFO_CREATE(message->directives, DIRECTIVES);
    if (NULL == message->info || NULL == message->directives) {
        answered(PMIX_ERR_NOMEM, message);
        return;
    }
    PMIX_INFO_LOAD(&message->info[0], PMIX_LOG_STDERR, text, PMIX_STRING);
    PMIX_INFO_LOAD(&message->directives[0], PMIX_LOG_AGG, NULL, PMIX_BOOL); /* NULL is true */
    PMIX_INFO_LOAD(&message->directives[1], PMIX_LOG_KEY, "help-fcoll-overlap.txt", PMIX_STRING);
    PMIX_INFO_LOAD(&message->directives[2], PMIX_LOG_VAL, topic, PMIX_STRING);
    status = PMIx_Log_nb(message->info, 1, message->directives, DIRECTIVES, answered, message);
    if (PMIX_SUCCESS != status) {
        answered(status, message);
    }
}

void mca_fcoll_overlap_find_help(void) {}

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

#endif
