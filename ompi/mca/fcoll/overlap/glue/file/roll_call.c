/*
 * SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The overlap project
 *
 * Roll call (fcoll_overlap_roll_call): where a collective call on a file has waited for so many seconds, one line on stderr
 * says which ranks are not in it. The call keeps waiting. Where the parameter is 0 nothing of this file runs but a look at
 * an empty list at close.
 *
 * Open MPI's progress, in which each wait of a collective call ends up, looks at which call the rank is in
 * (current_call.c), or which nonblocking one it has started that has not ended. A rank whose time is over asks all others,
 * by messages with a tag of their own. Each rank that makes progress in MPI answers, wherever it is. One that does not
 * answer is stopped or outside of MPI; it has been in the last agreement, so the call of that is known. Ranks ask in turn,
 * and one that was asked does not ask. The lowest rank that waits writes the line.
 */
#include "file.h"

#include "ompi/communicator/communicator.h"
#include "ompi/file/file.h"
#include "ompi/mca/pml/pml.h"
#include "ompi/request/request.h"
#include "opal/runtime/opal_progress.h"

#include <stdio.h>
#include <unistd.h>

#define NO_ANSWER UINT64_MAX

static unsigned long long number_of(uint64_t call) { return mca_fcoll_overlap_number_of_call(call); }

enum { TAG = 0x6f75 /* below those of glue/transport/messages.c */, LISTED = 8, LINE = 1400 };
typedef struct message_t {
    enum { ASK, ANSWER, REPORT } kind;
    uint64_t about; /* the call of the rank that asks; then the sender's, and the last one that it knows all have entered */
    uint64_t call, entered_by_all;
    char line[LINE]; /* to be reported; else not sent */
} message_t;

typedef struct roll_call_t {
    struct roll_call_t *next;
    mca_fcoll_overlap_module_t *module;
    ompi_communicator_t *comm; /* the file's; kept, as OMPIO may close a file without a word (modules.c) */
    int rank, size;
    uint64_t seen, reported; /* the call at the last look; the number of the last one that somebody asked about */
    double looked;           /* when the last look was */
    double since, asked;     /* when `seen` was first seen; when this rank asked, 0 where it does not */
    uint64_t entered;        /* the last call that all are known to have entered */
    uint64_t calls[];        /* of each rank, as it answered */
} roll_call_t;

static roll_call_t *roll_calls = NULL;
static pthread_mutex_t roll_calls_lock = PTHREAD_MUTEX_INITIALIZER;

static int free_message(ompi_request_t *request) {
    free(request->req_complete_cb_data);
    return 0;
}

/* What cannot be sent is not sent. A request that is complete may be one that sends share: it is not changed. */
static void post(const roll_call_t *roll, int peer, message_t message) {
    const size_t bytes = REPORT == message.kind ? sizeof(message) : offsetof(message_t, line);
    message_t *const copy = malloc(bytes);
    ompi_request_t *request = NULL;

    if (NULL != copy) {
        memcpy(copy, &message, bytes);
        MCA_PML_CALL(isend(copy, bytes, &ompi_mpi_byte.dt, peer, TAG, MCA_PML_BASE_SEND_STANDARD, roll->comm, &request));
    }
    if (NULL == request || REQUEST_COMPLETE(request)) {
        free(copy);
    } else {
        ompi_request_set_callback(request, free_message, copy);
    }
    if (NULL != request) {
        ompi_request_free(&request);
    }
}

static void print_line(const roll_call_t *roll, const char *line) {
    dprintf(STDERR_FILENO, "fcoll/overlap: %s: %s\n", roll->module->fh->f_filename, line);
}

/* The call that the rank is in, else the nonblocking one that it has started and that has not ended, else its last one. */
static uint64_t call_of(const mca_fcoll_overlap_module_t *module) {
    const uint64_t call = __atomic_load_n(&module->call, __ATOMIC_RELAXED);
    const uint64_t pending = call & MCA_FCOLL_OVERLAP_INSIDE_CALL ? 0 : mca_fcoll_overlap_operations_call(module);

    return 0 == pending ? call : pending;
}

static void handle_message(roll_call_t *roll, int source, const message_t *message) {
    const uint64_t call = call_of(roll->module);
    const uint64_t entered = __atomic_load_n(&roll->module->entered_by_all, __ATOMIC_RELAXED);
    /* A question that was here when this rank came back to MPI may be about a call that has ended. */
    const bool waits =
        call & MCA_FCOLL_OVERLAP_INSIDE_CALL && call == roll->seen && mca_fcoll_overlap_seconds() > roll->since + 0.1;
    const uint64_t reported = number_of(waits && call > message->about ? call : message->about);

    if (ASK == message->kind) {
        post(roll, source, (message_t){.kind = ANSWER, .about = message->about, .call = call, .entered_by_all = entered});
        roll->reported = reported > roll->reported ? reported : roll->reported;
        roll->asked = source < roll->rank ? 0 : roll->asked;
    } else if (REPORT == message->kind) {
        print_line(roll, message->line);
    } else if (roll->asked > 0 && message->about == roll->seen) {
        roll->calls[source] = message->call;
        roll->entered = message->entered_by_all > roll->entered ? message->entered_by_all : roll->entered;
    }
}

static void receive_all(roll_call_t *roll) {
    ompi_status_public_t status;
    message_t message;
    int found = 1;

    while (OMPI_SUCCESS == MCA_PML_CALL(iprobe(MPI_ANY_SOURCE, TAG, roll->comm, &found, &status)) && found) {
        if (OMPI_SUCCESS == MCA_PML_CALL(recv(&message, sizeof(message), &ompi_mpi_byte.dt, status.MPI_SOURCE, TAG,
                                              roll->comm, MPI_STATUS_IGNORE))) {
            handle_message(roll, status.MPI_SOURCE, &message);
        }
    }
}

static void ask(roll_call_t *roll, double now) {
    roll->asked = now;
    roll->reported = number_of(roll->seen);
    roll->entered = __atomic_load_n(&roll->module->entered_by_all, __ATOMIC_RELAXED);
    roll->calls[roll->rank] = roll->seen;
    for (int i = 1; i < roll->size; ++i) {
        const int rank = (roll->rank + i) % roll->size; /* those first that would ask next */
        roll->calls[rank] = NO_ANSWER;
        post(roll, rank, (message_t){.kind = ASK, .about = roll->seen});
    }
}

static size_t add_rank(const roll_call_t *roll, int rank, char *line, size_t room) {
    const uint64_t call = NO_ANSWER == roll->calls[rank] ? roll->entered : roll->calls[rank];
    char *const host = mca_fcoll_overlap_host_of(ompi_comm_peer_lookup(roll->comm, rank));
    const char *what = "is in MPI outside of the file's calls, its last one was";
    int length;

    if (NO_ANSWER == roll->calls[rank]) {
        what = number_of(call) == number_of(roll->seen)
                   ? "does not answer, and has entered"
                   : "does not answer (outside of MPI or stopped), its last call known is";
    } else if (call & MCA_FCOLL_OVERLAP_INSIDE_CALL) {
        what = "is in";
    } else if (number_of(call) == number_of(roll->seen)) {
        what = "has completed";
    }
    length = snprintf(line, room, "; rank %d on %s %s %s (call %llu)", rank, NULL == host ? "?" : host, what,
                      mca_fcoll_overlap_name_of_call(call), number_of(call));
    free(host);
    return length > 0 ? (size_t)length : 0;
}

/* The line goes to the lowest rank that waits in a call of this file. */
static void report_absent(roll_call_t *roll) {
    message_t message = {.kind = REPORT};
    char absent[LINE - 200] = ""; /* as much is before it */
    int there = 0, listed = 0, lowest = roll->rank;
    size_t used = 0;

    for (int rank = roll->size - 1; rank >= 0; --rank) {
        there += roll->seen == roll->calls[rank];
        lowest = NO_ANSWER != roll->calls[rank] && roll->calls[rank] & MCA_FCOLL_OVERLAP_INSIDE_CALL ? rank : lowest;
    }
    for (int rank = 0; rank < roll->size && listed < LISTED && used < sizeof(absent); ++rank) {
        if (roll->seen != roll->calls[rank]) {
            used += add_rank(roll, rank, absent + used, sizeof(absent) - used);
            ++listed;
        }
    }
    if (roll->size - there > listed && used < sizeof(absent)) {
        snprintf(absent + used, sizeof(absent) - used, "; %d more", roll->size - there - listed);
    }
    snprintf(message.line, LINE, "%s (call %llu of the file) has waited %d s: %d of %d ranks are in it%s",
             mca_fcoll_overlap_name_of_call(roll->seen), number_of(roll->seen), mca_fcoll_overlap_roll_call_seconds(), there,
             roll->size, absent);
    if (lowest == roll->rank) {
        print_line(roll, message.line);
    } else {
        post(roll, lowest, message);
    }
}

static void watch_call(roll_call_t *roll, double now) {
    const double for_turns = 0.3, for_answers = 0.4, away = 1; /* seconds */
    const uint64_t call = call_of(roll->module);
    const double turn = mca_fcoll_overlap_roll_call_seconds() + for_turns * roll->rank / roll->size;

    /* A program that computes while a nonblocking call is under way does not wait. */
    if (call != roll->seen || now - roll->looked > away) {
        roll->seen = call;
        roll->since = now;
        roll->asked = 0;
    }
    roll->looked = now;
    receive_all(roll);
    if (roll->asked > 0 && now - roll->asked >= for_answers) {
        roll->asked = 0;
        report_absent(roll);
    } else if (call & MCA_FCOLL_OVERLAP_INSIDE_CALL && number_of(call) > roll->reported && now - roll->since >= turn) {
        ask(roll, now);
    }
}

/* In Open MPI's progress, which its own messages make as well: then it does nothing. */
static int progress_roll_calls(void) {
    static double next = 0;
    const double now = mca_fcoll_overlap_seconds(), pause = 0.02;

    if (0 == pthread_mutex_trylock(&roll_calls_lock)) {
        for (roll_call_t *roll = now < next ? NULL : roll_calls; NULL != roll; roll = roll->next) {
            next = now + pause;
            watch_call(roll, now);
        }
        pthread_mutex_unlock(&roll_calls_lock);
    }
    return 0;
}

void mca_fcoll_overlap_roll_call_begin(mca_fcoll_overlap_module_t *module) {
    const size_t ranks = (size_t)module->fh->f_size;
    roll_call_t *roll;

    if (0 == mca_fcoll_overlap_roll_call_seconds() || 0 != (module->fh->f_flags & OMPIO_SHAREDFP_IS_SET) || 1 == ranks ||
        MCA_FCOLL_OVERLAP_IO_VERSION != module->file->f_io_version) {
        return;
    }
    roll = calloc(1, sizeof(*roll) + ranks * sizeof(roll->calls[0]));
    pthread_mutex_lock(&roll_calls_lock);
    mca_fcoll_overlap_watch_calls(module); /* also without memory: a close has a barrier then */
    if (NULL != roll) {
        const ompio_file_t *fh = module->fh;
        *roll =
            (roll_call_t){.next = roll_calls, .module = module, .comm = fh->f_comm, .rank = fh->f_rank, .size = fh->f_size};
        OBJ_RETAIN(roll->comm);
        if (NULL == roll_calls) {
            opal_progress_register_lp(progress_roll_calls);
        }
        roll_calls = roll;
    }
    pthread_mutex_unlock(&roll_calls_lock);
}

void mca_fcoll_overlap_roll_call_end(const mca_fcoll_overlap_module_t *module) {
    roll_call_t **link = &roll_calls, *ended;

    pthread_mutex_lock(&roll_calls_lock);
    while (NULL != *link && module != (*link)->module) {
        link = &(*link)->next;
    }
    ended = *link;
    if (NULL != ended) {
        receive_all(ended);
        OBJ_RELEASE(ended->comm);
        *link = ended->next;
        if (NULL == roll_calls) {
            opal_progress_unregister(progress_roll_calls);
        }
    }
    pthread_mutex_unlock(&roll_calls_lock);
    free(ended);
}
