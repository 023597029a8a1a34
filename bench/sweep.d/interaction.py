"""What each parameter does, and whether what is best of one depends on another: as far as the runs show it."""
import itertools
import warnings

import numpy

from comparison import SURE, share_better, sure

# As many as a confidence of 95 % needs to be told from less, and the machine's memory allows.
_PERMUTATIONS = 2000
_MOST_VALUES = 20000000
_SEED = 2


class Effect:
    """
    Of one parameter: `of_values`, for each value the best median that a setting with it has, None without any; `best` and `worst`, the indices of
    the best and the worst of these, None without any; `loss`, how much worse the worst is, as a share of the best; `confidence`, the share of
    permutations that lie less far apart (_confidence).
    """

    def __init__(self, parameter, rows, confidence):
        self.parameter = parameter
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
        return self.confidence >= SURE


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
    found = [Effect(parameter, [_best(sweep, comparison, {place: value}) for value in parameter.values], _confidence(sweep, comparison, place, sign))
             for place, parameter in enumerate(sweep.parameters) if len(parameter.values) > 1]
    return sorted(found, key=lambda effect: (not effect.shown, -effect.loss))


def _confidence(sweep, comparison, place, sign):
    """
    That a parameter matters: the share of permutations in which the best medians of its values lie less far apart than they do. In each the runs of the
    settings that differ in it alone are dealt anew, within their round. The values that lie farthest apart are found in the data, so no test of these two
    alone would do.
    """
    able = [row.setting for row in comparison.rows if row.median is not None and not row.failed]
    if not able:
        return 0.0
    runs = sign * comparison.runs[able]
    values = numpy.array([sweep.parameters[place].values.index(sweep.settings[setting][place]) for setting in able])
    blocks = {}
    for i, setting in enumerate(able):
        others = sweep.settings[setting]
        blocks.setdefault(tuple(others[:place]) + tuple(others[place + 1:]), []).append(i)
    count = int(min(_PERMUTATIONS, max(200, _MOST_VALUES // max(1, runs.size))))
    generator = numpy.random.default_rng(_SEED)
    dealt = numpy.broadcast_to(runs, (count,) + runs.shape).copy()
    for block in blocks.values():
        mine = dealt[:, block]
        dealt[:, block] = numpy.take_along_axis(mine, generator.random(mine.shape).argsort(axis=1), axis=1)
    apart = _apart(runs[None], values)[0]
    return float(numpy.mean(numpy.append(_apart(dealt, values), numpy.inf) < apart * (1 - 1e-12)))


def _apart(runs, values):
    """Of each of many tables of runs, settings by rounds: from the least to the most of the values' best medians."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # a setting that was dealt no run at all
        medians = numpy.nanmedian(runs, axis=2)
        best = numpy.stack([numpy.nanmin(medians[:, values == value], axis=1) for value in numpy.unique(values)], axis=1)
        return numpy.nanmax(best, axis=1) - numpy.nanmin(best, axis=1)


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
