"""What each parameter does, and whether what is best of one depends on another."""
import itertools

import numpy


class Effect:
    """
    Of one parameter: `best`, the index of the value of the best setting among its own; `of_values`, for each value the best median that a setting
    with it has, None without any; `loss`, how much worse the worst of these is than the best, as a share.
    """

    def __init__(self, parameter, of_values, sign):
        self.parameter, self.of_values = parameter, of_values
        known = [(sign * value, i) for i, value in enumerate(of_values) if value is not None]
        self.best = min(known)[1] if known else None
        best, worst = (of_values[min(known)[1]], of_values[max(known)[1]]) if known else (0, 0)
        self.loss = abs(worst - best) / abs(best) if best else 0.0


class Pair:
    """
    Of two parameters: `cells[i][j]` is the best median with value i of the first and j of the second, whatever the others are, NaN without
    any. `strength`: the share of the cells' variance, in logarithms where all are above 0, that the two parameters by themselves do not explain;
    None where a cell is missing, of which there is nothing to say.
    `best_second[i]`: the index of the second's best value where the first has value i, None without any.
    """

    def __init__(self, first, second, cells, sign):
        self.first, self.second, self.cells = first, second, cells
        self.strength = _strength(cells)
        self.best_second = [None if numpy.isnan(row).all() else int(numpy.nanargmin(sign * row)) for row in cells]


def effects(sweep, comparison):
    """Of the parameters with several values, the one that matters most first."""
    sign = -1 if sweep.higher_is_better else 1
    found = []
    for place, parameter in enumerate(sweep.parameters):
        if len(parameter.values) > 1:
            found.append(Effect(parameter, [_best(sweep, comparison, {place: value}, sign) for value in parameter.values], sign))
    return sorted(found, key=lambda effect: -effect.loss)


def pairs(sweep, comparison):
    """Of the parameters with several values, the strongest interaction first."""
    sign = -1 if sweep.higher_is_better else 1
    several = [place for place, parameter in enumerate(sweep.parameters) if len(parameter.values) > 1]
    found = []
    for a, b in itertools.combinations(several, 2):
        # The one with more values down the page, as there is more room for rows.
        if len(sweep.parameters[a].values) < len(sweep.parameters[b].values):
            a, b = b, a
        first, second = sweep.parameters[a], sweep.parameters[b]
        cells = numpy.array([[_number(_best(sweep, comparison, {a: x, b: y}, sign)) for y in second.values] for x in first.values])
        found.append(Pair(first, second, cells, sign))
    return sorted(found, key=lambda pair: -(pair.strength or 0))


def _best(sweep, comparison, wanted, sign):
    scores = [row.score for row in comparison.rows
              if row.score is not None and not row.failed and all(sweep.settings[row.setting][place] == value for place, value in wanted.items())]
    return sign * min(scores) if scores else None


def _number(value):
    return float("nan") if value is None else value


def _strength(cells):
    if numpy.isnan(cells).any():
        return None
    values = numpy.log(cells) if (cells > 0).all() else cells
    mean = values.mean()
    rest = values - values.mean(axis=1, keepdims=True) - values.mean(axis=0, keepdims=True) + mean
    whole = ((values - mean) ** 2).sum()
    return float((rest ** 2).sum() / whole) if whole > 0 else 0.0
