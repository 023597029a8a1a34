# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The overlap project
"""Tsujita et al., "Multithreaded Two-Phase I/O", Figure 5: an I/O thread and its slots against ROMIO."""
import math

import plots
from parts import Claim, figure, section, span
from runs import Comparison

NAME = "tsujita-slots"
MBIT, MBPS, SHAPE, AGGREGATORS = 800, 200, "4x2", 4
# Section III.B.
REGION, GAP = 488, 256
SLOTS = [2, 4, 8]
# "up to 60 %" (abstract, III.C); the curves are lost in our copy.
MOST = 1.6


def _regions(size):
    return size.rank_kib * 1024 // REGION


def _cycles(size, kib):
    return math.ceil(8 * _regions(size) * (REGION + GAP) / AGGREGATORS / (kib << 10))


def runs(size, openmpi):
    found = []
    for kib in size.buffers_kib:
        # A slot is a collective buffer. ROMIO's holds the gaps as well, a cycle of ours counts the bytes alone: so all have as many cycles.
        own = (kib << 10) * REGION // (REGION + GAP)
        common = "holes=sieve:io_ompio_num_aggregators=%d" % AGGREGATORS
        contenders = ["romio", "none=overlap:algorithm=none:writer=fbtl:io_ompio_bytes_per_agg=%d:%s" % (own, common)]
        contenders += ["%d slots=overlap:writer=thread:algorithm=write-comm:slots=%d:io_ompio_bytes_per_agg=%d:%s" % (slots, slots, slots * own, common)
                       for slots in SLOTS]
        # No spaces in labels.
        contenders = [contender.replace(" slots=", "-slots=", 1) for contender in contenders]
        found.append(Comparison(_name(kib), ["hpio", "--region-size", REGION, "--region-space", GAP, "--region-count", _regions(size)], contenders,
                                ["--cluster", SHAPE, "--mbit", MBIT, "--storage-mbps", MBPS, "--keep-wrong"], size.repetitions,
                                {"ROMIO_HINTS": "{hints}"}, {"hints": "cb_buffer_size %d\ncb_nodes %d\n" % (kib << 10, AGGREGATORS)}))
    return found


def _name(kib):
    return "tsujita/%d-kib" % kib


def _relative(results, size):
    """{cycles: {contender: throughput by that of ROMIO}}."""
    found = {}
    for kib in size.buffers_kib:
        rows = results.get(_name(kib), {}).get("rows", {})
        romio = rows.get("romio", {}).get("median")
        if romio:
            found[_cycles(size, kib)] = {_shown(label): romio / row["median"] for label, row in rows.items() if label != "romio" and row["median"]}
    return dict(sorted(found.items()))


def _shown(label):
    return "no thread" if label == "none" else label.replace("-", " ")


def claims(results, size):
    relative = _relative(results, size)
    threads = [values[name] for values in relative.values() for name in values if name != "no thread"]
    grows = [values["8 slots"] >= values["2 slots"] for values in relative.values() if "8 slots" in values and "2 slots" in values]
    return [Claim("Throughput of an I/O thread by that of ROMIO, data with gaps", "Tsujita et al., III.C, Figure 5", "up to 1.6",
                  span(threads, "%.2f") if threads else None),
            Claim("8 slots are as good as 2 or better", "Tsujita et al., III.C", "at almost all numbers of cycles",
                  "at %d of %d" % (sum(grows), len(grows)) if grows else None)]


def page(results, size):
    relative = _relative(results, size)
    names = ["no thread"] + ["%d slots" % slots for slots in SLOTS]
    drawn = ""
    if relative:
        values = {"%d cycles" % cycles: mine for cycles, mine in relative.items()}
        drawn = figure(plots.bars(list(values), names, values, "throughput by ROMIO's", "throughput of threads and slots by that of ROMIO", "{:.2f}".format,
                                  band=(MOST - 0.01, MOST, "theirs: up to 1.6"), line=1))
    theirs = ("Figure 5: HPIO (regions of 488 B with gaps of 256 B, 1 GiB a rank), 64 to 256 processes, 30 aggregators, Lustre; ROMIO with an I/O thread and queues of 2, 4 and "
              "8 slots, by ROMIO without; the cycles follow from the buffer.")
    ours = ("The same regions, %d MiB a rank, 8 ranks on 4 hosts, 4 aggregators, NICs of %d Mbit/s, storage of %d MB/s; write-comm with <code>holes sieve</code>, a collective buffer a slot. "
            "ROMIO leaves what its buffer held in the gaps of a fresh file." % (size.rank_kib >> 10, MBIT, MBPS))
    return section(NAME, "Threads and slots", theirs, ours, drawn)
