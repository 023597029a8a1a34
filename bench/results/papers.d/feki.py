# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The overlap project
"""
The series of Feki & Gabriel, "On Overlapping Communication and File I/O in Collective Write Operation", section IV: benchmarks by clusters by numbers of ranks,
smaller. Their schedules have two sub-buffers; all else is the component's default.
"""
from runs import Comparison

PAPER = "Feki &amp; Gabriel"
SCHEDULES = ["none", "comm", "write", "write-comm", "write-comm-2"]
# Schedules that write asynchronously.
ASYNCHRONOUS = SCHEDULES[2:]
PRIMITIVES = ["two-sided", "put-fence", "put-lock"]
BENCHMARKS = {"ior": "IOR", "tile-256": "Tile 256 B", "tile-1m": "Tile 1 MiB", "flash": "FLASH"}
# Of a rank in a call of FLASH, which writes a variable with each: blocks of 16 x 16 x 16 cells.
_FLASH_KIB = 640
# MB/s of the storage beside NICs of 800 Mbit/s. The text says of `none` that it spends 7 % of the time in communication on crill and 23 % on Ibex (IV.A).
CLUSTERS = {"slow storage": 60, "fast storage": 200}
THEIR_CLUSTERS = {"slow storage": "crill", "fast storage": "Ibex"}
MBIT = 800


class Series:
    """A benchmark on a cluster with so many ranks, and what was measured there; `rows` is None where it is missing."""

    def __init__(self, benchmark, cluster, shape):
        self.benchmark, self.cluster, self.shape = benchmark, cluster, shape
        self.ranks = _ranks(shape)
        self.name = "feki/%s/%s/%d" % (benchmark, cluster.replace(" ", "-"), self.ranks)
        self.rows = None

    def median(self, label):
        """None where it was not measured or failed."""
        return self.rows.get(label, {}).get("median")

    def best(self, labels):
        """The fastest of the labels; None where not all of them have a time."""
        medians = {label: self.median(label) for label in labels}
        return None if None in medians.values() else min(labels, key=medians.get)

    def decided(self, labels):
        """Whether no run of the others was as fast as the slowest of the best one."""
        best = self.best(labels)
        return all(self.rows[label]["least"] > self.rows[best]["most"] for label in labels if label != best)


def series(results, size):
    """Those that were measured."""
    found = []
    for each in _all(size):
        if each.name in results:
            each.rows = results[each.name]["rows"]
            # write-comm-2 by messages is the first of the primitives.
            if "write-comm-2" in each.rows:
                each.rows["two-sided"] = each.rows["write-comm-2"]
            found.append(each)
    return found


def runs(size, openmpi):
    return [Comparison(each.name, _kernel(each, size), _contenders(each, size, openmpi),
                       ["--cluster", each.shape, "--mbit", MBIT, "--storage-mbps", CLUSTERS[each.cluster]], size.repetitions) for each in _all(size)]


def _all(size):
    return [Series(benchmark, cluster, shape) for cluster, shapes in size.shapes.items() for benchmark in size.benchmarks for shape in shapes]


def _ranks(shape):
    hosts, ranks = shape.split("x")
    return int(hosts) * int(ranks)


def _kernel(each, size):
    rows = max(1, size.rank_kib // 1024)
    return {
        # Their block is one of 1 GB for each rank.
        "ior": ["ior", "--block", "%dk" % size.rank_kib],
        "tile-256": ["tile", "--element", 256, "--tiles", each.ranks, 1, "--tile-y", size.rank_kib * 4],
        "tile-1m": ["tile", "--element", "1m", "--tiles", each.ranks, 1, "--tile-y", rows],
        "flash": ["flash", "--variables", max(1, round(size.rank_kib / _FLASH_KIB))],
    }[each.benchmark]


def _kib_of_call(each, size):
    return _FLASH_KIB if each.benchmark == "flash" else size.rank_kib


def _contenders(each, size, openmpi):
    # As many cycles as their 32 MiB give for 1 GB a rank would take minutes; 8 of `none` for 4 aggregators show what they show.
    buffer_ = max(64 << 10, each.ranks * _kib_of_call(each, size) * 1024 // 4 // 8)
    common = "slots=2:shuffle=two-sided:writes=collective:io_ompio_bytes_per_agg=%d" % buffer_
    contenders = ["none=overlap:algorithm=none:%s:report=json:report_file={report}" % common]
    contenders += ["%s=overlap:algorithm=%s:%s" % (schedule, schedule, common) for schedule in SCHEDULES[1:]]
    if each.benchmark != "flash":
        # Every block is put, whatever its size. Between nodes Debian's 4.1 has windows by pt2pt alone.
        put = common.replace("two-sided", "%s") + ":put_threshold=0:window_threshold=0" + (":osc=pt2pt" if openmpi == "4" else "")
        contenders += ["%s=overlap:algorithm=write-comm-2:%s" % (primitive, put % primitive) for primitive in PRIMITIVES[1:]]
    return contenders + ["default=overlap"]
