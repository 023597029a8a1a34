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

/* What OMPIO opens for a shared file pointer writes within calls of its file only. */
static bool is_another_handle(mca_fcoll_overlap_module_t *other, mca_fcoll_overlap_module_t *module) {
    return other != module && 0 == (other->fh->f_flags & OMPIO_SHAREDFP_IS_SET) && may_be_same_file(other, module);
}

static bool may_write_now(mca_fcoll_overlap_module_t *other, const mca_fcoll_overlap_module_t *module) {
    return 0 == (other->fh->f_amode & MPI_MODE_RDONLY) &&
           (ompi_mpi_thread_multiple || !is_within(other->fh->f_comm, module->fh->f_comm));
}

bool mca_fcoll_overlap_another_handle_may_write(mca_fcoll_overlap_module_t *module) {
    bool found = some_served_elsewhere;

    for (mca_fcoll_overlap_module_t *other = mca_fcoll_overlap_modules_begin(); NULL != other && !found;
         other = other->next) {
        found = is_another_handle(other, module) && may_write_now(other, module);
    }
    mca_fcoll_overlap_modules_end();
    return found;
}

/* Whether what the module was told of other handles is still so. Needs the list of modules. */
static bool is_told(mca_fcoll_overlap_module_t *module, mca_fcoll_overlap_module_t *first) {
    bool open = false;

    for (mca_fcoll_overlap_module_t *other = first; NULL != other && !open; other = other->next) {
        open = is_another_handle(other, module);
    }
    return open == module->other_handle;
}

/* A file with declared writes has one thread that calls MPI, so a module that was found stays there. */
void mca_fcoll_overlap_tell_of_handles(void) {
    mca_fcoll_overlap_module_t *module;

    do {
        mca_fcoll_overlap_module_t *first = mca_fcoll_overlap_modules_begin();
        module = first;
        while (NULL != module && (!module->functions_replaced || is_told(module, first))) {
            module = module->next;
        }
        mca_fcoll_overlap_modules_end();
        if (NULL != module) {
            mca_fcoll_overlap_declared_other_handle(module, !module->other_handle);
        }
    } while (NULL != module);
}
