# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The overlap project
"""How sure it is which setting is best: medians, and what resampling the runs says of them."""
import numpy

import journal
import tables

RESAMPLES = 10000
SURE = 0.95
# Resampling fewer values than that makes intervals too narrow, and nothing sure.
FEW = 5
# What is drawn is drawn alike each time: the same results are the same report.
_SEED = 1


class Row:
    """A setting: what tables.settings says, and `interval`, in which 95 % of the resampled medians lie; None without a value."""

    def __init__(self, data, sign):
        self.setting, self.runs, self.failed, self.all = data["setting"], data["runs"], data["failed"], data["all"]
        self.median, self.least, self.most = data["median"], data["least"], data["most"]
        # As good as the best, by how many of the resamples are better; set by Comparison.
        self.behind_best = None
        self.resampled = resampled_medians(self.all, self.setting) if self.all else None
        self.interval = tuple(numpy.percentile(self.resampled, [2.5, 97.5])) if self.all else None
        self.score = None if self.median is None else sign * self.median


class Comparison:
    """
    `rows`: the settings, best first. `best`: the first of those that never failed, None where there is none; `second`: the next of them.
    `confidence`: the share of resamples in which the best one's median is better than the second's, ties counted half; `gain`: how much better
    the best median is, as a share of the second (None where that is 0), and `gain_interval`, where the middle 90 % of the resamples have it: it lies above 0 where the
    confidence is 95 %. `tied`: rows of which that
    is not sure, the best among them: of fewer than FEW runs nothing is. `runs`: of each setting the value of each repetition, NaN without any.
    """

    def __init__(self, sweep, results):
        sign = -1 if sweep.higher_is_better else 1
        self.rows = [Row(data, sign) for data in tables.settings(sweep, results)]
        able = [row for row in self.rows if row.median is not None and not row.failed]
        self.best = able[0] if able else None
        self.second = able[1] if len(able) > 1 else None
        self.confidence = self.gain = self.gain_interval = None
        self.tied = []
        for row in able:
            row.behind_best = share_better(self.best.resampled, row.resampled, sign)
            if row is self.best or not sure(self.best, row, row.behind_best):
                self.tied.append(row)
        if self.second:
            self.confidence = self.second.behind_best
            gains = _gain(self.best.resampled, self.second.resampled, sign)
            # Of nothing there is no share.
            if self.second.median != 0 and numpy.isfinite(gains).all():
                self.gain = float(_gain(self.best.median, self.second.median, sign))
                self.gain_interval = tuple(numpy.percentile(gains, [5, 95]))
        self.fewest = min((len(row.all) for row in able), default=0)
        self.runs = numpy.full((len(sweep.settings), sweep.repetitions), numpy.nan)
        for number, (setting, repetition) in enumerate(sweep.order):
            if number in results and results[number]["outcome"] == journal.OK:
                self.runs[setting, repetition] = results[number]["value"]


def resampled_medians(values, which):
    """Of RESAMPLES draws of as many values, with replacement; each setting draws its own."""
    generator = numpy.random.default_rng([_SEED, which])
    array = numpy.asarray(values, dtype=float)
    return numpy.median(array[generator.integers(0, len(array), (RESAMPLES, len(array)))], axis=1)


def share_better(mine, others, sign):
    """The share of two settings' resampled medians in which the first's is better, ties counted half."""
    return float(numpy.mean(sign * mine < sign * others) + numpy.mean(mine == others) / 2)


def sure(mine, others, share, comparisons=1):
    """Whether the first of two rows is better, of as many comparisons as were made to find these two. `share`: share_better of them."""
    return share >= 1 - (1 - SURE) / comparisons and min(len(mine.all), len(others.all)) >= FEW


def _gain(best, other, sign):
    """Of a time what is saved, of a rate what is added, as a share of the other's."""
    with numpy.errstate(divide="ignore", invalid="ignore"):
        return sign * (numpy.asarray(other, dtype=float) - best) / numpy.abs(other)
