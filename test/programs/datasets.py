# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The overlap project
#
# h5py with mpi4py: contiguous, chunked, gzip and growing datasets, each rank its rows, collectively and independently.
#   datasets.py FILE [ROWS]
import sys

from mpi4py import MPI
import h5py
import numpy

world = MPI.COMM_WORLD
path = sys.argv[1]
rows = int(sys.argv[2]) if len(sys.argv) > 2 else 111
columns = 37
first, last = world.rank * rows // world.size, (world.rank + 1) * rows // world.size


def values(seed):
    return (numpy.arange(rows * columns).reshape(rows, columns) * seed)[first:last]


# No `with`: after an error of one rank it would close the file, which is collective. With `-m mpi4py` an error ends the job.
file = h5py.File(path, "w", driver="mpio", comm=world)
one = file.create_dataset("contiguous", (rows, columns), "i8")
with one.collective:
    one[first:last] = values(3)
file.create_dataset("independent", (rows, columns), "i8")[first:last] = values(5)
file.create_dataset("columns", (rows, columns), "i4", chunks=(16, 8), fillvalue=-1)
file["columns"][first:last, ::2] = values(7)[:, ::2]
chunked = file.create_dataset("chunked", (rows, columns), "i8", chunks=(10, 10))
chunked[first:last] = values(11)
with chunked.collective:
    chunked[first:last] = values(13)
# HDF5 writes filtered chunks collectively only.
packed = file.create_dataset("gzip", (rows, columns), "i8", chunks=(10, 10), compression="gzip")
with packed.collective:
    packed[first:last] = values(17)
growing = file.create_dataset("growing", (0, rows), "i8", maxshape=(None, rows), chunks=(2, 25))
for step in range(6):
    growing.resize(step + 1, axis=0)
    if step % 2 == 0:
        with growing.collective:
            growing[step, first:last] = numpy.arange(first, last) + 1000 * step
    else:
        growing[step, first:last] = numpy.arange(first, last) + 1000 * step
file.attrs["steps"] = 6
file.close()

file = h5py.File(path, "r", driver="mpio", comm=world)
for name, seed in (("contiguous", 3), ("independent", 5), ("chunked", 13), ("gzip", 17)):
    with file[name].collective:
        got = file[name][first:last]
    assert (got == values(seed)).all(), name
assert (file["growing"][3, first:last] == numpy.arange(first, last) + 3000).all(), "growing"
