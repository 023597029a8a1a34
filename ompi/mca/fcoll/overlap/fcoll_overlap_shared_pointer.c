/*
 * MPI_File_set_view without a write for a shared file pointer that nobody uses.
 *
 * A view puts the shared pointer to its begin. OMPIO's component for files of several nodes, lockedfile, keeps it in a file
 * beside the file, which rank 0 locks and writes each time, and HDF5 sets two views for a transfer. Here a pointer that no
 * rank has moved since it was put there stays as it is: for that the ranks agree where OMPIO would have them meet in a
 * barrier. Of files whose other functions are replaced as well (behind), where calls that move it are seen.
 */
#include "fcoll_overlap.h"

#include "ompi/mca/sharedfp/sharedfp.h"
#include "ompi/runtime/mpiruntime.h"

/* OMPIO's component sm tells pointers apart by the last part of the name, lockedfile by the whole. What is kept is no name,
 * as a module may outlive its file. */
static uint64_t hash_of_base_name(const ompio_file_t *fh) {
    const char *slash = strrchr(fh->f_filename, '/');
    uint64_t hash = 0xCBF29CE484222325U; /* FNV-1a */

    for (const char *at = NULL == slash ? fh->f_filename : slash + 1; '\0' != *at; ++at) {
        hash = (hash ^ (unsigned char)*at) * 0x100000001B3U;
    }
    return hash;
}

typedef struct namesakes_t {
    const mca_fcoll_overlap_module_t *of;
    bool any;
} namesakes_t;

static void look_at(mca_fcoll_overlap_module_t *module, void *argument) {
    namesakes_t *namesakes = argument;

    if (module != namesakes->of && module->base_name == namesakes->of->base_name) {
        module->shared_pointer_moved = true;
        namesakes->any = true;
    }
}

static bool has_namesakes(const mca_fcoll_overlap_module_t *module) {
    namesakes_t namesakes = {.of = module, .any = false};

    mca_fcoll_overlap_for_each_module(look_at, &namesakes);
    return namesakes.any;
}

void mca_fcoll_overlap_shared_pointer_opened(mca_fcoll_overlap_module_t *module) {
    /* What OMPIO itself opens for a shared pointer has the name of its file. */
    if (NULL != module && 0 == module->base_name && 0 == (module->fh->f_flags & OMPIO_SHAREDFP_IS_SET)) {
        module->base_name = hash_of_base_name(module->fh);
        has_namesakes(module);
    }
}

/* Collective. In a view no call of the file is under way on any rank, or the program would be wrong. */
static int seek_shared(ompio_file_t *fh, OMPI_MPI_OFFSET_TYPE offset, int whence) {
    mca_fcoll_overlap_module_t *module = mca_fcoll_overlap_module_in(fh);
    const bool of_view = module->in_view && module->watched_by_all;
    int moved = module->shared_pointer_moved || ompi_mpi_thread_multiple || has_namesakes(module) ? 1 : 0;
    int ret;

    if (of_view && OVERLAP_SUCCESS == mca_fcoll_overlap_agree(fh, &moved, 1) && 0 == moved) {
        return OMPI_SUCCESS;
    }
    ret = module->sharedfp_of_file->sharedfp_seek(fh, offset, whence);
    module->shared_pointer_moved = !of_view || OMPI_SUCCESS != ret;
    return ret;
}

int mca_fcoll_overlap_shared_pointer_watch(mca_fcoll_overlap_module_t *module) {
    module->sharedfp_of_file = module->fh->f_sharedfp;
    if (NULL == module->sharedfp_of_file) {
        return OVERLAP_SUCCESS;
    }
    module->sharedfp = malloc(sizeof(*module->sharedfp));
    if (NULL == module->sharedfp) {
        return OVERLAP_ERR_NO_MEM;
    }
    *module->sharedfp = *module->sharedfp_of_file;
    module->sharedfp->sharedfp_seek = seek_shared;
    module->fh->f_sharedfp = module->sharedfp;
    module->shared_pointer_moved = true; /* for all that is known */
    return OVERLAP_SUCCESS;
}

void mca_fcoll_overlap_shared_pointer_end(mca_fcoll_overlap_module_t *module) {
    if (NULL != module->sharedfp) {
        module->fh->f_sharedfp = module->sharedfp_of_file;
        free(module->sharedfp);
        module->sharedfp = NULL;
    }
}
