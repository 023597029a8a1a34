"""What each parameter does, and whether what is best of one depends on another: as far as the runs show it."""
import itertools

import numpy

from comparison import SURE, share_better


class Effect:
    """
    Of one parameter: `of_values`, for each value the best median that a setting with it has, None without any; `best` and `worst`, the indices of
    the best and the worst of these, None without any; `loss`, how much worse the worst is, as a share of the best; `confidence`, the share of
    resamples in which it is worse.
    """

    def __init__(self, parameter, rows, sign):
        self.parameter = parameter
        self.of_values = [None if row is None else row.median for row in rows]
        known = sorted((row.score, i) for i, row in enumerate(rows) if row is not None)
        self.best, self.worst = (known[0][1], known[-1][1]) if known else (None, None)
        self.loss, self.confidence = 0.0, 0.0
        if known and rows[self.best].median:
            best, worst = rows[self.best], rows[self.worst]
            self.loss = abs(worst.median - best.median) / abs(best.median)
            self.confidence = share_better(best.resampled, worst.resampled, sign)

    @property
    def shown(self):
        return self.confidence >= SURE


class Pair:
    """
    Of two parameters: `cells[i][j]` is the best median with value i of the first and j of the second, whatever the others are, NaN without
    any. `common`: the index of the second's value in the best cell of all. `exceptions`: for values i of the first, the index of the second's value that
    is better there than the common one, in at least 95 % of the resamples.
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
                if best != self.common and share_better(line[best].resampled, line[self.common].resampled, sign) >= SURE:
                    self.exceptions[i] = best


def effects(sweep, comparison):
    """Of the parameters with several values, those that are shown to matter first, then those that matter most."""
    sign = -1 if sweep.higher_is_better else 1
    found = [Effect(parameter, [_best(sweep, comparison, {place: value}) for value in parameter.values], sign)
             for place, parameter in enumerate(sweep.parameters) if len(parameter.values) > 1]
    return sorted(found, key=lambda effect: (not effect.shown, -effect.loss))


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
