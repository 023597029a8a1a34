# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The overlap project
"""Jha & Gabriel, "Performance Models for Communication in Collective I/O Operations", Evaluation III: does the model tell which way the time goes?"""
import plots
from drawing import SERIES
from parts import Claim, figure, section
from runs import Trend

NAME = "jha-trends"
# Match and mismatch, summed over even and static partitioning of 1-D and 2-D data.
THEIRS = {"bytes of a rank": (133, 0), "aggregators": (150, 22), "ranks": (73, 7)}
_RUN = "jha/trends"


def runs(size, openmpi):
    return [Trend(_RUN, size.trend)]


def claims(results, size):
    counts = results.get(_RUN, {}).get("counts", {})
    return [Claim("The model tells the trend where the %s change" % what, "Jha &amp; Gabriel, Evaluation III", "%d of %d" % (match, match + mismatch),
                  "%d of %d" % (counts[what]["match"], counts[what]["match"] + counts[what]["mismatch"]) if counts else None)
            for what, (match, mismatch) in THEIRS.items()]


def page(results, size):
    mine = results.get(_RUN)
    figures = []
    if mine:
        rows = []
        for what, (match, mismatch) in THEIRS.items():
            counts = mine["counts"][what]
            rows.append((what.capitalize() + ", theirs", (match, mismatch, 0), True))
            rows.append(("ours", (counts["match"], counts["mismatch"], counts["spread"]), False))
        figures.append(figure(plots.stacked(rows, ["match", "mismatch", "within the spread, left out"], "trends that the model tells", unit="",
                                             colours=[SERIES[2], SERIES[5], SERIES[0]])))
        groups = {}
        for point in mine["points"]:
            groups.setdefault("%d aggregator%s" % (point["aggregators"], "" if point["aggregators"] == 1 else "s"), []).append((point["median"], point["predicted"]))
        figures.append(figure(plots.scatter(groups, ("measured, s", "predicted, s"), "predicted and measured times"), "Each job of the grid; the line: predicted as measured."))
    theirs = "Tables of cases 1 to 3: one of bytes, aggregators and ranks changes, and the LogGP model's time goes the same way as the measured one, or not. 36 to 576 processes."
    ours = ("Pairs of neighbours in a grid of jobs on 4 hosts with NICs of 400 Mbit/s (bench/results/trend), even partitioning, the component's own model; the network's rate is fitted to the job in the middle.")
    return section(NAME, "What the model foretells", theirs, ours, *figures)
