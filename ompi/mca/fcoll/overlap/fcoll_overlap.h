/*
 * SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The overlap project
 *
 * The glue between Open MPI and the engine: what belongs to a file, and what the files of the glue offer each other.
 */
#ifndef MCA_FCOLL_OVERLAP_H
#define MCA_FCOLL_OVERLAP_H

#include "fcoll_overlap_compat.h"

#include "engine/entry.h"

#include "ompi/mca/fs/fs.h"
#include "opal/util/show_help.h"

#include <pthread.h>
#include <sys/types.h>

BEGIN_C_DECLS

OMPI_DECLSPEC extern mca_fcoll_base_component_t mca_fcoll_overlap_component;

/* What rank 0 tells the others. */
typedef struct mca_fcoll_overlap_terms_t {
    overlap_settings settings;
    overlap_file_facts facts;
    int ompio_aggregators[]; /* room for one entry per rank */
} mca_fcoll_overlap_terms_t;

/* Lines for the user that no thread but that of the MPI calls may say. */
enum { MCA_FCOLL_OVERLAP_NOTES = 8, MCA_FCOLL_OVERLAP_NOTE_SIZE = 512 };
typedef struct mca_fcoll_overlap_notes_t {
    pthread_mutex_t lock;
    int count;
    int more; /* that there was no room for */
    char texts[MCA_FCOLL_OVERLAP_NOTES][MCA_FCOLL_OVERLAP_NOTE_SIZE];
} mca_fcoll_overlap_notes_t;

typedef struct mca_fcoll_overlap_device_copies_t {
    mca_fcoll_overlap_copies_t copies; /* by the accelerator, where they are started together */
    enum { COPIES_UNKNOWN = 0, COPIES_TOGETHER, COPIES_ONE_BY_ONE } state;
    const void *under_way; /* an address on the device of what has not been waited for; NULL: there is nothing */
} mca_fcoll_overlap_device_copies_t;

/* Whether nodes that write to a file see each other's bytes. */
typedef enum mca_fcoll_overlap_caches_t {
    MCA_FCOLL_OVERLAP_NOT_COHERENT = 0,
    MCA_FCOLL_OVERLAP_UNDER_A_LOCK, /* a node that takes a lock of the file sees what others wrote before */
    MCA_FCOLL_OVERLAP_COHERENT,
    MCA_FCOLL_OVERLAP_ONE_NODE /* everybody who can reach the file is on this node */
} mca_fcoll_overlap_caches_t;

/* At least as many as there are parameters. */
enum { MCA_FCOLL_OVERLAP_PARAMS = 32 };

/* The component's state of one open file. It lives from the first selection for the file until the file is closed, although
 * OMPIO selects anew with every file view. */
typedef struct mca_fcoll_overlap_module_t {
    mca_fcoll_base_module_t super; /* first: OMPIO holds a pointer to it */
    struct mca_fcoll_overlap_module_t *next;
    ompio_file_t *fh;
    overlap_settings settings; /* of the engine, the same on all ranks */
    overlap_file_facts facts;  /* as rank 0 has them; what they point to is in the next */
    mca_fcoll_overlap_terms_t *terms;
    int *own_aggregators; /* behind those of the terms: OMPIO's, as this rank has them */
    bool hints_shown;
    char *published[MCA_FCOLL_OVERLAP_PARAMS]; /* in the info, of parameters for which the user gave no hint */
    char *given[MCA_FCOLL_OVERLAP_PARAMS];     /* by the user, of the others */
    char *declaration;                         /* of this rank, that the engine has not read (stages/declaration.h) */
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
    char *locality;                          /* of this process, as overlap_transport has it */
    struct mca_fcoll_overlap_fiber_t *fiber; /* of the operation that is under way */
    ompio_file_t for_fbtl;                   /* see storage */
    overlap_counters counters[2];            /* by direction; of all engines of the file */
    int trace_handle;                        /* where trace_named: the number of the file among the open ones */
    bool trace_named;
    overlap_file *retired; /* an engine that is not used any more; its windows are all ranks' to free where they may wait */
    bool functions_replaced; /* of the file, by those of declared; OMPIO's are in the next two */
    mca_fcoll_overlap_io_t io;
    mca_fs_base_module_t *fs_of_file;
    mca_fs_base_module_t fs; /* the file's own while the functions are replaced */
    ompi_request_t split;    /* of the split collective that has begun and not ended */
    bool blocking_said;      /* the user has been notified that this fbtl has no asynchronous write */
    ompi_file_t *file;       /* whose module it is; not to be touched here, as it may be closed */
    ompi_group_t *group;     /* its processes */
    bool may_write;          /* by its mode */
    bool for_shared_pointer; /* OMPIO's own handle, for a shared file pointer */
    bool file_known;         /* the next two are */
    dev_t device;            /* that the file is on */
    ino_t inode;
    mca_fcoll_overlap_caches_t caches; /* where nodes_found */
    bool can_be_read_and_locked;       /* where nodes_found */
    pthread_t caller;                  /* in a blocking call: the thread that may let messages progress */
    mca_fcoll_overlap_device_copies_t device_copies;
    mca_fcoll_overlap_notes_t notes;
    pthread_mutex_t file_lock; /* held by the thread that has a lock of the whole file, or locks what it writes */
} mca_fcoll_overlap_module_t;

/* trace: the functions of the host port for timelines, and the end of what they know of a module. */
void mca_fcoll_overlap_trace_functions(overlap_host *host);
void mca_fcoll_overlap_trace_forget(mca_fcoll_overlap_module_t *module);

/* pattern: %p becomes the process id, %h the name of the host, %% a %. False where `size` is too small for that. */
bool mca_fcoll_overlap_expand_pattern(const char *pattern, char *path, size_t size);

/* params: registers the MCA parameters. */
int mca_fcoll_overlap_register_params(void);
int mca_fcoll_overlap_priority(void);

/* hints: the settings of a file: MCA parameters, overruled by hints of others and these by the info keys of the component.
 * With `warns` a key with a bad value is reported by rank 0 and ignored. The values in use are put back into the info.
 * Local. */
void mca_fcoll_overlap_settings_of(ompio_file_t *fh, mca_fcoll_overlap_module_t *module, overlap_settings *settings,
                                   bool warns);

/* hints: takes what overlap_declare.h has put into the info of the file out of it; where it is `heard` the module keeps it
 * for the engine. Local. */
void mca_fcoll_overlap_take_declaration(ompio_file_t *fh, mca_fcoll_overlap_module_t *module, bool heard);

/* hints: lets those that the component knows last as long as the file, and show in its info. */
void mca_fcoll_overlap_keep_hints(ompio_file_t *fh);

/* module: what OMPIO is offered for a file: functions, and nothing else until OMPIO has chosen them. */
mca_fcoll_base_module_t *mca_fcoll_overlap_offer(ompio_file_t *fh);

/* module: forgets the module of a file that is closed, if there is one. Collective. */
void mca_fcoll_overlap_module_release(ompio_file_t *fh);

/* fiber: a nonblocking call, on a stack of its own. Make: NULL where there is no memory. Begin: takes no memory,
 * and enters nothing; the fiber has ended, or is new. Resume: enters it where what it waits for is there; whether it has
 * ended. */
typedef struct mca_fcoll_overlap_fiber_t mca_fcoll_overlap_fiber_t;
mca_fcoll_overlap_fiber_t *mca_fcoll_overlap_fiber_make(void);
void mca_fcoll_overlap_fiber_free(mca_fcoll_overlap_fiber_t *fiber);
void mca_fcoll_overlap_fiber_begin(mca_fcoll_overlap_fiber_t *fiber, void (*run)(void *argument), void *argument);
bool mca_fcoll_overlap_fiber_resume(mca_fcoll_overlap_fiber_t *fiber);

/* fiber: whether the caller is in one, and so must neither wait nor make progress; else it may do both. */
bool mca_fcoll_overlap_is_nonblocking(void);

/* fiber: lets messages and others progress, once; in a fiber by leaving it until it is resumed, and it is known whether that
 * is because of the file. */
void mca_fcoll_overlap_let_go_on(bool at_the_file);
bool mca_fcoll_overlap_fiber_is_at_the_file(const mca_fcoll_overlap_fiber_t *fiber);

/* fiber: something that was waited for is there. */
void mca_fcoll_overlap_advanced(void);
uint64_t mca_fcoll_overlap_fiber_advances(const mca_fcoll_overlap_fiber_t *fiber);

/* fiber: all ranks have come to what is done in it, and it takes about so many seconds from now on; elsewhere it
 * does nothing. What was set last, but at least a nanosecond; 0 before. */
void mca_fcoll_overlap_fiber_expects(double seconds);
double mca_fcoll_overlap_fiber_expected(const mca_fcoll_overlap_fiber_t *fiber);

/* fiber: leaves the fiber until the request is complete; elsewhere it does nothing. */
void mca_fcoll_overlap_await(ompi_request_t *request);

/* engine: opens that of the module, which is NULL where this rank has no memory for one. Collective at the first call after
 * each file view. Returns an overlap_error. */
int mca_fcoll_overlap_engine_open(ompio_file_t *fh, mca_fcoll_overlap_module_t *module);

/* engine: of a rank without a module, where others open theirs in a nonblocking call. Returns why it has none. */
int mca_fcoll_overlap_engine_refuse_nonblocking(const ompio_file_t *fh);

/* engine: closes it; `together`: all ranks do. */
void mca_fcoll_overlap_engine_close(mca_fcoll_overlap_module_t *module, bool together);

/* declared: the engine declares what the ranks have given. Collective, where all ranks have `declares`. */
void mca_fcoll_overlap_declare(mca_fcoll_overlap_module_t *module);

/* declared: replaces the functions of the file while declared writes need that, and gives them back afterwards. Local, after
 * each collective call. */
void mca_fcoll_overlap_declared_look(mca_fcoll_overlap_module_t *module);

/* declared: has this process write what it holds. Local. Returns an overlap_error, which all ranks return later. */
int mca_fcoll_overlap_declared_write_own(mca_fcoll_overlap_module_t *module);

/* declared: the same where no call will return the error: it goes to stderr. OMPIO has its own functions again. */
void mca_fcoll_overlap_declared_end(mca_fcoll_overlap_module_t *module);

/* declared: this process has opened the file by another handle (`open`), or has closed the last of them. While one is open
 * this process holds no bytes: it writes those that it holds now, and later ones in their calls. Local, on any process. To
 * be called before the other handle can access the file, and for a module that is made while one is open. */
void mca_fcoll_overlap_declared_other_handle(mca_fcoll_overlap_module_t *module, bool open);

/* module: that of an open file; NULL where it has none. */
mca_fcoll_overlap_module_t *mca_fcoll_overlap_module_in(const ompio_file_t *fh);

/* module: the first module of this process, each of which has the next; nobody changes the list until the end is called. */
mca_fcoll_overlap_module_t *mca_fcoll_overlap_modules_begin(void);
void mca_fcoll_overlap_modules_end(void);

/* engine: frees what nonblocking calls had to leave. Collective. */
void mca_fcoll_overlap_engine_free_retired(mca_fcoll_overlap_module_t *module);

/* engine: does the first of these accesses, and what all ranks can do with it, as overlap_file_transfer_pending does. */
int mca_fcoll_overlap_transfer_pending(mca_fcoll_overlap_module_t *module, overlap_direction direction,
                                       const overlap_access *const *accesses, size_t count, size_t *joined, size_t *done);

/* operation: starts a nonblocking call of all ranks, which runs in a fiber. It may progress in the start as long as others
 * answer within `patience` seconds, and, when all have come, for a part of the time that it is expected to take. Returns
 * an OMPI_* value or an MPI error class. */
typedef struct mca_fcoll_overlap_operation_t mca_fcoll_overlap_operation_t;
int mca_fcoll_overlap_operation_start(mca_fcoll_overlap_module_t *module, overlap_direction direction,
                                      const overlap_access *access, double patience, ompi_request_t **request);

/* operation: waits until all of a file have ended. Collective, as their starts were. */
void mca_fcoll_overlap_operations_wait(const mca_fcoll_overlap_module_t *module);

/* operation: whether any is under way. */
bool mca_fcoll_overlap_operations_pending(void);

/* operation: whether messages could bring any further, and not the I/O engines alone. */
bool mca_fcoll_overlap_operations_wait_for_messages(void);

/* operation: a file was closed. Where none is under way Open MPI's progress does not come here any more. No thread sees to
 * any. */
void mca_fcoll_overlap_operations_close(void);

/* operation: the file of the module is not to be touched any more: what is under way fails. */
void mca_fcoll_overlap_operations_give_up_file(mca_fcoll_overlap_module_t *module);

/* progress_thread: operations are under way; where the user asked for it a thread sees to them until there are none. */
void mca_fcoll_overlap_progress_thread_start(void);

/* progress_thread: where nothing is under way, waits until it has ended, if there is one. Open MPI may end then. */
void mca_fcoll_overlap_progress_thread_stop(void);

/* params: whether the user asked for a thread that sees to nonblocking calls. */
bool mca_fcoll_overlap_wants_progress_thread(void);

/* split: whether the request of an iwrite_all or iread_all is that of a split collective, which may be done at once. */
bool mca_fcoll_overlap_is_split(const ompio_file_t *fh, ompi_request_t *const *request);

/* split: of the module's own request. */
void mca_fcoll_overlap_split_construct(mca_fcoll_overlap_module_t *module);
void mca_fcoll_overlap_split_destruct(mca_fcoll_overlap_module_t *module);

/* split: a request that is complete, with this error class and count for the end to return. */
int mca_fcoll_overlap_split_done(mca_fcoll_overlap_module_t *module, int error, size_t bytes, ompi_request_t **request);

/* view: the file layout of the next `bytes` bytes at the file pointer, which points into the view of `fh`. */
void mca_fcoll_overlap_view_layout(ompio_file_t *fh, overlap_layout *layout);

/* view: whether the file pointer can be moved on by `bytes`: the tile of the view that it is in then begins below 2^63. */
bool mca_fcoll_overlap_view_holds(ompio_file_t *fh, size_t bytes);

/* view: moves the file pointer on by `bytes`, which the view holds. */
void mca_fcoll_overlap_view_advance(ompio_file_t *fh, size_t bytes);

/* device: whether the CPU may be unable to touch some of the access's memory, as far as its addresses tell; an error where
 * nothing else here reaches it either. */
void mca_fcoll_overlap_find_devices(const ompio_file_t *fh, overlap_access *access);

/* device: its functions of the host port, and the end of what they have with a module. */
void mca_fcoll_overlap_device_functions(overlap_host *host);
void mca_fcoll_overlap_device_forget(mca_fcoll_overlap_module_t *module);

/* close_report: what all ranks did with the file goes to where the user asks for it. Collective, before the engine is
 * closed. */
void mca_fcoll_overlap_close_report(mca_fcoll_overlap_module_t *module);

/* pvars: registers the counters with the MPI tool interface. */
void mca_fcoll_overlap_register_pvars(void);

/* module: what an open MPI file has counted, of writes and of reads; false where it has no module. From any thread. */
bool mca_fcoll_overlap_counters_of(const ompi_file_t *file, overlap_counters counters[2]);

/* host: of a clock that only goes forward. */
double mca_fcoll_overlap_seconds(void);

/* report: the overlap_error for what a call of Open MPI returned, with a line for the user who turned on verbose output;
 * `peer` is -1 where all ranks take part. */
int mca_fcoll_overlap_report(const ompio_file_t *fh, const char *call, int peer, int ret);

/* help: what is to be done before the first message. */
void mca_fcoll_overlap_find_help(void);

/* A message of help-fcoll-overlap.txt: its topic, and what its text leaves open. Threads with a file each may have one at
 * the same time, and 4.1 reads the texts with a scanner that the process has once: two threads in it end the job. */
extern pthread_mutex_t mca_fcoll_overlap_help_lock;
#ifdef MCA_FCOLL_OVERLAP_OWN_HELP
void mca_fcoll_overlap_help(const char *topic, ...);
#    define MCA_FCOLL_OVERLAP_SHOW(...) mca_fcoll_overlap_help(__VA_ARGS__)
#else
#    define MCA_FCOLL_OVERLAP_SHOW(topic, ...) opal_show_help("help-fcoll-overlap.txt", topic, true, __VA_ARGS__)
#endif
#define MCA_FCOLL_OVERLAP_HELP(...)                                                                                         \
    do {                                                                                                                    \
        pthread_mutex_lock(&mca_fcoll_overlap_help_lock);                                                                   \
        MCA_FCOLL_OVERLAP_SHOW(__VA_ARGS__);                                                                                \
        pthread_mutex_unlock(&mca_fcoll_overlap_help_lock);                                                                 \
    } while (0)

/* report: ends the job, with a message: a call failed that other ranks wait for, and would for ever. */
void mca_fcoll_overlap_give_up(const ompio_file_t *fh, const char *call, int peer, int ret);

/* collectives: over the communicator of the file. Each returns an overlap_error, and `name` is what messages call it.
 * Reduce: over all ranks, in place. Agree: of each value the largest, in place. Broadcast: from rank 0. Gather: the value of
 * each rank, on all of them. */
int mca_fcoll_overlap_reduce(const ompio_file_t *fh, const char *name, void *values, size_t count, MPI_Datatype type,
                             MPI_Op op);
int mca_fcoll_overlap_agree(const ompio_file_t *fh, int *values, size_t count);

/* collectives: the same of a rank that has no nonblocking call, with ranks that have one. */
int mca_fcoll_overlap_agree_nonblocking(const ompio_file_t *fh, int *values, size_t count);
int mca_fcoll_overlap_broadcast(const ompio_file_t *fh, void *data, size_t bytes);
int mca_fcoll_overlap_gather(const ompio_file_t *fh, int mine, int *all);

/* nodes: finds those of all ranks, and learns how many NICs they have. Collective. Returns an overlap_error. */
int mca_fcoll_overlap_find_nodes(mca_fcoll_overlap_module_t *module);

/* transport: fills the port over the communicator of the file, but for windows. */
void mca_fcoll_overlap_transport_open(mca_fcoll_overlap_module_t *module, overlap_transport *transport);

/* Fills in the memory of a node. */
void mca_fcoll_overlap_node_memory_open(overlap_transport *transport);

/* window: fills in the functions for windows. */
void mca_fcoll_overlap_window_functions(overlap_transport *transport);

/* pieces: a committed datatype, relative to address 0, for a list of pieces. Returns an OMPI_* value. */
int mca_fcoll_overlap_type_of_pieces(const overlap_piece *pieces, size_t count, ompi_datatype_t **type);

/* facts: what this rank knows of the file and of the hints on it. */
void mca_fcoll_overlap_facts_of(ompio_file_t *fh, overlap_file_facts *facts);

/* storage: fills the port over the fs and fbtl of the file; its facts are those of the module. */
void mca_fcoll_overlap_storage_open(mca_fcoll_overlap_module_t *module, overlap_storage *storage);

/* storage: sends what this process has written to the storage. Local. Returns an overlap_error. */
int mca_fcoll_overlap_flush(ompio_file_t *fh);

/* Linux transfers at most this much in one call (write(2)). */
#define MCA_FCOLL_OVERLAP_LARGEST_WRITE ((size_t)0x7ffff000)

/* posix: whether the file is written by POSIX calls on its descriptor. */
bool mca_fcoll_overlap_is_posix(const ompio_file_t *fh);

/* posix: whether each transfer of the file takes a lock: of all of it on NFS and where the user asks for it, of its range in
 * atomic mode. */
bool mca_fcoll_overlap_locks_writes(const ompio_file_t *fh);

/* Whether this process may make a file that long. Beyond its limit it gets a signal, which only a write that the program
 * asked for is to bring it. */
bool mca_fcoll_overlap_may_reach(int64_t end);

/* notes: keeps a line for the user who turned on verbose output. From any thread. */
void mca_fcoll_overlap_note(mca_fcoll_overlap_module_t *module, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* notes: says the lines. From the thread of the MPI calls. */
void mca_fcoll_overlap_say_notes(mca_fcoll_overlap_module_t *module);

/* posix: writes what is missing of an extent, of which `*done` bytes are in the file. Returns an overlap_error. */
int mca_fcoll_overlap_posix_finish(mca_fcoll_overlap_module_t *module, const overlap_extent *extent, size_t *done);

/* posix: bytes of the file; of what is no regular file the most that there can be. `fresh`: as the server has it. Returns an
 * overlap_error. */
int mca_fcoll_overlap_ask_for_size(const ompio_file_t *fh, bool fresh, int64_t *bytes);

/* posix: reads what is missing of an extent up to the end of the file, of which `*done` bytes are read. Returns an
 * overlap_error. */
int mca_fcoll_overlap_posix_finish_read(mca_fcoll_overlap_module_t *module, const overlap_extent *extent, size_t *done);

/* posix: a failed transfer, for the user who turned on verbose output. From any thread. */
void mca_fcoll_overlap_report_transfer(mca_fcoll_overlap_module_t *module, const char *call, const overlap_extent *extent,
                                       size_t done, const char *why);

/* posix: writes or reads the extents in order, all of them under one lock where the file needs one. Returns an
 * overlap_error. */
int mca_fcoll_overlap_posix_transfer(mca_fcoll_overlap_module_t *module, overlap_direction direction,
                                     const overlap_extent *extents, size_t count, size_t *done);

/* posix: writes without a lock. */
int mca_fcoll_overlap_posix_write_all(mca_fcoll_overlap_module_t *module, const overlap_extent *extents, size_t count,
                                      size_t *written);

/* posix: fills in posix_transfer. */
void mca_fcoll_overlap_posix_functions(overlap_storage *storage);

/* host: fills the port. */
void mca_fcoll_overlap_host_open(mca_fcoll_overlap_module_t *module, overlap_host *host);

/* sieve: fills in what data sieving needs: locks, reads, and the word that there will be some. */
void mca_fcoll_overlap_sieve_functions(overlap_storage *storage);

/* file_system: whether the nodes see each other's writes. Local. */
mca_fcoll_overlap_caches_t mca_fcoll_overlap_caches_of(const ompio_file_t *fh);

/* handles: whether a process of this call may write to the file by another handle while the call runs. Local. */
bool mca_fcoll_overlap_another_handle_may_write(mca_fcoll_overlap_module_t *module);

/* handles: a file was opened or closed, or writes were declared: tells those with declared writes whether this process has
 * their file open by another handle as well. Local. */
void mca_fcoll_overlap_update_other_handles(void);

/* handles: fills in what the module knows of its file, once, while the file is open. Local. */
void mca_fcoll_overlap_know_handle(mca_fcoll_overlap_module_t *module);

/* gaps: fills in whether gaps may be written back. */
void mca_fcoll_overlap_gaps_functions(overlap_storage *storage);

/* gaps: whether the descriptor and OMPIO allow to read back what lies in gaps, under a lock. The same while the file is
 * open: to ask in each call costs a system call and a search for a parameter by its name. */
bool mca_fcoll_overlap_can_be_read_and_locked(const ompio_file_t *fh);

/* file_system: fills in its name, `tells_size` and `remote`. Local; the facts of rank 0 count. */
void mca_fcoll_overlap_look_at_file_system(const ompio_file_t *fh, overlap_file_facts *facts);

/* descriptors: fills in what writers need that hand descriptors to the kernel. */
void mca_fcoll_overlap_descriptor_functions(overlap_storage *storage);

/* errors: the overlap_error for an errno, for what a function of Open MPI returns (an OMPI_ERR_* or an MPI error class), and
 * the MPI error class for an overlap_error. */
int mca_fcoll_overlap_error_of_errno(int error);
int mca_fcoll_overlap_error_of_ompi(int error);
int mca_fcoll_overlap_class_of_error(int error);

END_C_DECLS

#endif
