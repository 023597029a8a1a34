/*
 * Says which collective writes of an MPI file come, for the component fcoll/overlap of Open MPI: the n blocking ones that
 * follow belong together, again and again. Each copies its bytes and returns, without a message between processes, and the
 * last of them has all of them written as one. Of a program with two arrays, `file` being open for writing:
 *
 *     overlap_declared calls[2] = {{1, &positions}, {1, &speeds}};     // overlap_declared_run of this process
 *     overlap_declare(file, 2, calls);
 *     for (each step) {
 *         MPI_File_write_at_all(file, ...);     // the positions
 *         MPI_File_write_at_all(file, ...);     // the speeds, and both are in the file
 *     }
 *
 * What is written otherwise than declared is written right all the same. The calls of a process may be further on in the
 * file than declared, all of them by one distance, which the first tells. What this says are hints (MPI_Info): any other
 * component of Open MPI, and any other MPI, does not heed them. C99 or C++; nothing is to be linked.
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

/* Calls that belong together, at most. */
enum { OVERLAP_DECLARED_CALLS_MAX = 4096 };

/* Of the rest only overlap_declare is for programs. */

enum { OVERLAP_DECLARED_KEYS = 8, OVERLAP_DECLARED_TEXT = 255 };

/* Layouts on their way into info keys, of which each takes a part of them. */
typedef struct overlap_declared_text {
    MPI_Info info;
    char part[OVERLAP_DECLARED_TEXT + 1];
    size_t length;
    int keys;  /* that are in the info */
    int error; /* the first of MPI */
} overlap_declared_text;

static inline void overlap_declared_end_part(overlap_declared_text *text) {
    char key[64];

    text->part[text->length] = '\0';
    text->length = 0;
    ++text->keys;
    snprintf(key, sizeof(key), "fcoll_overlap_declare_%d", text->keys);
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

/* All calls; adds up their bytes. MPI_ERR_ARG where they are no bytes of a file. */
static inline int overlap_declared_say(overlap_declared_text *text, int n, const overlap_declared *calls,
                                       unsigned long long *bytes) {
    const unsigned long long most = ~0ULL >> 1;

    for (int call = 0; call < n; ++call) {
        if (call > 0) {
            overlap_declared_add(text, ";");
        }
        const char *before = "";
        for (int i = 0; i < calls[call].count; ++i) {
            const overlap_declared_run *run = &calls[call].runs[i];
            const MPI_Offset stride = run->count > 1 ? run->stride : 0;
            char word[100];

            if (run->offset < 0 || run->length < 0 || run->count < 0) {
                return MPI_ERR_ARG;
            }
            if (0 == run->length || 0 == run->count) {
                continue;
            }
            if (run->count > 1 && stride < run->length) {
                return MPI_ERR_ARG;
            }
            if ((unsigned long long)run->length > (most - *bytes) / (unsigned long long)run->count) {
                return MPI_ERR_ARG;
            }
            *bytes += (unsigned long long)run->length * (unsigned long long)run->count;
            snprintf(word, sizeof(word), "%s%lld:%lld:%lld:%lld", before, (long long)run->offset, (long long)run->length,
                     (long long)stride, (long long)run->count);
            overlap_declared_add(text, word);
            before = ",";
        }
    }
    if (text->length > 0) {
        overlap_declared_end_part(text);
    }
    return text->error;
}

/* Open MPI hears hints of MPI_File_set_info with the next view. */
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
 * Collective over the processes of the file, with the same n, 1 to OVERLAP_DECLARED_CALLS_MAX: the blocking collective
 * writes to come by this handle, n of them, and then again. What earlier calls have left for later is in the file then, or
 * its error is returned by the next collective call. n = 0: nothing is declared any more.
 *
 * Each process has memory for the bytes that it declares, and holds them until the last call, or until something asks for
 * them (sync, close, a read, ...). Runs that take more than 2040 characters (two runs take about 50) are not told one by
 * one: the calls need no message either then, only their places are not known beforehand. The file view and the individual
 * file pointer stay as they are, the shared one goes to the start of the view. Declare once and not in each step: MPI may
 * keep what each view was made of until the file is closed. Where the first collective call after it is a nonblocking one
 * nothing is declared.
 *
 * Returns what MPI does; MPI_ERR_ARG, on this process alone, where n or a run is none: the others then agree with it on each
 * call, or, where it is the first process of the file, nothing is declared.
 */
static inline int overlap_declare(MPI_File file, int n, const overlap_declared *calls) {
    overlap_declared_text text;
    unsigned long long bytes = 0;
    char value[OVERLAP_DECLARED_TEXT + 1] = "off";
    int said = n < 0 || n > OVERLAP_DECLARED_CALLS_MAX ? MPI_ERR_ARG : MPI_SUCCESS;
    int error, same;

    memset(&text, 0, sizeof(text));
    error = MPI_Info_create(&text.info);
    if (MPI_SUCCESS != error) {
        return error;
    }
    if (MPI_SUCCESS == said && n > 0) {
        said = overlap_declared_say(&text, n, calls, &bytes);
        if (text.keys > OVERLAP_DECLARED_KEYS) {
            text.keys = 0;
        }
        /* The time tells this declaration from one before it that says the same. */
        snprintf(value, sizeof(value), "calls=%d,bytes=%llu,parts=%d,serial=%llu", n, bytes, text.keys,
                 (unsigned long long)(1e6 * MPI_Wtime()));
    }
    /* Who cannot declare takes part all the same: the others hear of it when they agree. Only where MPI has no memory left
     * for an info, or for a view, they wait for it in vain. */
    error = MPI_Info_set(text.info, "fcoll_overlap_declare", MPI_SUCCESS == said ? value : "off");
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
