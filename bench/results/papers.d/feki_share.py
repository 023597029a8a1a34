# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The overlap project
"""Feki & Gabriel, section IV.A: the shares of shuffle and file access without overlap."""
import feki
import plots
from parts import Claim, figure, section

NAME = "feki-share"
# Of Tile I/O, 1 MiB, 576 processes, in percent of shuffle and of file access (the text has the words of one pair exchanged).
THEIRS = {"slow storage": (7, 93), "fast storage": (23, 77)}

runs = feki.runs


def _shares(every):
    """Percent of shuffle and of file access of aggregators, None without any report."""
    reports = [each.rows["none"].get("report") for each in every if each.rows.get("none")]
    shuffle, file_ = (sum(report[key] for report in reports if report) for key in ("shuffle", "file"))
    return (100 * shuffle / (shuffle + file_), 100 * file_ / (shuffle + file_)) if shuffle + file_ > 0 else None


def claims(results, size):
    found = []
    for cluster, (shuffle, _) in THEIRS.items():
        mine = _shares([each for each in feki.series(results, size) if each.cluster == cluster and each.benchmark == "tile-1m"])
        if mine or not results:
            found.append(Claim("Share of the shuffle without overlap, tiles of 1 MiB, %s" % cluster, "Feki &amp; Gabriel, IV.A, %s" % feki.THEIR_CLUSTERS[cluster],
                               "%d %%" % shuffle, "%.0f %%" % mine[0] if mine else None))
    return found


def page(results, size):
    every = feki.series(results, size)
    rows = []
    for cluster in size.shapes:
        rows.append(("Tile 1 MiB on %s, theirs" % feki.THEIR_CLUSTERS[cluster], THEIRS[cluster], True))
        for benchmark, shown in sorted(feki.BENCHMARKS.items(), key=lambda item: item[0] != "tile-1m"):
            mine = _shares([each for each in every if (each.cluster, each.benchmark) == (cluster, benchmark)])
            if mine:
                rows.append(("%s, %s" % (shown, cluster), mine, False))
    theirs = "Of the time of a collective write of tiles of 1 MiB by 576 processes without overlap: 7 % shuffle on crill, 23 % on Ibex. It is what overlap can hide at most."
    ours = "What the component's report says of the aggregators of <code>none</code> in the same jobs (<code>fcoll_overlap_report json</code>)."
    measured = any(not theirs_ for _, _, theirs_ in rows)
    return section(NAME, "Shuffle and file access", theirs, ours,
                   figure(plots.stacked(rows, ["shuffle", "file access"], "shares of shuffle and file access")) if measured else "")
