/*
 * SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The overlap project
 *
 * What belongs to an open file, for all of the glue. Its parts are in glue/, each with a header.
 */
#ifndef MCA_FCOLL_OVERLAP_H
#define MCA_FCOLL_OVERLAP_H

#include "fcoll_overlap_compat.h"

#include "engine/entry.h"

#include <pthread.h>
#include <sys/types.h>

/* For Open MPI, by its name, and for what registers variables. */
OMPI_DECLSPEC extern mca_fcoll_base_component_t mca_fcoll_overlap_component;

/* Whether nodes that write to a file see each other's bytes. */
typedef enum mca_fcoll_overlap_caches_t {
    MCA_FCOLL_OVERLAP_NOT_COHERENT = 0,
    MCA_FCOLL_OVERLAP_UNDER_A_LOCK, /* a node that takes a lock of the file sees what others wrote before */
    MCA_FCOLL_OVERLAP_COHERENT,
    MCA_FCOLL_OVERLAP_ONE_NODE /* everybody who can reach the file is on this node */
} mca_fcoll_overlap_caches_t;

/* A nonblocking call (glue/nonblocking/fiber.c). */
typedef struct mca_fcoll_overlap_fiber_t mca_fcoll_overlap_fiber_t;

/* At least as many as there are parameters. */
enum { MCA_FCOLL_OVERLAP_PARAMS = 32 };

/* The value of a parameter for a file, as it was put into its info; NULL: it was not. */
typedef struct mca_fcoll_overlap_hint_t {
    char *text;
    bool by_user; /* the user gave it by the parameter's own key */
} mca_fcoll_overlap_hint_t;

/* The component's state of one open file. It lives from the first selection for the file until the file is closed, although
 * OMPIO selects anew with every file view. */
typedef struct mca_fcoll_overlap_module_t {
    mca_fcoll_base_module_t super; /* first: OMPIO holds a pointer to it */
    struct mca_fcoll_overlap_module_t *next;
    ompio_file_t *fh;
    overlap_file_facts facts;      /* of rank 0, but for the list of OMPIO's aggregators, which is the last */
    uint64_t settings_hash, terms; /* hashes of the settings of the engine; of these, the facts and the list */
    overlap_settings own_settings; /* as this rank's hints and parameters have them */
    uint64_t own_hash, own_hints;  /* hashes of these, and of the info that they follow from */
    bool hints_shown;
    mca_fcoll_overlap_hint_t hints[MCA_FCOLL_OVERLAP_PARAMS];
    char wrong_hints[256];  /* that are ignored, as KEY=VALUE, ... */
    char *declaration;      /* of this rank, that the engine has not read (stages/declaration.h) */
    bool declaration_given; /* one came since the ranks agreed last; `declaration` is NULL if there was no memory */
    bool declares;          /* on some rank; agreed on: the next blocking collective write declares */
    bool other_handle;      /* this process has the file open by another handle as well: it holds no bytes */
    bool terms_taken;       /* by all ranks, whose engine has them */
    bool settings_agreed;   /* false after a new file view: its info may have changed settings and facts */
    overlap_file *engine;   /* NULL before the first collective call */
    overlap_nodes nodes; /* of all ranks, where nodes_found; what it points to is in the next, NULL where that is nothing */
    int *node_list;
    int nics; /* as overlap_transport has it, then too */
    bool nodes_found;
    char *locality;                   /* of this process, as overlap_transport has it */
    mca_fcoll_overlap_fiber_t *fiber; /* of the operation that is under way */
    overlap_counters counters[2];     /* by direction; of all engines of the file */
    int trace_handle;                 /* its number in timelines: the least that no other open file has */
    overlap_file *retired; /* an engine that is not used any more; its windows are all ranks' to free where they may wait */
    bool functions_replaced; /* of the file, by those of declared; OMPIO's are in the next */
    mca_fcoll_overlap_io_t io;
    size_t bytes_done;       /* of this rank, by the last blocking call; for glue/file/read_count.c */
    uint64_t call;           /* of the file, this rank's last one, as glue/file/current_call.c writes it */
    uint64_t entered_by_all; /* the last call that is known to have been entered by all ranks */
    ompi_request_t split;    /* of the split collective that has begun and not ended */
    ompi_file_t *file;       /* whose module it is; not to be touched here, as it may be closed */
    ompi_group_t *group;     /* its processes */
    bool may_write;          /* by its mode */
    dev_t device;            /* that the file is on; 0 where it has no descriptor, as the next */
    ino_t inode;
    const char *file_system;           /* its name; NULL before the first collective call */
    mca_fcoll_overlap_caches_t caches; /* where that is not NULL */
    bool can_be_read_and_locked;
    pthread_t caller;          /* in a blocking call: the thread that may let messages progress */
    pthread_mutex_t file_lock; /* held by the thread that has a lock of the whole file, or locks what it writes */
    int ompio_aggregators[];   /* room for one entry per rank, and one more for find_nodes */
} mca_fcoll_overlap_module_t;

/* fcoll_overlap_module.c, for the component: what OMPIO is offered for a file: functions, and nothing else until OMPIO has
 * chosen them. */
mca_fcoll_base_module_t *mca_fcoll_overlap_offer(ompio_file_t *fh);

/* fcoll_overlap_module.c, for the component: forgets the module of a file that is closed, if there is one. Collective. */
void mca_fcoll_overlap_module_release(ompio_file_t *fh);

/* fcoll_overlap_params.c, for glue/file/roll_call.c: the parameter roll_call; 0: off. */
int mca_fcoll_overlap_roll_call_seconds(void);

#ifdef OVERLAP_OUTSIDE_OF_TREE
/* compat/layout.c, for the component: whether the Open MPI that runs is of the series that this was compiled for and has the
 * same structs; if not a message says so. The first compares sizes. The second, once a file is opened, compares
 * the fields of its handle with what is known of the file. */
bool mca_fcoll_overlap_fits_release(void);
bool mca_fcoll_overlap_fits_file_handle(const ompio_file_t *fh);

/* compat/own_help.c, for the component: what is to be done before the first message. */
void mca_fcoll_overlap_find_help(void);
#endif

#endif
