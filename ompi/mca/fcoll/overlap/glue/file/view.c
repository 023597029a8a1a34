/*
 * SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The overlap project
 *
 * What a rank asks for: reads its datatype and the file view of OMPIO, and moves its file pointer, without a list of the
 * blocks of an access.
 *
 * OMPIO describes a position by the tile of the view that it is in (f_offset, the tile's place in the file), the data bytes
 * of that tile before it (f_total_bytes), the block of the tile (f_index_in_file_view) and the data bytes before that block
 * (f_position_in_file_view). A position at the end of a tile stays in it until the next access.
 */
#include "file.h"

#include "ompi/datatype/ompi_datatype.h"

void mca_fcoll_overlap_view_layout(ompio_file_t *fh, overlap_layout *layout) {
    const mca_fcoll_overlap_view_t *view = MCA_FCOLL_OVERLAP_VIEW(fh);

    layout->blocks = view->f_decoded_iov;
    layout->block_count = view->f_iov_count;
    layout->extent = (int64_t)view->f_view_extent;
    layout->origin = (int64_t)view->f_offset;
    layout->skip = view->f_total_bytes;
}

/* Where the tile of the view begins that holds the last of the next `bytes` bytes, and how many of its bytes come up to
 * that; false where it begins at 2^63 or later. */
static bool last_tile(const mca_fcoll_overlap_view_t *view, size_t bytes, int64_t *offset, int64_t *used) {
    const int64_t size = (int64_t)view->f_view_size;
    int64_t position, distance;

    if (__builtin_add_overflow(view->f_total_bytes, bytes, &position) ||
        __builtin_mul_overflow((position - 1) / size, view->f_view_extent, &distance)) {
        return false;
    }
    *used = (position - 1) % size + 1;
    return !__builtin_add_overflow(view->f_offset, distance, offset);
}

void mca_fcoll_overlap_view_advance(ompio_file_t *fh, size_t bytes) {
    mca_fcoll_overlap_view_t *view = MCA_FCOLL_OVERLAP_VIEW(fh);
    int64_t offset, used;
    size_t before = 0;
    int block = 0;

    if (0 == bytes || 0 == view->f_view_size || !last_tile(view, bytes, &offset, &used)) {
        return;
    }
    view->f_offset = (OMPI_MPI_OFFSET_TYPE)offset;
    view->f_total_bytes = (size_t)used;
    while (before + view->f_decoded_iov[block].iov_len < view->f_total_bytes) {
        before += view->f_decoded_iov[block++].iov_len;
    }
    view->f_index_in_file_view = block;
    view->f_position_in_file_view = before;
}

void mca_fcoll_overlap_describe_access(ompio_file_t *fh, const void *buf, size_t count, ompi_datatype_t *datatype,
                                       overlap_access *access) {
    const mca_fcoll_overlap_view_t *view = MCA_FCOLL_OVERLAP_VIEW(fh);
    struct iovec *blocks = NULL;
    uint32_t block_count = 0;
    size_t element, of_one = 0;
    int64_t offset, used;
    ptrdiff_t lb, extent;
    int ret;

    *access = (overlap_access){0};
    /* A view that holds no bytes takes none, whatever is given. */
    if (0 == count || 0 == view->f_view_size) {
        return;
    }
    ompi_datatype_type_size(datatype, &element);
    if (__builtin_mul_overflow(element, count, &access->bytes)) {
        access->bytes = SIZE_MAX;
    }
    if (0 == access->bytes || !last_tile(view, access->bytes, &offset, &used)) {
        return;
    }
    ret = mca_common_ompio_decode_datatype(fh, datatype, 1, NULL, &of_one, ompi_mpi_local_convertor, &blocks, &block_count);
    if (OMPI_SUCCESS != ret) {
        free(blocks);
        access->error = mca_fcoll_overlap_error_of_ompi(ret);
        return;
    }
    ompi_datatype_get_extent(datatype, &lb, &extent);
    access->memory = (overlap_layout){.blocks = blocks, .block_count = block_count, .extent = extent};
    access->memory.origin = (int64_t)(intptr_t)buf;
    mca_fcoll_overlap_find_devices(fh, access);
    mca_fcoll_overlap_view_layout(fh, &access->file);
}
