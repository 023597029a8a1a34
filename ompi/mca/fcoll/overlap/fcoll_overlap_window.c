/*
 * The windows of the transport port, over the osc component that Open MPI chooses for each.
 */
#include "fcoll_overlap.h"

#include "ompi/communicator/communicator.h"
#include "ompi/datatype/ompi_datatype.h"
#include "ompi/info/info.h"
#include "ompi/mca/osc/osc.h"
#include "ompi/win/win.h"
#include "opal/mca/base/mca_base_var.h"

struct overlap_window {
    ompi_win_t *win;
    bool is_target; /* this rank's memory is put into */
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
 * whose threads came in another order, so nobody waits: the ranks agree on whether all of them have the lock. Collective. */
static opal_mutex_t making = OPAL_MUTEX_STATIC_INIT;

static int begin_making(ompi_communicator_t *comm, bool *begun) {
    const bool mine = 0 == opal_mutex_trylock(&making);
    int all = mine ? 1 : 0;
    const int ret = comm->c_coll->coll_allreduce(MPI_IN_PLACE, &all, 1, &ompi_mpi_int.dt, MPI_MIN, comm,
                                                 comm->c_coll->coll_allreduce_module);
    *begun = OMPI_SUCCESS == ret && 1 == all;
    if (mine && !*begun) {
        opal_mutex_unlock(&making);
    }
    return ret;
}

static void end_making(void) { opal_mutex_unlock(&making); }

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
    mca_fcoll_overlap_module_t *module = self;
    overlap_window *made;
    ompi_info_t *info = NULL;
    ompi_win_t *win = NULL;
    void *base = NULL;
    bool begun = false;
    int ret = begin_making(module->fh->f_comm, &begun);

    *window = NULL;
    *memory = NULL;
    if (!begun) {
        return mca_fcoll_overlap_transport_error(module, "making a window", -1, ret);
    }
    /* Whatever this rank lacks: the others are in ompi_win_allocate. */
    ret = make_info(epochs, &info);
    ret = allocate_without_rdma(bytes, OMPI_SUCCESS == ret ? &info->super : &ompi_mpi_info_null.info.super,
                                module->fh->f_comm, &base, &win);
    end_making();
    if (NULL != info) {
        OBJ_RELEASE(info);
    }
    if (OMPI_SUCCESS != ret) {
        return mca_fcoll_overlap_transport_error(module, "making a window", -1, ret);
    }
    made = calloc(1, sizeof(*made));
    if (NULL == made) {
        return OVERLAP_ERR_NO_MEM;
    }
    made->win = win;
    made->is_target = bytes > 0;
    *window = made;
    *memory = bytes > 0 ? base : NULL;
    return OVERLAP_SUCCESS;
}

static void window_free(void *self, overlap_window **window) {
    if (NULL != *window) {
        mca_fcoll_overlap_transport_error(self, "freeing a window", -1, ompi_win_free((*window)->win));
        free(*window);
        *window = NULL;
    }
}

/* No put comes before an opening fence nor follows a closing one, and no rank stores to its memory in between. Only a target
 * has memory at all. */
static int assertion_of(const overlap_window *window, overlap_fence fence) {
    if (OVERLAP_FENCE_CLOSE == fence) {
        return MPI_MODE_NOSUCCEED | MPI_MODE_NOSTORE | MPI_MODE_NOPUT;
    }
    return MPI_MODE_NOPRECEDE | (window->is_target ? 0 : MPI_MODE_NOSTORE | MPI_MODE_NOPUT);
}

static int window_fence(void *self, overlap_window *window, overlap_fence fence) {
    ompi_win_t *win = window->win;
    return mca_fcoll_overlap_transport_error(self, "a fence", -1,
                                             win->w_osc_module->osc_fence(assertion_of(window, fence), win));
}

static int window_lock(void *self, overlap_window *window, int target) {
    ompi_win_t *win = window->win;
    return mca_fcoll_overlap_transport_error(self, "a lock", target,
                                             win->w_osc_module->osc_lock(MPI_LOCK_SHARED, target, 0, win));
}

static int window_unlock(void *self, overlap_window *window, int target) {
    ompi_win_t *win = window->win;
    return mca_fcoll_overlap_transport_error(self, "an unlock", target, win->w_osc_module->osc_unlock(target, win));
}

/* A strided piece as a datatype that starts at 0, with the description that some osc components send to the target. */
static int type_of_strides(const overlap_piece *piece, ompi_datatype_t **type) {
    const int count = (int)piece->count, length = (int)piece->length;
    const int *counts[2] = {&count, &length};
    const ptrdiff_t strides[1] = {piece->stride};
    ompi_datatype_t *const bytes = &ompi_mpi_byte.dt;
    const int ret = ompi_datatype_create_hvector(count, length, piece->stride, bytes, type);

    return OMPI_SUCCESS == ret ? ompi_datatype_set_args(*type, 2, counts, 1, strides, 1, &bytes, MPI_COMBINER_HVECTOR) : ret;
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
        ret = ompi_datatype_create_struct(number, ones, starts, parts, type);
    }
    if (OMPI_SUCCESS == ret) {
        const int *counts[2] = {&number, ones};
        ret = ompi_datatype_set_args(*type, number + 1, counts, number, starts, number, parts, MPI_COMBINER_STRUCT);
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

static int put(void *self, overlap_window *window, int target, const overlap_piece *pieces, size_t count,
               const overlap_piece *places, size_t place_count) {
    ompi_win_t *win = window->win;
    side_t from, to = {.made = NULL};
    int ret = origin_of(pieces, count, &from);

    if (OMPI_SUCCESS == ret) {
        ret = target_of(places, place_count, &to);
    }
    if (OMPI_SUCCESS == ret) {
        ret = win->w_osc_module->osc_put(from.address, (mca_fcoll_overlap_count_t)from.count, from.type, target,
                                         (ptrdiff_t)(intptr_t)to.address, (mca_fcoll_overlap_count_t)to.count, to.type, win);
    }
    /* A put under way keeps what it needs of its datatypes. */
    if (NULL != from.made) {
        ompi_datatype_destroy(&from.made);
    }
    if (NULL != to.made) {
        ompi_datatype_destroy(&to.made);
    }
    return mca_fcoll_overlap_transport_error(self, "a put", target, ret);
}

void mca_fcoll_overlap_window_functions(overlap_transport *transport) {
    transport->window_allocate = window_allocate;
    transport->window_free = window_free;
    transport->window_fence = window_fence;
    transport->window_lock = window_lock;
    transport->window_unlock = window_unlock;
    transport->put = put;
}
