# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The overlap project
"""Feki & Gabriel, Figures 1 to 3: what overlap gains over none."""
import feki
import plots
from drawing import SERIES
from parts import Claim, figure, section, span

NAME = "feki-gains"
# Section IV.A: the range of the average improvement, in percent. The bars of Figures 2 and 3 are lost in our copy.
AVERAGE = {"slow storage": (3.7, 9.2), "fast storage": (8.6, 22.3)}
# Of Figure 1, Tile I/O of 1 MiB with 256 and 576 processes: "no significant" and 6, 34 and 17 %.
TILE_1M = {"slow storage": "about 0 and 6 %", "fast storage": "34 and 17 %"}

runs = feki.runs


def gain(each, schedule):
    """Percent of the time of none; None where one of the two is missing."""
    none, mine = each.median("none"), each.median(schedule)
    return None if None in (none, mine) else 100 * (1 - mine / none)


def average(every, schedule):
    """Of the gains above 0, as in their figures; None without any."""
    gains = [value for value in (gain(each, schedule) for each in every) if value is not None and value > 0]
    return sum(gains) / len(gains) if gains else None


def claims(results, size):
    every = feki.series(results, size)
    found = []
    for cluster, (low, high) in AVERAGE.items():
        mine = [each for each in every if each.cluster == cluster]
        averages = [average([each for each in mine if each.benchmark == benchmark], schedule) for benchmark in feki.BENCHMARKS for schedule in feki.SCHEDULES[1:]]
        averages = [value for value in averages if value is not None]
        found.append(Claim("Average gain of overlap where there is one, %s" % cluster, "Feki &amp; Gabriel, IV.A, %s" % feki.THEIR_CLUSTERS[cluster],
                           "%.1f to %.1f %%" % (low, high), span(averages, "%.1f", " %") if averages else None))
        best = [max(value for value in (gain(each, schedule) for schedule in feki.SCHEDULES[1:]) if value is not None)
                for each in mine if each.benchmark == "tile-1m" and each.best(feki.SCHEDULES)]
        found.append(Claim("Best gain, tiles of 1 MiB, %s" % cluster, "Feki &amp; Gabriel, Figure 1, %s" % feki.THEIR_CLUSTERS[cluster], TILE_1M[cluster],
                           span(best, "%.0f", " %") if best else None))
    return [claim for claim in found if claim.ours is not None or every == []]


def page(results, size):
    every = feki.series(results, size)
    figures = []
    for cluster in size.shapes:
        mine = [each for each in every if each.cluster == cluster]
        if not mine:
            continue
        values = {shown: {schedule: average([each for each in mine if each.benchmark == benchmark], schedule) for schedule in feki.SCHEDULES[1:]}
                  for benchmark, shown in feki.BENCHMARKS.items()}
        low, high = AVERAGE[cluster]
        drawn = plots.bars(list(values), feki.SCHEDULES[1:], values, "gain over none, %", "average gain over none, " + cluster, "{:.0f}".format, colours=SERIES[1:],
                           band=(low, high, "theirs, %s: %.1f to %.1f %%" % (feki.THEIR_CLUSTERS[cluster], low, high)))
        best = max((gain(each, schedule) or 0, each.benchmark, schedule, each.ranks) for each in mine for schedule in feki.SCHEDULES[1:])
        figures.append("<h3>%s</h3>" % cluster.capitalize() + figure(drawn, "The best single one: %.0f %%, %s by %d ranks with %s." % (
            best[0], feki.BENCHMARKS[best[1]], best[3], best[2])))
    theirs = ("Figures 2 and 3: improvement over no overlap, averaged over the series that have one, on crill (storage of hard drives, 7 % of the time in communication) and "
              "Ibex (large storage, 23 %). Their bars are lost in our copy; the band is the range that the text gives.")
    return section(NAME, "What overlap gains", theirs, "The series of the section before; a dash: never faster than none.", *figures)
