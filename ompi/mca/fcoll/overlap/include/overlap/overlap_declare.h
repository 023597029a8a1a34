/*
 * SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The overlap project
 *
 * Declares collective writes of an MPI file, for the component fcoll/overlap of Open MPI. The next n blocking collective
 * writes of the file belong together, and so do the n after them, and so on. Each of them copies its bytes and returns
 * without a message between processes; the last one writes all bytes as one. For a program with two arrays, where `file` is
 * open for writing:
 *
 *     overlap_declared calls[2] = {{1, &positions}, {1, &speeds}};     // an overlap_declared_run of this process each
 *     overlap_declare(file, 2, calls);
 *     for (each step) {
 *         MPI_File_write_at_all(file, ...);     // the positions
 *         MPI_File_write_at_all(file, ...);     // the speeds; both are in the file now
 *     }
 *
 * The contract, from the first call of each n to the last:
 *
 * - A call writes the bytes that its process declared. The n calls may be further on in the file than declared: all calls of
 *   all processes by the same distance.
 * - No process accesses the declared range in another way: from the first declared byte of all processes to the last,
 *   further on by that distance. An independent access to it through this handle returns MPI_ERR_ACCESS on the process
 *   that makes it and does nothing. A process that has had no bytes in these n calls yet does not know the distance: there
 *   each independent access returns MPI_ERR_ACCESS. The same holds for an access by the shared file pointer unless the
 *   pointer is behind the range, and for one in a view that is not "native". Other accesses are done as usual.
 * - MPI_File_sync, MPI_File_close, MPI_File_set_size, MPI_File_preallocate, MPI_File_set_atomicity, a view that is not
 *   "native", and all collective reads and calls by the shared file pointer first write what is held. So does each process
 *   in a nonblocking collective call, and when it opens the file again. After a sync the range is free until the next call.
 * - MPI_File_get_size counts the bytes of this process that are held. MPI_File_seek from the end of the file writes them
 *   first, MPI_File_seek_shared those of all processes.
 * - A call that does not write what was declared, or from the memory of a device, is done by its process alone and at once;
 *   after the last of the n calls nothing is declared any more, and rank 0 prints a message.
 * - An error of held bytes is returned on all processes by the call that writes them. MPI_File_close cannot return it: the
 *   error handler of the file gets it, and rank 0 prints it to stderr.
 *
 * Nothing is declared, and all calls are done as usual, with any other component of Open MPI and any other MPI, under
 * MPI_THREAD_MULTIPLE, where a process has not the memory for its bytes, in atomic mode, and where the layouts of a process
 * take more than 16320 characters (a run takes about 25). C99 or C++; nothing is to be linked.
 */
#ifndef OVERLAP_DECLARE_H
#define OVERLAP_DECLARE_H

#include <mpi.h>

#include <stdio.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/* `count` blocks of `length` bytes of the file, whose starts are `stride` bytes apart, no less than `length`, from byte
 * `offset` of the file on, whatever its view. A count of 1 needs no stride. */
typedef struct overlap_declared_run {
    MPI_Offset offset, length, stride, count;
} overlap_declared_run;

/* What this process writes in a call: `count` runs, in any order; 0: nothing. */
typedef struct overlap_declared {
    int count;
    const overlap_declared_run *runs;
} overlap_declared;

/* The largest n. */
enum { OVERLAP_DECLARED_CALLS_MAX = 4096 };

/* Of the rest only overlap_declare is for programs. The layouts go to the component as values of info keys, which no hint
 * is: the component removes them when it has read them. */

enum { OVERLAP_DECLARED_KEYS = 64, OVERLAP_DECLARED_TEXT = 255 };

/* The layouts of all calls as text, cut into values of info keys. */
typedef struct overlap_declared_text {
    MPI_Info info;
    char part[OVERLAP_DECLARED_TEXT + 1];
    size_t length; /* of the part */
    int keys;      /* that the text takes; those beyond OVERLAP_DECLARED_KEYS are not in the info */
    int error;     /* the first that MPI returned */
} overlap_declared_text;

static inline void overlap_declared_end_part(overlap_declared_text *text) {
    char key[64];

    text->part[text->length] = '\0';
    text->length = 0;
    ++text->keys;
    snprintf(key, sizeof(key), "overlap_declared_writes_%d", text->keys);
    if (MPI_SUCCESS == text->error && text->keys <= OVERLAP_DECLARED_KEYS) {
        text->error = MPI_Info_set(text->info, key, text->part);
    }
}

static inline void overlap_declared_add(overlap_declared_text *text, const char *word) {
    for (; '\0' != *word; ++word) {
        if (OVERLAP_DECLARED_TEXT == text->length) {
            overlap_declared_end_part(text);
        }
        text->part[text->length++] = *word;
    }
}

/* The runs of all calls. MPI_ERR_ARG where one has no place in a file. */
static inline int overlap_declared_say(overlap_declared_text *text, int n, const overlap_declared *calls) {
    const MPI_Offset most = (MPI_Offset)(~0ULL >> 1);

    for (int call = 0; call < n; ++call) {
        const char *before = "";
        for (int i = 0; i < calls[call].count; ++i) {
            const overlap_declared_run *run = &calls[call].runs[i];
            const MPI_Offset stride = run->count > 1 ? run->stride : 0;
            char word[100];

            if (run->offset < 0 || run->length < 0 || run->count < 0) {
                return MPI_ERR_ARG;
            }
            if (run->length > 0 && run->count > 0) {
                if (run->length > most - run->offset ||
                    (run->count > 1 &&
                     (stride < run->length || run->count - 1 > (most - run->offset - run->length) / stride))) {
                    return MPI_ERR_ARG;
                }
                snprintf(word, sizeof(word), "%s%lld:%lld:%lld:%lld", before, (long long)run->offset, (long long)run->length,
                         (long long)stride, (long long)run->count);
                overlap_declared_add(text, word);
                before = ",";
            }
        }
        overlap_declared_add(text, ";");
    }
    if (text->length > 0) {
        overlap_declared_end_part(text);
    }
    return text->error;
}

/* Open MPI lets its components read the info that MPI_File_set_info got when the next view is set. */
static inline int overlap_declared_same_view(MPI_File file) {
    char representation[MPI_MAX_DATAREP_STRING + 1] = "";
    MPI_Datatype types[2];
    MPI_Offset displacement, position;
    int error = MPI_File_get_position(file, &position);

    if (MPI_SUCCESS == error) {
        error = MPI_File_get_view(file, &displacement, &types[0], &types[1], representation);
    }
    if (MPI_SUCCESS != error) {
        return error;
    }
    error = MPI_File_set_view(file, displacement, types[0], types[1], representation, MPI_INFO_NULL);
    if (MPI_SUCCESS == error) {
        error = MPI_File_seek(file, position, MPI_SEEK_SET);
    }
    for (int i = 0; i < 2; ++i) {
        int integers, addresses, datatypes, combiner;
        if (MPI_SUCCESS == MPI_Type_get_envelope(types[i], &integers, &addresses, &datatypes, &combiner) &&
            MPI_COMBINER_NAMED != combiner) {
            MPI_Type_free(&types[i]);
        }
    }
    return error;
}

/*
 * Collective over the processes of the file: the next n blocking collective writes by this handle are `calls`, and so are
 * the n after them, and so on. n = 0: no calls are declared any more; 1 has no effect. What is held is written first; the
 * next collective call returns its error. A split collective write is one of the n calls; a nonblocking one is not.
 *
 * Each process takes memory for the bytes that it declares. The file view and the individual file pointer stay as they are;
 * the shared file pointer goes to the start of the view. Declare once and not in each step: MPI may keep what each view was
 * made of until the file is closed. A hint that changes a setting of the component ends the declaration.
 *
 * Returns what MPI does, and MPI_ERR_ARG where n or a run is invalid; then nothing is declared on any process.
 */
static inline int overlap_declare(MPI_File file, int n, const overlap_declared *calls) {
    overlap_declared_text text;
    char value[16] = "invalid"; /* of this process; then nothing is declared on any process */
    int said = n < 0 || n > OVERLAP_DECLARED_CALLS_MAX ? MPI_ERR_ARG : MPI_SUCCESS;
    int error, same;

    memset(&text, 0, sizeof(text));
    error = MPI_Info_create(&text.info);
    if (MPI_SUCCESS != error) {
        return error;
    }
    if (MPI_SUCCESS == said) {
        said = overlap_declared_say(&text, n, calls);
    }
    if (MPI_SUCCESS == said && text.keys <= OVERLAP_DECLARED_KEYS) {
        snprintf(value, sizeof(value), "%d", text.keys);
    }
    /* A process that cannot declare takes part all the same, so that the others hear of it. Only where MPI has no memory for
     * an info or a view they wait for it in vain. */
    error = MPI_Info_set(text.info, "overlap_declared_writes", value);
    said = MPI_SUCCESS != said ? said : error;
    error = MPI_File_set_info(file, text.info);
    same = overlap_declared_same_view(file);
    MPI_Info_free(&text.info);
    return MPI_SUCCESS != said ? said : MPI_SUCCESS != error ? error : same;
}

#ifdef __cplusplus
}
#endif

#endif
