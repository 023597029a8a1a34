# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The overlap project
#
# mpi4py initialises MPI with MPI_THREAD_MULTIPLE. Two threads of each rank write and read a file each, collectively, at the same time; a third one
# writes into the gaps of the first file, by a handle of its own.
#   threads.py FILE
import sys
import threading

from mpi4py import MPI
import numpy

world = MPI.COMM_WORLD
path = sys.argv[1]
block, gap, count = 100, 28, 200
failures = []


def work(name, comm, length, shift):
    try:
        file = MPI.File.Open(comm, name, MPI.MODE_CREATE | MPI.MODE_RDWR)
        size = block + gap
        kind = MPI.BYTE.Create_vector(count, length, comm.size * size).Commit()
        for step in range(5):
            mine = numpy.full(count * length, 1 + comm.rank + 10 * step + shift, "u1")
            file.Set_view((step * comm.size * count + comm.rank) * size + shift, MPI.BYTE, kind)
            file.Write_at_all(0, mine)
            got = numpy.empty_like(mine)
            file.Read_at_all(0, got)
            assert (got == mine).all(), (name, step)
        file.Close()
    except BaseException as error:
        failures.append(error)
        world.Abort(1)


assert MPI.Query_thread() == MPI.THREAD_MULTIPLE
comms = [world.Dup() for _ in range(3)]
threads = [
    threading.Thread(target=work, args=(path, comms[0], block, 0)),
    threading.Thread(target=work, args=(path + ".2", comms[1], block, 0)),
    threading.Thread(target=work, args=(path, comms[2], gap, block)),
]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
world.Barrier()
if world.rank == 0:
    steps = numpy.arange(5).repeat(count * world.size)
    ranks = numpy.tile(numpy.arange(world.size), 5 * count)
    for name, has_gaps in ((path, False), (path + ".2", True)):
        right = numpy.zeros((5 * count * world.size, block + gap), "u1")
        right[:, :block] = (1 + ranks + 10 * steps)[:, None]
        if not has_gaps:
            right[:, block:] = (1 + ranks + 10 * steps + block)[:, None]
        right = right.reshape(-1)[: right.size - (gap if has_gaps else 0)]
        got = numpy.fromfile(name, "u1")
        assert got.size == right.size and (got == right).all(), name
sys.exit(1 if failures else 0)
