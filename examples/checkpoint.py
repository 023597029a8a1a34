#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The overlap project
"""Checkpoints of a model whose tensors are spread over ranks, as one safetensors file.

    mpirun -n 4 --mca io ompio --mca fcoll overlap python3 checkpoint.py save model.safetensors
    mpirun -n 2 --mca io ompio --mca fcoll overlap python3 checkpoint.py load model.safetensors

save writes the shards of all ranks in one collective write, beside a computation (Iwrite_all), and
then, to compare, in a file for each rank, and by rank 0 alone. load reads its shards with any number of
ranks and compares every value. --layers N and --width N give the size of the model.
It needs mpi4py and numpy; where torch is installed the shards are tensors of torch.
"""
import argparse
import json
import os
import sys

import mpi4py

mpi4py.rc.thread_level = "funneled"
import numpy  # noqa: E402
from mpi4py import MPI  # noqa: E402

try:
    import torch
except ImportError:
    torch = None

DTYPES = {"F64": "<f8", "F32": "<f4", "F16": "<f2", "I64": "<i8", "I32": "<i4", "U8": "|u1"}
ALIGNMENT = 8  # of the first tensor's bytes: the header ends with spaces


class Tensor:
    """One of the model: `axis` is what the ranks share; without one each rank has all of it."""

    def __init__(self, name, dtype, shape, axis):
        self.name, self.dtype, self.shape, self.axis = name, dtype, tuple(shape), axis

    @property
    def nbytes(self):
        return int(numpy.prod(self.shape)) * numpy.dtype(DTYPES[self.dtype]).itemsize

    def part(self, rank, ranks):
        """First index and number of indices of every axis that the rank has."""
        starts, counts = [0] * len(self.shape), list(self.shape)
        if self.axis is not None:
            length = self.shape[self.axis]
            starts[self.axis] = length * rank // ranks
            counts[self.axis] = length * (rank + 1) // ranks - starts[self.axis]
        return starts, counts

    def values(self, rank, ranks):
        """What this example's model holds: each value follows from its place."""
        starts, counts = self.part(rank, ranks)
        places = numpy.zeros(counts, dtype="i8")
        for axis, (start, count) in enumerate(zip(starts, counts)):
            steps = int(numpy.prod(self.shape[axis + 1 :]))
            index = (numpy.arange(count, dtype="i8") + start) * steps
            places += index.reshape([-1 if i == axis else 1 for i in range(len(counts))])
        return (places % 2039 + len(self.name)).astype(DTYPES[self.dtype])


def model(layers, width):
    """As in a transformer whose layers are spread over ranks (tensor parallelism)."""
    tensors = [Tensor("embedding.weight", "F32", [4 * width, width], 0)]
    for i in range(layers):
        tensors += [
            Tensor(f"layers.{i}.attention.weight", "F32", [3 * width, width], 0),
            Tensor(f"layers.{i}.output.weight", "F32", [width, width], 1),  # each rank has some columns
            Tensor(f"layers.{i}.norm.weight", "F32", [width], None),
        ]
    return tensors


def header_of(tensors):
    """The bytes in front of the first tensor, and where each tensor begins in the file."""
    entries, place = {}, 0
    for tensor in tensors:
        entries[tensor.name] = {
            "dtype": tensor.dtype,
            "shape": list(tensor.shape),
            "data_offsets": [place, place + tensor.nbytes],
        }
        place += tensor.nbytes
    # Not part of the format: what load needs to share the tensors out again.
    entries["__metadata__"] = {"axes": json.dumps({tensor.name: tensor.axis for tensor in tensors})}
    text = json.dumps(entries, separators=(",", ":")).encode()
    text += b" " * (-(8 + len(text)) % ALIGNMENT)
    starts = [8 + len(text) + entries[tensor.name]["data_offsets"][0] for tensor in tensors]
    return len(text).to_bytes(8, "little") + text, starts


def read_header(comm, path):
    """The tensors of a file and where they begin; rank 0 reads for all."""
    text = None
    if comm.rank == 0:
        with open(path, "rb") as file:
            text = file.read(int.from_bytes(file.read(8), "little"))
    text = comm.bcast(text)
    entries = json.loads(text)
    axes = json.loads(entries.pop("__metadata__", {}).get("axes", "{}"))
    tensors = [Tensor(name, each["dtype"], each["shape"], axes.get(name)) for name, each in entries.items()]
    starts = [8 + len(text) + each["data_offsets"][0] for each in entries.values()]
    order = sorted(range(len(tensors)), key=starts.__getitem__)  # a view goes forward
    return [tensors[i] for i in order], [starts[i] for i in order]


def as_array(shard):
    """The memory of a shard; that of a tensor of torch is shared, not copied."""
    return shard if isinstance(shard, numpy.ndarray) else shard.detach().cpu().contiguous().numpy()


class Pieces:
    """Places in the file and in memory as MPI datatypes, for one collective call of all that a rank has."""

    def __init__(self):
        self.places, self.types, self.addresses, self.lengths = [], [], [], []
        self.arrays = []  # alive as long as their addresses

    def add(self, place, shape, starts, counts, array):
        if array.nbytes == 0:
            return
        of_value = MPI.BYTE.Create_contiguous(array.itemsize)
        of_file = of_value.Create_subarray(shape, counts, starts)
        of_value.Free()
        self.places.append(place)
        self.types.append(of_file)
        self.addresses.append(MPI.Get_address(array))
        self.lengths.append(array.nbytes)
        self.arrays.append(array)

    def finish(self):
        """(datatype of the view, datatype of the memory behind MPI.BOTTOM)"""
        view = MPI.Datatype.Create_struct([1] * len(self.types), self.places, self.types).Commit()
        memory = MPI.BYTE.Create_hindexed(self.lengths, self.addresses).Commit()
        for each in self.types:
            each.Free()
        return view, memory


def pieces_to_write(comm, tensors, shards):
    header, starts = header_of(tensors)
    pieces = Pieces()
    if comm.rank == 0:
        pieces.add(0, [len(header)], [0], [len(header)], numpy.frombuffer(header, dtype="u1"))
    for i, (tensor, start) in enumerate(zip(tensors, starts)):
        # What all ranks have one of them writes, in turn.
        if tensor.axis is not None or i % comm.size == comm.rank:
            pieces.add(start, tensor.shape, *tensor.part(comm.rank, comm.size), as_array(shards[tensor.name]))
    return pieces


def start_save(comm, path, tensors, shards):
    """One collective write. Returns (request, what ends it); until then the shards must not change."""
    pieces = pieces_to_write(comm, tensors, shards)
    view, memory = pieces.finish()
    if comm.rank == 0 and os.path.exists(path):
        os.unlink(path)  # an older, longer file would leave its end
    comm.Barrier()
    file = MPI.File.Open(comm, path, MPI.MODE_CREATE | MPI.MODE_WRONLY)
    file.Set_view(0, MPI.BYTE, view)
    request = file.Iwrite_all([MPI.BOTTOM, 1, memory])

    def end():
        request.Wait()
        file.Close()
        view.Free()
        memory.Free()
        pieces.arrays.clear()

    return request, end


def load(comm, path):
    """(tensors, shards of this rank), with any number of ranks."""
    tensors, starts = read_header(comm, path)
    pieces, shards = Pieces(), {}
    for tensor, start in zip(tensors, starts):
        first, counts = tensor.part(comm.rank, comm.size)
        array = numpy.empty(counts, dtype=DTYPES[tensor.dtype])
        pieces.add(start, tensor.shape, first, counts, array)
        shards[tensor.name] = array if torch is None else torch.from_numpy(array)
    view, memory = pieces.finish()
    file = MPI.File.Open(comm, path, MPI.MODE_RDONLY)
    file.Set_view(0, MPI.BYTE, view)
    file.Read_all([MPI.BOTTOM, 1, memory])
    file.Close()
    view.Free()
    memory.Free()
    return tensors, shards


def save_by_rank(comm, path, tensors, shards):
    """To compare: each rank its own file, which only as many ranks can read again without more work."""
    own = [Tensor(each.name, each.dtype, shards[each.name].shape, None) for each in tensors]
    with open(f"{path}.rank{comm.rank}", "wb") as file:
        file.write(header_of(own)[0])
        for tensor in own:
            file.write(as_array(shards[tensor.name]).data)


def save_by_rank_0(comm, path, tensors, shards):
    """To compare: rank 0 has all shards sent, and writes."""
    with open(f"{path}.whole", "wb") if comm.rank == 0 else open(os.devnull, "wb") as file:
        file.write(header_of(tensors)[0])
        for tensor in tensors:
            array = as_array(shards[tensor.name])
            parts = comm.gather(array) if tensor.axis is not None else [array]
            if comm.rank == 0:
                file.write(numpy.ascontiguousarray(numpy.concatenate(parts, axis=tensor.axis or 0)).data)


def compute(seconds, request=None):
    """Products of matrices; MPI gets the processor for a moment now and then, which is when it moves bytes."""
    matrix = numpy.ones((64, 64))
    end = MPI.Wtime() + seconds
    while MPI.Wtime() < end:
        matrix = (matrix @ matrix) / 64
        if request is not None and request.Test():
            request = None


def timed(comm, function):
    """Seconds of the slowest rank."""
    comm.Barrier()
    start = MPI.Wtime()
    function()
    return comm.allreduce(MPI.Wtime() - start, MPI.MAX)


def compare_ways(comm, path, tensors, shards):
    def beside():
        request, end = start_save(comm, path, tensors, shards)
        compute(blocking, request)
        end()

    blocking = timed(comm, lambda: start_save(comm, path, tensors, shards)[1]())
    together = timed(comm, beside)
    by_rank = timed(comm, lambda: save_by_rank(comm, path, tensors, shards))
    by_rank_0 = timed(comm, lambda: save_by_rank_0(comm, path, tensors, shards))
    if comm.rank == 0:
        size = sum(tensor.nbytes for tensor in tensors)
        print(f"{comm.size} ranks, {len(tensors)} tensors, {size / 2**20:.1f} MiB")
        print(f"{'one file, collective write':36} {blocking:9.4f} s")
        print(f"{'the same beside a computation':36} {together:9.4f} s, of which it computes {blocking:.4f} s")
        print(f"{'a file for each rank':36} {by_rank:9.4f} s")
        print(f"{'one file, written by rank 0':36} {by_rank_0:9.4f} s")
        os.unlink(f"{path}.whole")
    comm.Barrier()
    if os.path.exists(f"{path}.rank{comm.rank}"):
        os.unlink(f"{path}.rank{comm.rank}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("save", "load"))
    parser.add_argument("file")
    parser.add_argument("--layers", type=int, default=4)
    parser.add_argument("--width", type=int, default=512)
    options = parser.parse_args()
    comm = MPI.COMM_WORLD
    if options.what == "save":
        tensors = model(options.layers, options.width)
        arrays = {tensor.name: tensor.values(comm.rank, comm.size) for tensor in tensors}
        shards = arrays if torch is None else {name: torch.from_numpy(array) for name, array in arrays.items()}
        compare_ways(comm, options.file, tensors, shards)
        return 0
    tensors, shards = load(comm, options.file)
    wrong = [each.name for each in tensors if not numpy.array_equal(as_array(shards[each.name]), each.values(comm.rank, comm.size))]
    wrong = comm.allreduce(wrong)
    if comm.rank == 0:
        print(f"{comm.size} ranks, {len(tensors)} tensors, " + (f"wrong: {', '.join(wrong)}" if wrong else "every value is right"))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
