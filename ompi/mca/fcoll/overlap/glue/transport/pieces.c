/*
 * SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The overlap project
 *
 * Datatypes for lists of pieces, for the messages of this process: they have no description that another one could be sent.
 */
#include "transport.h"

#include "ompi/datatype/ompi_datatype.h"

/* To Open MPI's datatypes an extent of -1 says that there is none. */
#define NO_EXTENT (-1)

/* Adds the blocks of a piece to `type`, whose displacements are absolute addresses. */
static int add_piece(ompi_datatype_t *type, const overlap_piece *piece) {
    ompi_datatype_t *block;
    int ret;

    if (1 == piece->count) {
        return ompi_datatype_add(type, &ompi_mpi_byte.dt, piece->length, (ptrdiff_t)(intptr_t)piece->address, 1);
    }
    if (NO_EXTENT == piece->stride) {
        ret = OMPI_SUCCESS;
        for (size_t i = 0; i < piece->count && OMPI_SUCCESS == ret; ++i) {
            ret = ompi_datatype_add(type, &ompi_mpi_byte.dt, piece->length,
                                    (ptrdiff_t)(intptr_t)piece->address - (ptrdiff_t)i, 1);
        }
        return ret;
    }
    block = ompi_datatype_create(4);
    if (NULL == block) {
        return OMPI_ERR_OUT_OF_RESOURCE;
    }
    ret = ompi_datatype_add(block, &ompi_mpi_byte.dt, piece->length, 0, 1);
    if (OMPI_SUCCESS == ret) {
        ret = ompi_datatype_add(type, block, piece->count, (ptrdiff_t)(intptr_t)piece->address, piece->stride);
    }
    OBJ_RELEASE(block);
    return ret;
}

int mca_fcoll_overlap_type_of_pieces(const overlap_piece *pieces, size_t count, ompi_datatype_t **type) {
    int ret = OMPI_SUCCESS;
    size_t entries = 2 + 4 * count; /* all at once: a type that had to grow was written past its end (5.0.7) */

    for (size_t i = 0; i < count; ++i) {
        entries += NO_EXTENT == pieces[i].stride ? pieces[i].count : 0;
    }
    if (entries > INT32_MAX) {
        return OMPI_ERR_OUT_OF_RESOURCE;
    }
    *type = ompi_datatype_create((int32_t)entries);
    if (NULL == *type) {
        return OMPI_ERR_OUT_OF_RESOURCE;
    }
    for (size_t i = 0; i < count && OMPI_SUCCESS == ret; ++i) {
        ret = add_piece(*type, &pieces[i]);
    }
    if (OMPI_SUCCESS == ret) {
        ret = ompi_datatype_commit(type);
    }
    if (OMPI_SUCCESS != ret) {
        OBJ_RELEASE(*type);
        *type = NULL;
    }
    return ret;
}
