# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The overlap project
"""The file system of the folder that a job writes to."""
import fcntl
import os
import re
import tempfile

from finding import Finding
from openmpi import output_of

# Whether clients on several nodes see each other's writes, as glue/storage/file_system.c of the component has it, with the sources.
ONE_NODE = {"ext2", "ext3", "ext4", "xfs", "btrfs", "f2fs", "tmpfs", "ramfs", "overlay", "zfs", "bcachefs"}
COHERENT = {"lustre", "gpfs", "gfs2", "ocfs2", "ceph"}
UNDER_A_LOCK = {"nfs", "nfs4"}
LEAST_SPACE = 256 << 20
LEAST_SHARED_MEMORY = 64 << 20


class Mount:
    """Of /proc/self/mountinfo (proc(5)) the one that a path is in. OVERLAP_DOCTOR_MOUNTINFO names another file, for tests."""

    def __init__(self, path):
        self.point, self.kind, self.options = "/", "unknown", set()
        path = os.path.realpath(path)
        try:
            with open(os.environ.get("OVERLAP_DOCTOR_MOUNTINFO", "/proc/self/mountinfo"), encoding="utf-8", errors="replace") as file:
                lines = file.read().splitlines()
        except OSError:
            return
        for line in lines:
            fields, _, rest = line.partition(" - ")
            fields, rest = fields.split(), rest.split()
            if len(fields) < 6 or len(rest) < 3:
                continue
            point = re.sub(r"\\(\d{3})", lambda octal: chr(int(octal.group(1), 8)), fields[4])
            # Of two on one point the later one is seen.
            if (path == point or path.startswith(point.rstrip("/") + "/")) and len(point) >= len(self.point):
                self.point, self.kind, self.options = point, rest[0], set(fields[5].split(",")) | set(rest[2].split(","))

    def coherence(self):
        """"one node", "coherent", "under a lock" or "not coherent"."""
        if self.kind in ONE_NODE:
            return "one node"
        if self.kind in COHERENT:
            return "coherent"
        if self.kind in UNDER_A_LOCK and self.options & {"local_lock=none", "local_lock=flock"}:
            return "under a lock"
        return "not coherent"


def size(bytes_):
    for unit in ("bytes", "KiB", "MiB", "GiB", "TiB", "PiB"):
        if bytes_ < 1024 or unit == "PiB":
            return "%.*f %s" % (0 if unit == "bytes" else 1, bytes_, unit)
        bytes_ /= 1024.0


def describe(folder):
    mount = Mount(folder)
    try:
        free = os.statvfs(folder)
        space = ", %s free" % size(free.f_bavail * free.f_frsize)
    except OSError:
        space = ""
    return "%s: %s, %s%s" % (os.path.realpath(folder), mount.kind, mount.coherence(), space)


def can_write(folder):
    """The finding that it cannot be written to, or None."""
    mount = Mount(folder)
    error = None
    if not os.path.isdir(folder):
        error = "is no folder"
    elif "ro" in mount.options:
        error = "is on a file system that is mounted read-only (%s)" % mount.point
    elif not os.stat(folder).st_mode & 0o222:
        error = "is read-only for everybody but root"
    else:
        try:
            tempfile.TemporaryFile(dir=folder).close()
        except OSError as failure:
            error = "cannot be written to: %s" % failure.strerror
    line = "chmod u+w " + folder if os.path.isdir(folder) else "overlap doctor " + (os.path.dirname(folder) or ".") if os.path.exists(folder) else "mkdir -p " + folder
    return Finding("The folder %s %s" % (folder, error), "MPI_File_open with MPI_MODE_CREATE fails.", line + "     # or another folder", stops=True) if error else None


def findings(folder, nodes):
    """`nodes`: of the job, None where it is not known."""
    found = [can_write(folder)]
    if found[0] and not os.path.isdir(folder):
        return found
    mount = Mount(folder)
    if mount.coherence() == "not coherent":
        why = "its locks stay on the client" if mount.kind in UNDER_A_LOCK else "clients may keep pages that others have written"
        found.append(Finding("The file system of %s (%s) is not coherent: %s" % (folder, mount.kind, why),
                             "With ranks on several nodes data with gaps is written piece by piece, and bytes that another node wrote may not be seen before the file is closed.",
                             "export OMPI_MCA_fcoll_overlap_holes=list" if mount.kind not in UNDER_A_LOCK else "# mount it without nolock and local_lock"))
    if not found[0]:
        found += [_locks(folder, mount), _space(folder)]
    found += [_stripes(folder, nodes) if mount.kind == "lustre" else None, _lock_files(folder), _shared_memory()]
    return [each for each in found if each]


def _locks(folder, mount):
    error = None
    if mount.kind == "lustre" and not mount.options & {"flock", "localflock"} and "noflock" in mount.options:
        error = "mounted with noflock"
    elif mount.kind == "lustre" and "localflock" in mount.options:
        error = "mounted with localflock: locks of one node are not seen by others"
    else:
        try:
            with tempfile.TemporaryFile(dir=folder) as file:
                fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1)
        except OSError as failure:
            error = failure.strerror
    return Finding("The file system of %s gives no locks: %s" % (folder, error),
                   "Data with gaps is written piece by piece, and atomic mode and shared file pointers fail.", "export OMPI_MCA_sharedfp=^lockedfile") if error else None


def _space(folder):
    there = os.statvfs(folder)
    free = there.f_bavail * there.f_frsize
    if there.f_blocks and free < LEAST_SPACE:
        return Finding("The file system of %s has only %s left" % (folder, size(free)), "A write may end with MPI_ERR_NO_SPACE.", "df -h %s     # make room, or take another folder" % folder)
    return None


def _stripes(folder, nodes):
    """Of a file that is made there: one stripe a node, not more than there are targets."""
    nodes = max(nodes or 1, int(os.environ.get("SLURM_JOB_NUM_NODES", "1")))
    said = re.search(r"stripe_count:\s*(-?\d+)|^\s*(-?\d+)\s*$", output_of(["lfs", "getstripe", "-d", folder], 20), re.M)
    if not said:
        return None
    count = int(said.group(1) or said.group(2))
    targets = len(re.findall(r"^\d+:", output_of(["lfs", "osts", folder], 20), re.M))
    best = max(1, min(nodes, targets or nodes))
    if count == -1 or count >= best:
        return None
    return Finding("New files in %s have %d stripe%s on Lustre, and the job has %d nodes" % (folder, count, "" if count == 1 else "s", nodes),
                   "%d of %s storage targets take all the data." % (count, targets or "the"), "lfs setstripe -c %d -S 4M %s" % (best, folder))


def _lock_files(folder):
    """FILE-JOB-PROCESS.lock of sharedfp/lockedfile, FILE.locktest.RANK of its test (sharedfp_lockedfile_file_open.c)."""
    left = sorted(name for name in os.listdir(folder) if not name.startswith(".overlap-doctor") and re.search(r"(-\d+-\d+\.lock|\.locktest\.\d+)$", name))
    if not left:
        return None
    return Finding("%s has %d lock file%s of sharedfp, such as %s" % (folder, len(left), "" if len(left) == 1 else "s", left[0]),
                   "Jobs that were killed left them; between nodes every MPI_File_open makes one, which no program without shared file pointers needs.",
                   "find %s -maxdepth 1 -regextype posix-extended -regex '.*(-[0-9]+-[0-9]+[.]lock|[.]locktest[.][0-9]+)' -delete\n"
                   "export OMPI_MCA_sharedfp=^lockedfile" % folder)


def _shared_memory():
    """OVERLAP_DOCTOR_SHM names another folder, for tests."""
    place = os.environ.get("OVERLAP_DOCTOR_SHM", "/dev/shm")
    try:
        there = os.statvfs(place)
        free = there.f_bavail * there.f_frsize
    except OSError:
        return Finding("There is no %s" % place, "Ranks of a node cannot share memory; Open MPI takes slower ways, or fails.", "# docker run --shm-size=1g")
    if free > LEAST_SHARED_MEMORY:
        return None
    return Finding("%s has only %s free" % (place, size(free)), "Ranks of a node exchange data there: the job may end with a bus error.", "# docker run --shm-size=1g, or remove what is left in %s" % place)
