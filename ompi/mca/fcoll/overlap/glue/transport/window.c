/*
 * SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The overlap project
 *
 * The windows of the transport port, over the osc component that Open MPI chooses for each.
 */
#include "transport.h"
#include "nodes.h"

#include "ompi/datatype/ompi_datatype.h"
#include "ompi/info/info.h"
#include "ompi/mca/osc/osc.h"
#include "ompi/win/win.h"
#include "opal/mca/base/mca_base_var.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <unistd.h>

struct overlap_window {
    ompi_win_t *win;
    size_t bytes; /* of this rank */
};

/* Bytes of all windows that this process has, whose pages may not have been taken yet. */
static _Atomic int64_t bytes_of_windows = 0;

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

/* What keeps a rank from making a window. */
enum { NOTHING = 0, NOT_NOW, NEVER };

/* Whether this process can get so much memory, and a descriptor for a file of it, now. */
static bool can_have(size_t bytes) {
    void *const memory = mmap(NULL, bytes + 1, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    const int descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC);

    if (MAP_FAILED != memory) {
        munmap(memory, bytes + 1);
    }
    if (descriptor >= 0) {
        close(descriptor);
    }
    return MAP_FAILED != memory && descriptor >= 0;
}

/* Bytes that this process may write into one file. */
static int64_t largest_file(void) {
    struct rlimit most;

    return 0 == getrlimit(RLIMIT_FSIZE, &most) && most.rlim_cur < (rlim_t)INT64_MAX ? (int64_t)most.rlim_cur : INT64_MAX;
}

/* Bytes that files of windows may take on this node: osc sm and rdma keep the windows of a node in a file of this folder. */
static int64_t room_of_windows(void) {
    static const char *const components[] = {"sm", "rdma"};
    int64_t least = INT64_MAX;

    for (size_t i = 0; i < sizeof(components) / sizeof(components[0]); ++i) {
        const int index = mca_base_var_find("ompi", "osc", components[i], "backing_directory");
        const char *const *folder = NULL;
        struct statvfs system;
        if (index >= 0 && OPAL_SUCCESS == mca_base_var_get_value(index, &folder, NULL, NULL) && NULL != folder &&
            NULL != *folder && 0 == statvfs(*folder, &system)) {
            const int64_t room = (int64_t)(system.f_bavail * system.f_frsize);
            least = room < least ? room : least;
        }
    }
    return least;
}

/* With what Open MPI holds of windows besides, and parts of pages. */
static int64_t with_more(int64_t bytes) { return bytes + bytes / 16 + (INT64_C(1) << 20); }

/* Only the rank that makes the file learns that it has no room (segment_create, shmem_mmap_module.c, which asks for a
 * twentieth more), and returns while the others wait for it; later a page without room ends its process. So the ranks add up
 * what those of each node need. `needs` has two entries for each node: this window, and all. Ranks that are alone on theirs
 * have no file. Collective. */
static int agree_on_room(mca_fcoll_overlap_module_t *module, size_t bytes, int64_t *needs, int *obstacle) {
    const int node = mca_fcoll_overlap_node_of(&module->nodes, module->fh->f_rank);
    int error, agreed;

    if (module->nodes.count == module->fh->f_size) {
        return OVERLAP_SUCCESS;
    }
    needs[2 * node] = (int64_t)bytes;
    needs[2 * node + 1] = (int64_t)bytes + bytes_of_windows;
    error = mca_fcoll_overlap_allreduce(module, needs, 2 * (size_t)module->nodes.count, OVERLAP_REDUCE_SUM);
    *obstacle = OVERLAP_SUCCESS != error || with_more(needs[2 * node]) > largest_file() ||
                        with_more(needs[2 * node + 1]) > room_of_windows()
                    ? NEVER
                    : NOTHING;
    agreed = mca_fcoll_overlap_agree(module, obstacle, 1, false);
    return OVERLAP_SUCCESS == error ? agreed : error;
}

/* Ranks agree on the greatest obstacle first: a rank that lacked something in the midst of making a window would leave the
 * others waiting inside of Open MPI. */
static int window_allocate(void *self, size_t bytes, overlap_epochs epochs, overlap_window **window, char **memory) {
    mca_fcoll_overlap_module_t *const module = self;
    ompi_communicator_t *const comm = module->fh->f_comm;
    const bool locked = 0 == opal_mutex_trylock(&making);
    ompi_info_t *info = make_info(epochs);
    int64_t *const needs = calloc(2 * (size_t)module->nodes.count, sizeof(*needs));
    overlap_window *made = calloc(1, sizeof(*made));
    const bool has_all = locked && NULL != info && NULL != needs && NULL != made && can_have(bytes);
    int obstacle = !mca_fcoll_overlap_has_safe_windows(comm) ? NEVER : has_all ? NOTHING : NOT_NOW;
    int error = mca_fcoll_overlap_agree(self, &obstacle, 1, false);
    void *base = NULL;

    if (OVERLAP_SUCCESS == error && NOTHING == obstacle) {
        error = agree_on_room(module, bytes, needs, &obstacle);
    }
    if (OVERLAP_SUCCESS == error && NEVER == obstacle) {
        error = OVERLAP_ERR_OTHER;
    } else if (OVERLAP_SUCCESS == error && NOTHING == obstacle) {
        const int ret = mca_fcoll_overlap_win_allocate(bytes, info, comm, &base, &made->win);
        error = mca_fcoll_overlap_error_of_call(self, "making a window", -1, ret);
    }
    if (OVERLAP_SUCCESS == error && NOTHING == obstacle) {
        made->bytes = bytes;
        bytes_of_windows += (int64_t)bytes;
    } else {
        free(made);
        made = NULL;
    }
    *window = made;
    *memory = bytes > 0 ? base : NULL;
    free(needs);
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
        mca_fcoll_overlap_error_of_call(self, "freeing a window", -1, ompi_win_free((*window)->win));
        bytes_of_windows -= (int64_t)(*window)->bytes;
        free(*window);
        *window = NULL;
    }
}

/* No put comes before an opening fence nor follows a closing one. No osc component makes anything of other assertions. */
static int window_fence(void *self, overlap_window *window, overlap_fence fence) {
    const int assertion = OVERLAP_FENCE_CLOSE == fence ? MPI_MODE_NOSUCCEED : MPI_MODE_NOPRECEDE;
    ompi_win_t *const win = window->win;

    return mca_fcoll_overlap_error_of_call(self, "a fence", -1, win->w_osc_module->osc_fence(assertion, win));
}

static int window_lock(void *self, overlap_window *window, int target) {
    ompi_win_t *const win = window->win;
    return mca_fcoll_overlap_error_of_call(self, "a lock", target,
                                           win->w_osc_module->osc_lock(MPI_LOCK_SHARED, target, 0, win));
}

static int window_unlock(void *self, overlap_window *window, int target) {
    ompi_win_t *const win = window->win;
    return mca_fcoll_overlap_error_of_call(self, "an unlock", target, win->w_osc_module->osc_unlock(target, win));
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
    ompi_win_t *const win = window->win;
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
    return mca_fcoll_overlap_error_of_call(self, "a put", target, ret);
}

void mca_fcoll_overlap_window_functions(overlap_transport *transport) {
    transport->window_allocate = window_allocate;
    transport->window_free = window_free;
    transport->window_fence = window_fence;
    transport->window_lock = window_lock;
    transport->window_unlock = window_unlock;
    transport->put = put;
}
