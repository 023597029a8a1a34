# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The overlap project
"""Feki & Gabriel, Figure 4: how often which primitive of the shuffle is best."""
import feki
import plots
from parts import Claim, figure, section, share

NAME = "feki-primitives"
# Section IV.B, in percent of the series; what is left over is lost with the figure's bars.
TWO_SIDED = 75
PUT_FENCE_OF_TILE_256 = 37

runs = feki.runs


def _measured(results, size):
    return [each for each in feki.series(results, size) if each.best(feki.PRIMITIVES)]


def _counts(every):
    best = [each.best(feki.PRIMITIVES) for each in every]
    return [best.count(primitive) for primitive in feki.PRIMITIVES]


def claims(results, size):
    every = _measured(results, size)
    small = [each for each in every if each.benchmark == "tile-256"]
    return [Claim("Two-sided messages are the best shuffle", "Feki &amp; Gabriel, IV.B", "%d %%" % TWO_SIDED,
                  "%d of %d (%s)" % (_counts(every)[0], len(every), share(_counts(every)[0], len(every))) if every else None),
            Claim("Put with fence is best for tiles of 256 B", "Feki &amp; Gabriel, IV.B", "%d %%" % PUT_FENCE_OF_TILE_256,
                  "%d of %d (%s)" % (_counts(small)[1], len(small), share(_counts(small)[1], len(small))) if small else None)]


def page(results, size):
    every = _measured(results, size)
    rows = [("All, theirs: two-sided, or a put", [TWO_SIDED, 100 - TWO_SIDED], True)]
    drawn = ""
    if every:
        for benchmark, shown in feki.BENCHMARKS.items():
            mine = [each for each in every if each.benchmark == benchmark]
            if mine:
                rows.append(("%s, ours" % shown, _shares(mine), False))
        rows.append(("All, ours", _shares(every), False))
        factors = [each.median(primitive) / each.median("two-sided") for each in every for primitive in feki.PRIMITIVES[1:]]
        drawn = figure(plots.stacked(rows, feki.PRIMITIVES, "how often each primitive is best"),
                       "Percent of the series in which it had the shortest median. Puts took %.2f to %.2f times as long as messages." % (min(factors), max(factors)))
    theirs = ("Figure 4, with write-comm-2: two-sided is best in 75 % of the series of IOR and Tile I/O, put with fence in 37 % of those of tiles of 256 B, by 27 and 30 %, on InfiniBand. "
              "The figure's bars are lost in our copy.")
    ours = "The series above. Each block is put by itself (<code>put_threshold 0</code>; the default sends small ones as messages), over TCP, which has no remote access of its own."
    return section(NAME, "Messages or puts", theirs, ours, drawn)


def _shares(every):
    return [100 * count / len(every) for count in _counts(every)]
