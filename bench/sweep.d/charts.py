# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The overlap project
"""The charts of a sweep."""
import matplotlib
import numpy

from drawing import PATTERNS, SERIES, VARIABLES, WIDTH, plot, svg

# More settings than that are a list, no chart.
MOST_BOXES = 30


def boxes(sweep, rows, axis, coloured=None):
    """
    A box for each of `rows`, the first one above: the quartiles and the median, whiskers to the least and the most, each run as a dot.
    `coloured`: a parameter whose values have a colour each, or None.
    """
    label = _labels(sweep, rows, coloured)
    figure, axes = plot.subplots(figsize=(WIDTH, 0.9 + 0.3 * len(rows)))
    for place, row in enumerate(rows):
        colour = _colour(sweep, row, coloured)
        pattern = PATTERNS[SERIES.index(colour)] if coloured else ""
        axes.boxplot([row.all], positions=[place], vert=False, widths=0.62, whis=(0, 100), patch_artist=True, showfliers=False,
                     boxprops=_look(colour, pattern),
                     medianprops={"color": colour, "linewidth": 2.6, "solid_capstyle": "butt", "zorder": 6},
                     whiskerprops={"color": colour, "linewidth": 1.2}, capprops={"linewidth": 0})
        axes.plot(row.all, [place] * len(row.all), "o", markersize=3.6, color=colour, markeredgecolor=VARIABLES["surface"],
                  markeredgewidth=0.6, zorder=5)
    axes.set_yticks(range(len(rows)), label)
    axes.set_ylim(len(rows) - 0.4, -0.6)
    axes.set_xlabel(axis)
    if coloured:
        shown = {_colour(sweep, row, coloured) for row in rows}
        handles = [matplotlib.patches.Patch(**_look(SERIES[i], PATTERNS[i]), label=coloured.shown(value)) for i, value in enumerate(coloured.values) if SERIES[i] in shown]
        figure.legend(handles=handles, title=None, loc="upper left", ncol=len(handles), bbox_to_anchor=(0, 1), borderaxespad=0.2,
                      handlelength=1, handleheight=1, columnspacing=1.4, handletextpad=0.5)
    figure.tight_layout(pad=0.4, rect=(0, 0, 1, 1 - (0.3 / figure.get_figheight() if coloured else 0)))
    return svg(figure, "%d box plots, best setting first" % len(rows))


def colourable(effects):
    """The parameter that matters most and has no more values than there are colours that are told apart; None where there is none."""
    return next((effect.parameter for effect in effects if 2 <= len(effect.parameter.values) <= len(SERIES)), None)


def effects(found, axis):
    """For each parameter a line with a dot for each value, where the best setting with it lies."""
    figure, axes = plot.subplots(figsize=(WIDTH, 0.55 + 0.7 * len(found)))
    for place, effect in enumerate(found):
        known = [(value, i) for i, value in enumerate(effect.of_values) if value is not None]
        axes.plot([min(known)[0], max(known)[0]], [place, place], "-", color=VARIABLES["line"], linewidth=5, solid_capstyle="round", zorder=1)
        for value, i in known:
            mine = i == effect.best
            axes.plot([value], [place], "o", markersize=9 if mine else 7, color=VARIABLES["accent" if mine else "soft"],
                      markeredgecolor=VARIABLES["surface"], markeredgewidth=1.2, zorder=4 if mine else 3)
    axes.set_xlabel(axis)
    axes.set_yticks(range(len(found)), ["%s " % effect.parameter.name for effect in found])
    axes.set_ylim(len(found) - 0.4, -0.75)
    axes.margins(x=0.06)
    figure.tight_layout(pad=0.4)
    figure.canvas.draw()
    for place, effect in enumerate(found):
        _spread(axes, place, effect)
    return svg(figure, "effect of each parameter")


def _spread(axes, place, effect):
    """The names of the values above their dots, below where one would touch its neighbour's; where there is no room either, it is left to the tables."""
    taken = {8: [], -16: []}
    order = sorted(range(len(effect.of_values)), key=lambda i: i != effect.best)
    for i in order:
        value, name = effect.of_values[i], effect.parameter.shown(effect.parameter.values[i])
        if value is None:
            continue
        x = axes.transData.transform((value, place))[0]
        half = 3.2 * len(name) + 5
        for above, others in taken.items():
            if all(abs(x - other) > half + width for other, width in others):
                others.append((x, half))
                axes.annotate(name, (value, place), xytext=(0, above), textcoords="offset points", ha="center", fontsize=9,
                              color=VARIABLES["accent" if i == effect.best else "soft"], fontweight="bold" if i == effect.best else "normal")
                break


def heatmap(pair, better, number):
    """
    The cells of two parameters, the better the darker; the best of all is framed; one without a setting that never failed has a dash. `better`:
    -1 where more is better, else 1.
    """
    rows, columns = pair.cells.shape
    figure, axes = plot.subplots(figsize=(1.75 + 0.82 * columns, 0.75 + 0.36 * rows))
    score = better * pair.cells
    span = numpy.nanmax(score) - numpy.nanmin(score)
    shade = (numpy.nanmax(score) - score) / (span or 1)
    colours = matplotlib.colors.LinearSegmentedColormap.from_list("blues", ["#eaf2fa", "#9cc4e4", "#3f85bd", "#0b3c6b"])
    # An image of the cells would be one of pixels.
    axes.set_xlim(-0.5, columns - 0.5)
    axes.set_ylim(rows - 0.5, -0.5)
    for i in range(rows):
        for j in range(columns):
            if not numpy.isnan(pair.cells[i, j]):
                axes.add_patch(matplotlib.patches.Rectangle((j - 0.48, i - 0.46), 0.96, 0.92, color=colours(shade[i, j]), linewidth=0))
                axes.text(j, i, number(pair.cells[i, j]), ha="center", va="center", fontsize=9.5,
                          color="#ffffff" if shade[i, j] > 0.66 else "#10243a")
            else:
                axes.text(j, i, "–", ha="center", va="center", fontsize=9, color=VARIABLES["soft"])
    axes.grid(False)
    best = numpy.unravel_index(numpy.nanargmin(score), score.shape)
    axes.add_patch(matplotlib.patches.Rectangle((best[1] - 0.47, best[0] - 0.45), 0.94, 0.9, fill=False, edgecolor="#f5a623", linewidth=2.4))
    axes.set_xticks(range(columns), [pair.second.shown(value) for value in pair.second.values])
    axes.set_yticks(range(rows), [pair.first.shown(value) for value in pair.first.values])
    axes.tick_params(axis="x", colors=VARIABLES["ink"], labeltop=True, labelbottom=False)
    axes.set_xlabel(pair.second.name)
    axes.xaxis.set_label_position("top")
    axes.set_ylabel(pair.first.name)
    figure.tight_layout(pad=0.4)
    return svg(figure, "%s by %s" % (pair.first.name, pair.second.name))


def _labels(sweep, rows, coloured):
    """Values alone where names would only repeat: the axis says whose they are."""
    places = [i for i, p in enumerate(sweep.parameters) if len(p.values) > 1]
    return [" · ".join(("%s" if p is coloured or not p.values[0][:1].isdigit() else p.name + " %s") % p.shown(sweep.settings[row.setting][i])
                      for i, p in ((i, sweep.parameters[i]) for i in places)) or "all runs" for row in rows]


def _look(colour, pattern):
    """Of a box: a pale ground, or a pattern on the page's, as the opacity of a ground is that of its pattern as well."""
    ground = VARIABLES["surface"] if pattern else (*matplotlib.colors.to_rgb(colour), 0.28)
    return {"facecolor": ground, "edgecolor": colour, "linewidth": 0.8, "hatch": pattern}


def _colour(sweep, row, coloured):
    if coloured is None:
        return VARIABLES["accent"]
    place = [p.name for p in sweep.parameters].index(coloured.name)
    return SERIES[coloured.values.index(sweep.settings[row.setting][place])]
