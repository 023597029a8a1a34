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

/* Collective. */
static int seek_shared(ompio_file_t *fh, OMPI_MPI_OFFSET_TYPE offset, int whence) {
    mca_fcoll_overlap_module_t *module = mca_fcoll_overlap_module_in(fh);
    const bool to_begin = 0 == offset && MPI_SEEK_SET == whence;
    int moved = module->shared_pointer_moved ? 1 : 0;
    int ret;

    if (NULL == module->engine) { /* some ranks may have no function in place of OMPIO's */
        return module->sharedfp_of_file->sharedfp_seek(fh, offset, whence);
    }
    if (to_begin && OVERLAP_SUCCESS == mca_fcoll_overlap_agree(fh, &moved, 1) && 0 == moved) {
        return OMPI_SUCCESS;
    }
    ret = module->sharedfp_of_file->sharedfp_seek(fh, offset, whence);
    module->shared_pointer_moved = !to_begin || OMPI_SUCCESS != ret;
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
