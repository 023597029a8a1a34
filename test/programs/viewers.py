# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The overlap project
#
# PETSc: a vector and a sparse matrix by its MPI-IO viewer, a vector by that for HDF5; all are loaded again.
#   viewers.py FILE
import sys

import petsc4py

petsc4py.init(sys.argv)
from petsc4py import PETSc

path = sys.argv[1]
n = 1013
world = PETSc.COMM_WORLD
vector = PETSc.Vec().createMPI(n, comm=world)
begin, end = vector.getOwnershipRange()
vector.setValues(range(begin, end), [i / 7.0 for i in range(begin, end)])
vector.assemble()
matrix = PETSc.Mat().createAIJ([n, n], nnz=3, comm=world)
begin, end = matrix.getOwnershipRange()
for row in range(begin, end):
    for column in (row - 1, row, row + 1):
        if 0 <= column < n:
            matrix[row, column] = row + column / 10.0
matrix.assemble()

viewer = PETSc.Viewer().createMPIIO(path, "w", comm=world)
viewer.view(vector)
viewer.view(matrix)
viewer.destroy()
viewer = PETSc.Viewer().createMPIIO(path, "r", comm=world)
again = PETSc.Vec().create(comm=world)
again.load(viewer)
same = PETSc.Mat().create(comm=world)
same.load(viewer)
viewer.destroy()
assert again.equal(vector) and same.equal(matrix)

vector.setName("vector")
viewer = PETSc.Viewer().createHDF5(path + ".h5", "w", comm=world)
viewer.view(vector)
viewer.destroy()
again = PETSc.Vec().create(comm=world)
again.setName("vector")
viewer = PETSc.Viewer().createHDF5(path + ".h5", "r", comm=world)
again.load(viewer)
viewer.destroy()
assert again.equal(vector)
