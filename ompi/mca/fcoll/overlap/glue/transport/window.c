/*
 * SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The overlap project
 *
 * The windows of the transport port, over the osc component that Open MPI chooses for each.
 */
#include "transport.h"

#include "ompi/datatype/ompi_datatype.h"
#include "ompi/info/info.h"
#include "ompi/mca/osc/osc.h"
#include "ompi/win/win.h"

#include <sys/mman.h>

/* To the engine a window is what it is here. */
static ompi_win_t *win_of(overlap_window *window) { return (ompi_win_t *)window; }

/* Both are promises that let osc components leave work out: no lock will be taken; memory need not be one piece over the
 * ranks of a node, which gives each rank pages of its own. */
static ompi_info_t *make_info(overlap_epochs epochs) {
    ompi_info_t *info = OBJ_NEW(ompi_info_t);

    if (NULL != info) {
        opal_info_set(&info->super, "no_locks", OVERLAP_EPOCHS_FENCE == epochs ? "true" : "false");
        opal_info_set(&info->super, "alloc_shared_noncontig", "true");
    }
    return info;
}

/* Open MPI's osc components may be asked for a window by one thread at a time only (5.0's ucx sets itself up in that
 * question without a lock), and this is a question to all ranks. A thread that waited for its turn could wait for ranks
 * whose threads came in another order, so nobody waits: the ranks agree on whether all of them have the lock. */
static opal_mutex_t making = OPAL_MUTEX_STATIC_INIT;

/* Whether this process can get so much memory now. */
static bool can_have(size_t bytes) {
    void *const memory = 0 == bytes ? NULL : mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (MAP_FAILED == memory) {
        return false;
    }
    if (NULL != memory) {
        munmap(memory, bytes);
    }
    return true;
}

/* What keeps a rank from making a window. */
enum { NOTHING = 0, NOT_NOW, NEVER };

/* Ranks agree on the greatest obstacle first: a rank that lacked something in the midst of making a window would leave the
 * others waiting inside of Open MPI. */
static int window_allocate(void *self, size_t bytes, overlap_epochs epochs, overlap_window **window, char **memory) {
    const ompio_file_t *fh = mca_fcoll_overlap_fh(self);
    const bool locked = 0 == opal_mutex_trylock(&making);
    ompi_info_t *info = make_info(epochs);
    const bool has_all = locked && NULL != info && can_have(bytes);
    int obstacle = !mca_fcoll_overlap_has_safe_windows(fh->f_comm) ? NEVER : has_all ? NOTHING : NOT_NOW;
    int error = mca_fcoll_overlap_agree(fh, &obstacle, 1);
    ompi_win_t *win = NULL;
    void *base = NULL;

    if (OVERLAP_SUCCESS == error && NEVER == obstacle) {
        error = OVERLAP_ERR_OTHER;
    } else if (OVERLAP_SUCCESS == error && NOTHING == obstacle) {
        const int ret = mca_fcoll_overlap_win_allocate(bytes, info, fh->f_comm, &base, &win);
        error = mca_fcoll_overlap_report(fh, "making a window", -1, ret);
    }
    *window = OVERLAP_SUCCESS == error ? (overlap_window *)win : NULL;
    *memory = NULL != *window && bytes > 0 ? base : NULL;
    if (locked) {
        opal_mutex_unlock(&making);
    }
    if (NULL != info) {
        OBJ_RELEASE(info);
    }
    return error;
}

static void window_free(void *self, overlap_window **window) {
    if (NULL != *window) {
        mca_fcoll_overlap_report(mca_fcoll_overlap_fh(self), "freeing a window", -1, ompi_win_free(win_of(*window)));
        *window = NULL;
    }
}

/* No put comes before an opening fence nor follows a closing one. No osc component makes anything of other assertions. */
static int window_fence(void *self, overlap_window *window, overlap_fence fence) {
    ompi_win_t *win = win_of(window);
    const int assertion = OVERLAP_FENCE_CLOSE == fence ? MPI_MODE_NOSUCCEED : MPI_MODE_NOPRECEDE;
    return mca_fcoll_overlap_report(mca_fcoll_overlap_fh(self), "a fence", -1, win->w_osc_module->osc_fence(assertion, win));
}

static int window_lock(void *self, overlap_window *window, int target) {
    ompi_win_t *win = win_of(window);
    return mca_fcoll_overlap_report(mca_fcoll_overlap_fh(self), "a lock", target,
                                    win->w_osc_module->osc_lock(MPI_LOCK_SHARED, target, 0, win));
}

static int window_unlock(void *self, overlap_window *window, int target) {
    ompi_win_t *win = win_of(window);
    return mca_fcoll_overlap_report(mca_fcoll_overlap_fh(self), "an unlock", target,
                                    win->w_osc_module->osc_unlock(target, win));
}

/* Walks through the blocks of a list of pieces. */
typedef struct walk_t {
    const overlap_piece *piece;
    size_t block; /* of the piece */
    size_t done;  /* bytes of the block */
} walk_t;

static void advance(walk_t *walk, size_t bytes) {
    walk->done += bytes;
    if (walk->done == walk->piece->length) {
        walk->done = 0;
        if (++walk->block == walk->piece->count) {
            walk->block = 0;
            ++walk->piece;
        }
    }
}

static char *address_of(const walk_t *walk) {
    return walk->piece->address + (ptrdiff_t)walk->block * walk->piece->stride + walk->done;
}

/* One for each run of bytes that is one block on both sides. A datatype would save little: osc rdma and ucx send each of its
 * blocks by itself (ompi_osc_rdma_master_noncontig, ddt_put_get), and blocks that are small on average are not put at all
 * (put_threshold). */
static int put(void *self, overlap_window *window, int target, const overlap_piece *pieces, size_t count,
               const overlap_piece *places, size_t place_count) {
    ompi_datatype_t *const byte = &ompi_mpi_byte.dt;
    ompi_win_t *const win = win_of(window);
    walk_t here = {.piece = pieces}, there = {.piece = places};
    int ret = OMPI_SUCCESS;

    while (OMPI_SUCCESS == ret && here.piece < pieces + count && there.piece < places + place_count) {
        const size_t left = here.piece->length - here.done, room = there.piece->length - there.done;
        const size_t bytes = left < room ? left : room;
        const mca_fcoll_overlap_count_t items = (mca_fcoll_overlap_count_t)bytes;
        const ptrdiff_t place = (ptrdiff_t)(intptr_t)address_of(&there);
        ret = win->w_osc_module->osc_put(address_of(&here), items, byte, target, place, items, byte, win);
        advance(&here, bytes);
        advance(&there, bytes);
    }
    return mca_fcoll_overlap_report(mca_fcoll_overlap_fh(self), "a put", target, ret);
}

void mca_fcoll_overlap_window_functions(overlap_transport *transport) {
    transport->window_allocate = window_allocate;
    transport->window_free = window_free;
    transport->window_fence = window_fence;
    transport->window_lock = window_lock;
    transport->window_unlock = window_unlock;
    transport->put = put;
}
