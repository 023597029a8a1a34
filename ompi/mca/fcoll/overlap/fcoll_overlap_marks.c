/*
 * The part of the storage port that tells whether somebody else can be writing to the file.
 *
 * Of the same handle: OMPIO's list of requests tells of independent writes under way; where several threads may call MPI,
 * one can start at any time.
 *
 * By other handles: each handle that can write marks itself by shared locks on bytes near 2^63, which no file reaches. Locks
 * are those of an open file, so that handles of one process see each other, and they go when the handle is closed, however
 * that happens. The bytes are
 *
 *     SIEVING            held while gaps that were read are still to be written back
 *     NAMELESS           by each rank of a handle from when it is opened on
 *     NAMED, SLOTS of    by each rank of a handle that writes collectively, in place of the last: a slot of its own, which
 *                        tells the handle's ranks from those of others
 *     WRITE_ONLY, SLOTS  in place of both where the descriptor cannot read, which the kernel asks of shared locks: each rank
 *                        takes one for itself alone
 *
 * A slot is found by rank 0, which takes an exclusive lock of one and turns it into a shared one, in one step of the kernel.
 *
 * To sieve, a rank locks SIEVING and then looks for marks of others; a rank that opens the file marks itself and then looks
 * for locks of SIEVING. The kernel puts these four in some order, so at least one of the two sees the other: either the
 * siever sees the mark, and does not sieve; or the opener sees that there is somebody who may not have seen it, and waits,
 * before its program can write by this handle, until nobody holds SIEVING. That wait ends: SIEVING is held by a thread that
 * waits for nothing but the storage meanwhile, and looks again before each chunk, where it sees the mark.
 *
 * A lock proves something only where all who can reach the file see it: on a file system of this node, or where a rank on
 * another node has seen it. It is no proof where somebody writes without Open MPI, or with another component for collective
 * writes that this one was not asked beside.
 */
#include "fcoll_overlap.h"

#include "ompi/mca/coll/coll.h"
#include "ompi/runtime/mpiruntime.h"
#include "opal/util/output.h"

#include <errno.h>
#include <fcntl.h>
#include <time.h>
#include <unistd.h>

enum { SLOTS = 4096 };

static const int64_t SIEVING = MCA_FCOLL_OVERLAP_MARKS;
static const int64_t NAMELESS = MCA_FCOLL_OVERLAP_MARKS + 1;
static const int64_t NAMED = MCA_FCOLL_OVERLAP_MARKS + 2;
static const int64_t WRITE_ONLY = MCA_FCOLL_OVERLAP_MARKS + 2 + SLOTS;
static const int64_t MARKS_END = MCA_FCOLL_OVERLAP_MARKS + 2 + 2 * SLOTS;

#ifdef F_OFD_SETLK

/* Returns 0 or an errno; never sleeps. */
static int set_lock(const ompio_file_t *fh, short type, int64_t begin, int64_t end) {
    struct flock lock = {.l_type = type, .l_whence = SEEK_SET, .l_start = (off_t)begin, .l_len = (off_t)(end - begin)};
    int ret;

    if (begin >= end) {
        return 0;
    }
    do {
        ret = fcntl(fh->fd, F_OFD_SETLK, &lock);
    } while (0 != ret && EINTR == errno);
    return 0 == ret ? 0 : errno;
}

/* Whether another open file holds a lock of any of these bytes. */
static bool is_locked(const ompio_file_t *fh, int64_t begin, int64_t end) {
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = (off_t)begin, .l_len = (off_t)(end - begin)};
    int ret;

    if (begin >= end) {
        return false;
    }
    do {
        ret = fcntl(fh->fd, F_OFD_GETLK, &lock);
    } while (0 != ret && EINTR == errno);
    return 0 != ret || F_UNLCK != lock.l_type;
}

/* The first slot to try: handles that are opened at the same time had better not all begin with the same. */
static int64_t first_slot(void) {
    struct timespec now = {0, 0};

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)(((uint64_t)getpid() * 2654435761U + (uint64_t)now.tv_nsec) % SLOTS);
}

/* Takes a slot of those from `begin` on that nobody else has; -1 where there is none to be had. */
static int64_t take_slot(const ompio_file_t *fh, int64_t begin) {
    const int64_t first = first_slot();

    for (int64_t i = 0; i < SLOTS; ++i) {
        const int64_t slot = begin + (first + i) % SLOTS;
        const int error = set_lock(fh, F_WRLCK, slot, slot + 1);
        if (0 == error) {
            return slot;
        }
        if (EAGAIN != error && EACCES != error) {
            return -1;
        }
    }
    return -1;
}

/* A lock of the whole file, as OMPIO takes it on NFS and where the user asks for it, would wait for the marks as well. Who
 * opens a file as the only one has nobody to tell. */
static bool takes_marks(const ompio_file_t *fh) {
    return mca_fcoll_overlap_is_posix(fh) && 0 == (fh->f_flags & OMPIO_LOCK_ENTIRE_FILE) &&
           0 == (fh->f_amode & (MPI_MODE_RDONLY | MPI_MODE_UNIQUE_OPEN));
}

bool mca_fcoll_overlap_marks_set(const ompio_file_t *fh) {
    static const struct timespec pause = {0, 50000};

    if (!takes_marks(fh)) {
        return false;
    }
    if (0 != set_lock(fh, F_RDLCK, NAMELESS, NAMELESS + 1) && -1 == take_slot(fh, WRITE_ONLY)) {
        return false;
    }
    while (is_locked(fh, SIEVING, SIEVING + 1)) {
        nanosleep(&pause, NULL);
    }
    return true;
}

/* Of rank 0: a slot with a shared lock, -1 where there is none. */
static int64_t find_slot(const mca_fcoll_overlap_module_t *module) {
    const ompio_file_t *fh = module->fh;
    const int64_t slot = module->marked ? take_slot(fh, NAMED) : -1;

    return -1 != slot && 0 == set_lock(fh, F_RDLCK, slot, slot + 1) ? slot : -1;
}

/* What all ranks have to say yes to. */
enum { SLOT_TAKEN, SLOT_SEEN, OF_THIS_NODE, QUESTIONS };

void mca_fcoll_overlap_marks_agree(mca_fcoll_overlap_module_t *module) {
    ompio_file_t *fh = module->fh;
    int64_t slot = 0 == fh->f_rank ? find_slot(module) : -1;
    int refused[QUESTIONS];
    int error;

    module->slot = -1;
    error = mca_fcoll_overlap_broadcast(fh, &slot, sizeof(slot));
    slot = OVERLAP_SUCCESS == error ? slot : -1;
    refused[SLOT_SEEN] = -1 == slot || (0 != fh->f_rank && !is_locked(fh, slot, slot + 1));
    refused[SLOT_TAKEN] = -1 == slot || (0 != fh->f_rank && (!module->marked || 0 != set_lock(fh, F_RDLCK, slot, slot + 1)));
    refused[OF_THIS_NODE] = !module->of_this_node;
    if (!refused[SLOT_TAKEN]) {
        set_lock(fh, F_UNLCK, NAMELESS, slot);
        set_lock(fh, F_UNLCK, slot + 1, MARKS_END);
    }
    /* The largest: whether any rank says no. */
    error = mca_fcoll_overlap_agree(fh, refused, QUESTIONS);
    if (OVERLAP_SUCCESS == error && !refused[SLOT_TAKEN] && !refused[SLOT_SEEN] &&
        (!refused[OF_THIS_NODE] || 1 < module->nodes.count)) {
        module->slot = slot;
    }
}

static bool others_have_it_open(const mca_fcoll_overlap_module_t *module) {
    return is_locked(module->fh, NAMELESS, module->slot) || is_locked(module->fh, module->slot + 1, MARKS_END);
}

static void stop_sieving(mca_fcoll_overlap_module_t *module) {
    pthread_mutex_lock(&module->marks_lock);
    if (0 == --module->sieving) {
        set_lock(module->fh, F_UNLCK, SIEVING, SIEVING + 1);
    }
    pthread_mutex_unlock(&module->marks_lock);
}

/* The lock is the handle's, whose threads share it. */
static bool start_sieving(mca_fcoll_overlap_module_t *module) {
    bool held = true;

    pthread_mutex_lock(&module->marks_lock);
    if (0 == module->sieving) {
        held = 0 == set_lock(module->fh, F_RDLCK, SIEVING, SIEVING + 1);
    }
    module->sieving += held;
    pthread_mutex_unlock(&module->marks_lock);
    return held;
}

#else

/* Without locks of an open file, handles of one process cannot see each other. */
bool mca_fcoll_overlap_marks_set(const ompio_file_t *fh) {
    (void)fh;
    return false;
}

void mca_fcoll_overlap_marks_agree(mca_fcoll_overlap_module_t *module) { module->slot = -1; }

static bool others_have_it_open(const mca_fcoll_overlap_module_t *module) {
    (void)module;
    return true;
}

static void stop_sieving(mca_fcoll_overlap_module_t *module) { (void)module; }

static bool start_sieving(mca_fcoll_overlap_module_t *module) {
    (void)module;
    return false;
}

#endif

static bool is_only_handle(const mca_fcoll_overlap_module_t *module) {
    return 0 != (module->fh->f_amode & MPI_MODE_UNIQUE_OPEN);
}

static void say_why_not(mca_fcoll_overlap_module_t *module, const char *why) {
    bool said;

    pthread_mutex_lock(&module->marks_lock);
    said = module->shared_said;
    module->shared_said = true;
    pthread_mutex_unlock(&module->marks_lock);
    if (!said) {
        mca_fcoll_overlap_note(module, "pieces with gaps between them are written one by one: %s; %s", why,
                               module->fh->f_filename);
    }
}

static int posix_keep_out(void *self) {
    mca_fcoll_overlap_module_t *module = self;

    if (is_only_handle(module)) {
        return 1;
    }
    if (-1 == module->slot || !start_sieving(module)) {
        say_why_not(module, "it cannot be known who else has the file open");
        return 0;
    }
    if (others_have_it_open(module)) {
        stop_sieving(module);
        say_why_not(module, "others have the file open for writing");
        return 0;
    }
    return 1;
}

static void posix_let_in(void *self) {
    mca_fcoll_overlap_module_t *module = self;

    if (!is_only_handle(module)) {
        stop_sieving(module);
    }
}

/* Requests of other files count as well: OMPIO does not say whose one is. */
static bool has_writes_under_way(void) {
    opal_list_item_t *item;

    OPAL_LIST_FOREACH(item, &mca_common_ompio_pending_requests, opal_list_item_t) {
        const mca_ompio_request_t *request = GET_OMPIO_REQ_FROM_ITEM(item);
        if (MCA_OMPIO_REQUEST_READ != request->req_type && MCA_OMPIO_REQUEST_READ_ALL != request->req_type &&
            !REQUEST_COMPLETE(&request->req_ompi)) {
            return true;
        }
    }
    return false;
}

/* The list of requests has no lock, so with threads it is not looked at. What the program does while a call goes on in
 * passing is not known either. */
static int others_may_write(void *self) {
    const mca_fcoll_overlap_module_t *module = self;

    return ompi_mpi_thread_multiple || mca_fcoll_overlap_in_passing() || module->fh->f_split_coll_in_use ||
           has_writes_under_way();
}

void mca_fcoll_overlap_marks_functions(overlap_storage *storage) {
    storage->others_may_write = others_may_write;
    storage->posix_keep_out = posix_keep_out;
    storage->posix_let_in = posix_let_in;
}
