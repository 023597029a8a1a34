# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The overlap project
"""Feki & Gabriel, Table I: how often which schedule is best."""
import feki
import plots
from parts import Claim, figure, section, share

NAME = "feki-schedules"
# Table I: runs in which a schedule was the fastest.
THEIRS = {"ior": [21, 11, 32, 28, 15], "tile-256": [17, 13, 18, 31, 26], "tile-1m": [10, 6, 18, 20, 17], "flash": [11, 12, 11, 16, 19]}

runs = feki.runs


def _counts(every):
    best = [each.best(feki.SCHEDULES) for each in every]
    return [best.count(schedule) for schedule in feki.SCHEDULES]


def claims(results, size):
    counts = _counts(feki.series(results, size))
    whole, asynchronous = sum(counts), sum(counts[2:])
    overlapped = whole - counts[0]
    return [
        Claim("An asynchronous write is the best schedule", "Feki &amp; Gabriel, Table I", "251 of 352 (71 %)",
              "%d of %d (%s)" % (asynchronous, whole, share(asynchronous, whole)) if whole else None),
        Claim("Some overlap is better than none", "Feki &amp; Gabriel, Table I", "293 of 352 (83 %)",
              "%d of %d (%s)" % (overlapped, whole, share(overlapped, whole)) if whole else None),
    ]


def chart(results, size):
    every = feki.series(results, size)
    rows = []
    for benchmark, shown in list(feki.BENCHMARKS.items()) + [(None, "All")]:
        mine = [each for each in every if benchmark in (None, each.benchmark)]
        theirs = THEIRS[benchmark] if benchmark else [sum(column) for column in zip(*THEIRS.values())]
        rows.append(("%s, theirs" % shown, theirs, True))
        if mine:
            rows.append(("ours", _counts(mine), False))
    return plots.stacked(rows, feki.SCHEDULES, "how often each schedule is best, theirs and ours", unit="")


def page(results, size):
    every = feki.series(results, size)
    if not every:
        return section(NAME, "Which schedule is best", _THEIRS, _ours(size))
    decided = sum(each.decided(feki.SCHEDULES) for each in every if each.best(feki.SCHEDULES))
    behind = [each.median("default") / min(map(each.median, feki.SCHEDULES)) - 1 for each in every
              if each.median("default") and each.best(feki.SCHEDULES)]
    caption = "Numbers: series in which the schedule had the shortest median. In %d of our %d no run of another schedule was as fast as the slowest of the best." % (
        decided, len(every))
    if behind:
        caption += " The component's default, which is none of these, took %+.0f %% longer than the best of them on the mean (%+.0f to %+.0f %%)." % (
            100 * sum(behind) / len(behind), 100 * min(behind), 100 * max(behind))
    return section(NAME, "Which schedule is best", _THEIRS, _ours(size), figure(chart(results, size), caption.replace("-", "\N{MINUS SIGN}").replace("+", "")))


_THEIRS = ("Table I: 352 series of IOR (1 GB a rank), Tile I/O and FLASH on two clusters, 16 to 729 processes, 32 MiB of collective buffer. No schedule wins everywhere.")


def _ours(size):
    return ("The same patterns with %d MiB a rank, %d rounds; NICs of %d Mbit/s; hosts by ranks: %s; two sub-buffers, four aggregators with 8 cycles." %
            (size.rank_kib >> 10, size.repetitions, feki.MBIT,
             ", ".join("%s on storage of %d MB/s" % (", ".join(shapes), feki.CLUSTERS[cluster]) for cluster, shapes in size.shapes.items())))
