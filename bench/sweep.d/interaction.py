# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The overlap project
"""What each parameter does, and whether what is best of one depends on another: as far as the runs show it."""
import itertools
import math

import numpy

from comparison import SURE, share_better, sure

# As many as a confidence of 95 % needs to be told from less.
_PERMUTATIONS = 2000
_AT_ONCE = 100
_SEED = 2


class Effect:
    """
    Of one parameter: `of_values`, for each value the best median that a setting with it has, None without any; `best` and `worst`, the indices of
    the best and the worst of these, None without any; `loss`, how much worse the worst is, as a share of the best; `confidence`, the share of
    permutations that lie less far apart (_confidence); `can_be_told`: there are enough runs for 95 %.
    """

    def __init__(self, parameter, rows, confidence, can_be_told):
        self.parameter, self.can_be_told = parameter, can_be_told
        self.of_values = [None if row is None else row.median for row in rows]
        known = sorted((row.score, i) for i, row in enumerate(rows) if row is not None)
        self.best, self.worst = (known[0][1], known[-1][1]) if known else (None, None)
        self.loss, self.confidence = 0.0, 0.0
        if known and rows[self.best].median:
            best, worst = rows[self.best], rows[self.worst]
            self.loss = abs(worst.median - best.median) / abs(best.median)
            self.confidence = confidence

    @property
    def shown(self):
        return self.can_be_told and self.confidence >= SURE


class Pair:
    """
    Of two parameters: `cells[i][j]` is the best median with value i of the first and j of the second, whatever the others are, NaN without
    any. `common`: the index of the second's value in the best cell of all. `exceptions`: for values i of the first, the index of the second's value that
    is surely better there than the common one, in so many comparisons.
    """

    def __init__(self, first, second, rows, sign):
        self.first, self.second = first, second
        self.cells = numpy.array([[float("nan") if row is None else row.median for row in line] for line in rows])
        known = [(row.score, j) for line in rows for j, row in enumerate(line) if row is not None]
        self.common = min(known)[1] if known else None
        self.exceptions = {}
        for i, line in enumerate(rows):
            mine = [(row.score, j) for j, row in enumerate(line) if row is not None]
            if mine and line[self.common] is not None:
                best = min(mine)[1]
                share = share_better(line[best].resampled, line[self.common].resampled, sign)
                if best != self.common and sure(line[best], line[self.common], share, len(rows) * (len(line) - 1)):
                    self.exceptions[i] = best


def effects(sweep, comparison):
    """Of the parameters with several values, those that are shown to matter first, then those that matter most."""
    sign = -1 if sweep.higher_is_better else 1
    found = [Effect(parameter, [_best(sweep, comparison, {place: value}) for value in parameter.values], *_confidence(sweep, comparison, place, sign))
             for place, parameter in enumerate(sweep.parameters) if len(parameter.values) > 1]
    return sorted(found, key=lambda effect: (not effect.shown, -effect.loss))


def _confidence(sweep, comparison, place, sign):
    """
    That a parameter matters, and whether so many runs can tell: the share of permutations in which the means of its values lie less far apart than they
    do. In each the runs of the settings that differ in it alone, a block, are dealt anew within their round, and a run counts by how far it lies from the
    mean of these. The values that lie farthest apart are found in the data, so no test of these two alone would do.
    """
    able = [row.setting for row in comparison.rows if row.median is not None and not row.failed]
    blocks = {}
    for setting in able:
        others = sweep.settings[setting]
        blocks.setdefault(tuple(others[:place]) + tuple(others[place + 1:]), []).append(setting)
    deviations, values, ends, tellable, most = [], [], [0], 0.0, 0
    for block in blocks.values():
        for runs in comparison.runs[block].T:
            there = ~numpy.isnan(runs)
            if there.sum() > 1:
                mine = runs[there]
                deviations.append(sign * (mine - mine.mean()))
                values.append([sweep.parameters[place].values.index(sweep.settings[setting][place]) for setting in numpy.array(block)[there]])
                ends.append(ends[-1] + len(mine))
                tellable += math.lgamma(len(mine) + 1)
                most = max(most, len(mine))
    if not deviations:
        return 0.0, False
    # Who gives all values other names finds them as far apart.
    can_be_told = math.lgamma(most + 1) - tellable <= math.log(1 - SURE)
    values, deviations = numpy.concatenate(values), numpy.concatenate(deviations)
    apart = _apart(deviations[None], values)[0]
    generator = numpy.random.default_rng(_SEED)
    less = 0
    for _ in range(_PERMUTATIONS // _AT_ONCE):
        dealt = numpy.broadcast_to(deviations, (_AT_ONCE, len(deviations))).copy()
        for begin, end in zip(ends, ends[1:]):
            dealt[:, begin:end] = generator.permuted(dealt[:, begin:end], axis=1)
        less += int(numpy.sum(_apart(dealt, values) < apart * (1 - 1e-9)))
    return less / (_PERMUTATIONS + 1), can_be_told


def _apart(deviations, values):
    """Of each of many lists: from the least to the most of the values' means."""
    means = numpy.stack([deviations[:, values == value].mean(axis=1) for value in numpy.unique(values)], axis=1)
    return means.max(axis=1) - means.min(axis=1)


def pairs(sweep, comparison):
    """Of the parameters with several values, those that depend on each other most first."""
    sign = -1 if sweep.higher_is_better else 1
    several = [place for place, parameter in enumerate(sweep.parameters) if len(parameter.values) > 1]
    found = []
    for a, b in itertools.combinations(several, 2):
        # The one with more values down the page, as there is more room for rows.
        if len(sweep.parameters[a].values) < len(sweep.parameters[b].values):
            a, b = b, a
        first, second = sweep.parameters[a], sweep.parameters[b]
        rows = [[_best(sweep, comparison, {a: x, b: y}) for y in second.values] for x in first.values]
        found.append(Pair(first, second, rows, sign))
    return sorted(found, key=lambda pair: -len(pair.exceptions))


def _best(sweep, comparison, wanted):
    """The row of the best setting with these values that never failed, None without any."""
    return next((row for row in comparison.rows if row.median is not None and not row.failed and
                 all(sweep.settings[row.setting][place] == value for place, value in wanted.items())), None)
