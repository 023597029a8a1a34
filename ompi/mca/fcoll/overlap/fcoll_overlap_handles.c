/*
 * The open files of this process that the component serves, as far as another one of them may write to the same file while a
 * collective call writes gaps back.
 *
 * A handle whose processes are all inside the call cannot write, unless other threads of them may call MPI: so the second
 * handle of PnetCDF and netCDF, on MPI_COMM_SELF, does not count.
 */
#include "fcoll_overlap.h"

#include "ompi/group/group.h"
#include "ompi/runtime/mpiruntime.h"

#include <sys/stat.h>

static _Atomic bool some_served_elsewhere = false;

void mca_fcoll_overlap_served_elsewhere(void) { some_served_elsewhere = true; }

/* Asked for once of a handle, the first time that it matters. */
bool mca_fcoll_overlap_know_file(mca_fcoll_overlap_module_t *module) {
    struct stat status;

    if (!module->file_known && 0 == fstat(module->fh->fd, &status)) {
        module->device = status.st_dev;
        module->inode = status.st_ino;
        module->file_known = true;
    }
    return module->file_known;
}

/* What cannot be told apart is taken for the same. */
static bool may_be_same_file(mca_fcoll_overlap_module_t *a, mca_fcoll_overlap_module_t *b) {
    return !mca_fcoll_overlap_know_file(a) || !mca_fcoll_overlap_know_file(b) ||
           (a->device == b->device && a->inode == b->inode);
}

static int by_name(const void *a, const void *b) { return memcmp(a, b, sizeof(opal_process_name_t)); }

/* The processes of a communicator in an order of their own; NULL where there is no memory. */
static opal_process_name_t *sorted_processes(const ompi_communicator_t *comm) {
    const int size = ompi_comm_size((ompi_communicator_t *)comm);
    opal_process_name_t *names = malloc((size_t)size * sizeof(*names));

    if (NULL != names) {
        memset(names, 0, (size_t)size * sizeof(*names));
        for (int rank = 0; rank < size; ++rank) {
            names[rank] = ompi_group_get_proc_name(comm->c_local_group, rank);
        }
        qsort(names, (size_t)size, sizeof(*names), by_name);
    }
    return names;
}

/* Whether each process of `inner` is one of `outer`. This process is in both. Where there is no memory: no. */
static bool is_within(const ompi_communicator_t *inner, const ompi_communicator_t *outer) {
    const int inner_size = ompi_comm_size((ompi_communicator_t *)inner);
    const int outer_size = ompi_comm_size((ompi_communicator_t *)outer);
    opal_process_name_t *inner_names, *outer_names;
    bool within;

    if (1 == inner_size || inner_size > outer_size) {
        return 1 == inner_size;
    }
    inner_names = sorted_processes(inner);
    outer_names = sorted_processes(outer);
    within = NULL != inner_names && NULL != outer_names;
    for (int i = 0, j = 0; i < inner_size && within; ++i, ++j) {
        while (j < outer_size && 0 != by_name(&inner_names[i], &outer_names[j])) {
            ++j;
        }
        within = j < outer_size;
    }
    free(inner_names);
    free(outer_names);
    return within;
}

typedef struct search_t {
    mca_fcoll_overlap_module_t *of;
    bool found;
} search_t;

/* What OMPIO opens for a shared file pointer writes within calls of its file only. */
static bool may_write_now(mca_fcoll_overlap_module_t *other, mca_fcoll_overlap_module_t *module) {
    const ompio_file_t *fh = other->fh;

    return 0 == (fh->f_amode & MPI_MODE_RDONLY) && 0 == (fh->f_flags & OMPIO_SHAREDFP_IS_SET) &&
           may_be_same_file(other, module) && (ompi_mpi_thread_multiple || !is_within(fh->f_comm, module->fh->f_comm));
}

static void look_at(mca_fcoll_overlap_module_t *other, void *argument) {
    search_t *search = argument;

    search->found = search->found || (other != search->of && may_write_now(other, search->of));
}

bool mca_fcoll_overlap_another_handle_may_write(mca_fcoll_overlap_module_t *module) {
    search_t search = {.of = module, .found = some_served_elsewhere};

    mca_fcoll_overlap_for_each_module(look_at, &search);
    return search.found;
}
