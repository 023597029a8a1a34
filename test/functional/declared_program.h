// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// A program in C that says which writes come: nine variables of particles, after HACC-IO.
#ifndef TEST_FUNCTIONAL_DECLARED_PROGRAM_H
#define TEST_FUNCTIONAL_DECLARED_PROGRAM_H

#include <mpi.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { DECLARED_VARIABLES = 9, DECLARED_PARTICLE = 38, DECLARED_PARTICLES = 50 };

/* One behind the other, or as members of a record. */
enum declared_order { DECLARED_ARRAYS, DECLARED_RECORDS };

/* Where the first byte of a variable of this process is, and how far its next one is from it. */
MPI_Offset declared_offset(enum declared_order order, int variable);
MPI_Offset declared_stride(enum declared_order order, int variable);
int declared_size(int variable);

/* Return what MPI does. A step is so many bytes further on. */
int declared_declare(MPI_File file, enum declared_order order);
int declared_write(MPI_File file, enum declared_order order, int variable, MPI_Offset step, const char *bytes);

/* What nothing can be declared with: empty where overlap_declare says so each time. */
const char *declared_refused(MPI_File file);

/* So many single bytes that they are not told one by one. */
int declared_many(MPI_File file, int count, MPI_Offset from);

#ifdef __cplusplus
}
#endif

#endif
