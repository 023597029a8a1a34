# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The overlap project
"""One collective write and read under mpirun, without a compiler: probe.py FILE LIBMPI...

Rank 0 prints a line of JSON behind MARK, and writes it to FILE.json for launchers that keep standard output to themselves. The first
LIBMPI that the loader finds serves. Handles of Open MPI are addresses of symbols of its library, in every release (ompi/include/mpi.h.in).
"""
import ctypes
import json
import os
import re
import sys
import tempfile

MARK = "overlap-doctor:"
BLOCK = 4096
CREATE_AND_READ_WRITE = 1 | 8  # MPI_MODE_CREATE | MPI_MODE_RDWR
# What this process asks Open MPI to say: which component it selects. No choice depends on it.
VERBOSE = {"fcoll_base_verbose": "10", "io_base_verbose": "10", "mca_base_verbose": "stderr"}


def load(names):
    errors = []
    for name in names:
        try:
            return ctypes.CDLL(name, mode=ctypes.RTLD_GLOBAL)
        except OSError as error:
            errors.append(str(error))
    sys.exit("overlap doctor: no libmpi: " + "; ".join(errors))


class Mpi:
    def __init__(self, library):
        self.library = library
        self.world, self.no_info = self.handle("ompi_mpi_comm_world"), self.handle("ompi_mpi_info_null")
        self.byte, self.int, self.min = (self.handle(name) for name in ("ompi_mpi_byte", "ompi_mpi_int", "ompi_mpi_op_min"))

    def handle(self, name):
        return ctypes.c_void_p(ctypes.addressof(ctypes.c_char.in_dll(self.library, name)))

    def number(self, function):
        value = ctypes.c_int()
        getattr(self.library, function)(self.world, ctypes.byref(value))
        return value.value

    def least(self, value):
        """Of all ranks."""
        mine, of_all = ctypes.c_int(value), ctypes.c_int()
        self.library.MPI_Allreduce(ctypes.byref(mine), ctypes.byref(of_all), 1, self.int, self.min, self.world)
        return of_all.value

    def hosts(self, size):
        name, length = ctypes.create_string_buffer(256), ctypes.c_int()
        self.library.MPI_Get_processor_name(name, ctypes.byref(length))
        names = ctypes.create_string_buffer(256 * size)
        self.library.MPI_Allgather(name, 256, self.byte, names, 256, self.byte, self.world)
        return sorted({names.raw[256 * i:256 * (i + 1)].split(b"\0")[0].decode() for i in range(size)})

    def error(self, code):
        text, length = ctypes.create_string_buffer(512), ctypes.c_int()
        self.library.MPI_Error_string(code, text, ctypes.byref(length))
        return text.value.decode(errors="replace")

    def key(self, info, name):
        value, found = ctypes.create_string_buffer(256), ctypes.c_int()
        self.library.MPI_Info_get(info, name.encode(), 255, value, ctypes.byref(found))
        return value.value.decode() if found.value else None


def transfer(mpi, path, rank, size):
    """Writes a block a rank, reads that of the next rank. Returns what there is to say of it."""
    file, info, status = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.create_string_buffer(256)
    code = mpi.library.MPI_File_open(mpi.world, path.encode(), CREATE_AND_READ_WRITE, mpi.no_info, ctypes.byref(file))
    if mpi.least(-code) != 0:
        return {"error": "MPI_File_open: " + mpi.error(code)}
    block, read = ctypes.create_string_buffer(bytes([65 + rank % 26]) * BLOCK, BLOCK), ctypes.create_string_buffer(BLOCK)
    write = mpi.library.MPI_File_write_at_all(file, ctypes.c_longlong(rank * BLOCK), block, BLOCK, mpi.byte, status)
    mpi.library.MPI_File_get_info(file, ctypes.byref(info))
    said = {"overlap": mpi.key(info, "fcoll_overlap_algorithm"), "romio": mpi.key(info, "romio_cb_write")}
    other = (rank + 1) % size
    again = mpi.library.MPI_File_read_at_all(file, ctypes.c_longlong(other * BLOCK), read, BLOCK, mpi.byte, status)
    right = read.raw == bytes([65 + other % 26]) * BLOCK
    mpi.library.MPI_File_close(ctypes.byref(file))
    if write or again:
        said["error"] = mpi.error(write or again)
    said["verified"] = mpi.least(int(right and not write and not again)) == 1
    return said


def version_of(library):
    """As "Open MPI v4.1.4, package: ..."; MPI_Init need not have been called (MPI 4.1, section 11.4.1)."""
    text, length = ctypes.create_string_buffer(8192), ctypes.c_int()
    library.MPI_Get_library_version(text, ctypes.byref(length))
    return text.value.decode(errors="replace")


def component_file():
    with open("/proc/self/maps", encoding="utf-8", errors="replace") as maps:
        found = re.search(r"(/\S*/mca_fcoll_overlap\.so)", maps.read())
    return found.group(1) if found else None


def main(path, libraries):
    library = load(libraries)
    environment = {name: value for name, value in os.environ.items() if re.match("(OMPI|PMIX|PRTE)_MCA_", name)}
    os.environ.update({"OMPI_MCA_" + name: value for name, value in VERBOSE.items()})
    # Why a component is not loaded: a truth value in 4.1, a list from 5.0 on (mca_base_open.c).
    os.environ["OMPI_MCA_mca_base_component_show_load_errors"] = "1" if "Open MPI v4" in version_of(library) else "all"
    # What Open MPI says goes into a file, because mpirun may mix the lines of ranks.
    messages, standard_error = tempfile.TemporaryFile(), os.dup(2)
    os.dup2(messages.fileno(), 2)
    library.MPI_Init(None, None)
    mpi = Mpi(library)
    rank, size = mpi.number("MPI_Comm_rank"), mpi.number("MPI_Comm_size")
    result = {"ranks": size, "hosts": mpi.hosts(size)}
    result.update(transfer(mpi, path, rank, size))
    result["component"] = component_file()
    result["environment"] = environment
    result["library"] = version_of(library).split(",")[0]
    os.dup2(standard_error, 2)
    messages.seek(0)
    result["messages"] = messages.read().decode(errors="replace").replace("\0", "")
    if rank == 0:
        text = json.dumps(result)
        try:
            with open(path + ".json", "w", encoding="utf-8") as file:
                file.write(text)
        except OSError:
            pass
        sys.stdout.write(MARK + text + "\n")
        sys.stdout.flush()
    library.MPI_Finalize()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
