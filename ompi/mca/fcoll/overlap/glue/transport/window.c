/*
 * SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The overlap project
 *
 * The windows of the transport port, over the osc component that Open MPI chooses for each.
 */
#include "transport.h"

#include "ompi/communicator/communicator.h"
#include "ompi/datatype/ompi_datatype.h"
#include "ompi/info/info.h"
#include "ompi/mca/osc/osc.h"
#include "ompi/win/win.h"
#include "opal/mca/base/mca_base_var.h"

#include <sys/mman.h>

static ompio_file_t *file_of(void *self) { return ((mca_fcoll_overlap_module_t *)self)->fh; }

struct overlap_window {
    ompi_win_t *win;
    bool is_target; /* this rank has memory in it */
};

/* Both are promises that let osc components leave work out: no lock will be taken; memory need not be one piece over the
 * ranks of a node, which gives each rank pages of its own. */
static int make_info(overlap_epochs epochs, ompi_info_t **info) {
    *info = OBJ_NEW(ompi_info_t);
    if (NULL == *info) {
        return OMPI_ERR_OUT_OF_RESOURCE;
    }
    opal_info_set(&(*info)->super, "no_locks", OVERLAP_EPOCHS_FENCE == epochs ? "true" : "false");
    opal_info_set(&(*info)->super, "alloc_shared_noncontig", "true");
    return OMPI_SUCCESS;
}

/* The priority of 4.1's osc rdma, NULL on other versions and where it is not there. */
static unsigned *rdma_priority(void) {
#if OMPI_MAJOR_VERSION < 5
    const unsigned *priority = NULL;
    const int index = mca_base_var_find("ompi", "osc", "rdma", "priority");
    if (index >= 0 && OPAL_SUCCESS == mca_base_var_get_value(index, &priority, NULL, NULL)) {
        return (unsigned *)priority;
    }
#endif
    return NULL;
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

/* All that a rank needs to take part in making a window. A rank that found none in the midst of it would leave the others
 * waiting inside of Open MPI. */
typedef struct means_t {
    bool locked;
    ompi_info_t *info;
    overlap_window *window;
} means_t;

static void give_back(means_t *means) {
    if (means->locked) {
        opal_mutex_unlock(&making);
    }
    if (NULL != means->info) {
        OBJ_RELEASE(means->info);
    }
    free(means->window);
}

/* Collective. `*all` is whether all ranks have them. */
static int gather_means(void *self, size_t bytes, overlap_epochs epochs, means_t *means, bool *all) {
    int missing, error;

    *means = (means_t){.locked = 0 == opal_mutex_trylock(&making), .window = calloc(1, sizeof(*means->window))};
    missing =
        OMPI_SUCCESS == make_info(epochs, &means->info) && means->locked && NULL != means->window && can_have(bytes) ? 0 : 1;
    error = mca_fcoll_overlap_agree(file_of(self), &missing, 1);
    *all = OVERLAP_SUCCESS == error && 0 == missing;
    return error;
}

/* 4.1's osc rdma names its shared memory after the number of the communicator, which disjoint communicators of one node may
 * share, and then maps the same memory for both; over TCP it cannot make a window at all. It is taken only where nothing
 * else serves, that is, where the user names it (--mca osc rdma). */
static int allocate_without_rdma(size_t bytes, opal_info_t *info, ompi_communicator_t *comm, void **base, ompi_win_t **win) {
    unsigned *const priority = rdma_priority();
    const unsigned usual = NULL == priority ? 0 : *priority;
    int ret;

    if (NULL != priority) {
        *priority = 0;
    }
    ret = ompi_win_allocate(bytes, 1, info, comm, base, win);
    if (NULL != priority) {
        *priority = usual;
    }
    return ret;
}

static int window_allocate(void *self, size_t bytes, overlap_epochs epochs, overlap_window **window, char **memory) {
    means_t means;
    void *base = NULL;
    bool all = false;
    int error;

    *window = NULL;
    *memory = NULL;
    error = gather_means(self, bytes, epochs, &means, &all);
    if (all) {
        const int ret = allocate_without_rdma(bytes, &means.info->super, file_of(self)->f_comm, &base, &means.window->win);
        error = mca_fcoll_overlap_report(file_of(self), "making a window", -1, ret);
    }
    if (all && OVERLAP_SUCCESS == error) {
        means.window->is_target = bytes > 0;
        *memory = bytes > 0 ? base : NULL;
        *window = means.window;
        means.window = NULL;
    }
    give_back(&means);
    return error;
}

static void window_free(void *self, overlap_window **window) {
    if (NULL != *window) {
        mca_fcoll_overlap_report(file_of(self), "freeing a window", -1, ompi_win_free((*window)->win));
        free(*window);
        *window = NULL;
    }
}

/* No put comes before an opening fence nor follows a closing one, and no rank stores to its memory in between. Only a
 * target has memory at all. */
static int assertion_of(const overlap_window *window, overlap_fence fence) {
    if (OVERLAP_FENCE_CLOSE == fence) {
        return MPI_MODE_NOSUCCEED | MPI_MODE_NOSTORE | MPI_MODE_NOPUT;
    }
    return MPI_MODE_NOPRECEDE | (window->is_target ? 0 : MPI_MODE_NOSTORE | MPI_MODE_NOPUT);
}

static int window_fence(void *self, overlap_window *window, overlap_fence fence) {
    ompi_win_t *win = window->win;
    return mca_fcoll_overlap_report(file_of(self), "a fence", -1,
                                    win->w_osc_module->osc_fence(assertion_of(window, fence), win));
}

static int window_lock(void *self, overlap_window *window, int target) {
    ompi_win_t *win = window->win;
    return mca_fcoll_overlap_report(file_of(self), "a lock", target,
                                    win->w_osc_module->osc_lock(MPI_LOCK_SHARED, target, 0, win));
}

static int window_unlock(void *self, overlap_window *window, int target) {
    ompi_win_t *win = window->win;
    return mca_fcoll_overlap_report(file_of(self), "an unlock", target, win->w_osc_module->osc_unlock(target, win));
}

/* A strided piece as a datatype that starts at 0, with the description that some osc components send to the target. */
static int type_of_strides(const overlap_piece *piece, ompi_datatype_t **type) {
    const int count = (int)piece->count, length = (int)piece->length;
    ompi_datatype_t *const bytes = &ompi_mpi_byte.dt;
    const int ret = ompi_datatype_create_hvector(count, length, piece->stride, bytes, type);

    return OMPI_SUCCESS == ret ? mca_fcoll_overlap_describe_hvector(*type, count, length, piece->stride, bytes) : ret;
}

/* All pieces as one datatype, relative to the start of the target's memory. */
static int type_of_places(const overlap_piece *places, size_t count, ompi_datatype_t **type) {
    const int number = (int)count;
    int *ones = malloc(count * sizeof(*ones));
    ptrdiff_t *starts = malloc(count * sizeof(*starts));
    ompi_datatype_t **parts = calloc(count, sizeof(*parts));
    int ret = NULL == ones || NULL == starts || NULL == parts ? OMPI_ERR_OUT_OF_RESOURCE : OMPI_SUCCESS;

    for (size_t i = 0; i < count && OMPI_SUCCESS == ret; ++i) {
        ones[i] = 1;
        starts[i] = (ptrdiff_t)(intptr_t)places[i].address;
        ret = type_of_strides(&places[i], &parts[i]);
    }
    if (OMPI_SUCCESS == ret) {
        ret = mca_fcoll_overlap_create_struct(number, ones, starts, parts, type);
    }
    for (size_t i = 0; NULL != parts && i < count; ++i) {
        if (NULL != parts[i]) {
            ompi_datatype_destroy(&parts[i]);
        }
    }
    free(parts);
    free(starts);
    free(ones);
    return ret;
}

/* What one side of a put is made of: `count` items of `type` at `address`. */
typedef struct side_t {
    char *address;
    size_t count;
    ompi_datatype_t *type;
    ompi_datatype_t *made; /* to be released, NULL where `type` is MPI's own */
} side_t;

static int origin_of(const overlap_piece *pieces, size_t count, side_t *side) {
    *side = (side_t){.address = pieces->address, .count = pieces->length, .type = &ompi_mpi_byte.dt};
    if (1 == count && 1 == pieces->count) {
        return OMPI_SUCCESS;
    }
    const int ret = mca_fcoll_overlap_type_of_pieces(pieces, count, &side->made);
    side->address = NULL;
    side->count = 1;
    side->type = side->made;
    return ret;
}

static int target_of(const overlap_piece *places, size_t count, side_t *side) {
    int ret;

    *side = (side_t){.address = places->address, .count = places->length, .type = &ompi_mpi_byte.dt};
    if (1 == count && 1 == places->count) {
        return OMPI_SUCCESS;
    }
    if (1 == count) {
        ret = type_of_strides(places, &side->made);
    } else {
        ret = type_of_places(places, count, &side->made);
        side->address = NULL;
    }
    if (OMPI_SUCCESS == ret) {
        ret = ompi_datatype_commit(&side->made);
    }
    side->count = 1;
    side->type = side->made;
    return ret;
}

/* `here` of this process, `there` of the target. */
static int start(const side_t *here, const side_t *there, int target, ompi_win_t *win) {
    const mca_fcoll_overlap_count_t count = (mca_fcoll_overlap_count_t)here->count;
    const mca_fcoll_overlap_count_t target_count = (mca_fcoll_overlap_count_t)there->count;
    const ptrdiff_t place = (ptrdiff_t)(intptr_t)there->address;

    return win->w_osc_module->osc_put(here->address, count, here->type, target, place, target_count, there->type, win);
}

static int put_at_once(ompi_win_t *win, int target, const side_t *here, const overlap_piece *places, size_t place_count,
                       bool *made) {
    side_t there = {.made = NULL};
    int ret = target_of(places, place_count, &there);

    *made = OMPI_SUCCESS == ret;
    if (*made) {
        ret = start(here, &there, target, win);
    }
    /* A put under way keeps what it needs of its datatypes. */
    if (NULL != there.made) {
        ompi_datatype_destroy(&there.made);
    }
    return ret;
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

/* Without datatypes, for which there may be no memory: one for each run of bytes that is one block on both sides. */
static int put_by_blocks(ompi_win_t *win, int target, const overlap_piece *pieces, size_t count, const overlap_piece *places,
                         size_t place_count) {
    walk_t here = {.piece = pieces}, there = {.piece = places};
    int ret = OMPI_SUCCESS;

    while (OMPI_SUCCESS == ret && here.piece < pieces + count && there.piece < places + place_count) {
        const size_t left = here.piece->length - here.done, room = there.piece->length - there.done;
        const size_t bytes = left < room ? left : room;
        const side_t own = {.address = address_of(&here), .count = bytes, .type = &ompi_mpi_byte.dt};
        const side_t remote = {.address = address_of(&there), .count = bytes, .type = &ompi_mpi_byte.dt};
        ret = start(&own, &remote, target, win);
        advance(&here, bytes);
        advance(&there, bytes);
    }
    return ret;
}

static int put(void *self, overlap_window *window, int target, const overlap_piece *pieces, size_t count,
               const overlap_piece *places, size_t place_count) {
    side_t here;
    bool made = OMPI_SUCCESS == origin_of(pieces, count, &here);
    int ret = OMPI_SUCCESS;

    if (made) {
        ret = put_at_once(window->win, target, &here, places, place_count, &made);
    }
    if (!made) {
        ret = put_by_blocks(window->win, target, pieces, count, places, place_count);
    }
    if (NULL != here.made) {
        ompi_datatype_destroy(&here.made);
    }
    return mca_fcoll_overlap_report(file_of(self), "a put", target, ret);
}

void mca_fcoll_overlap_window_functions(overlap_transport *transport) {
    transport->window_allocate = window_allocate;
    transport->window_free = window_free;
    transport->window_fence = window_fence;
    transport->window_lock = window_lock;
    transport->window_unlock = window_unlock;
    transport->put = put;
}
