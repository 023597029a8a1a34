# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The overlap project
"""The kinds of chart that several sections have."""
import matplotlib

from drawing import SERIES, VARIABLES, WIDTH, plot, svg


def stacked(rows, names, label, unit="%", colours=SERIES):
    """
    A bar of 100 % for each of `rows`: (text, values, whether it is theirs), values by `names`. Bars of theirs are paler, and above them is a gap.
    """
    places = []
    for _, _, theirs in rows:
        places.append(places[-1] + (1.35 if theirs else 1) if places else 0)
    figure, axes = plot.subplots(figsize=(WIDTH, 1.1 + 0.34 * places[-1]))
    for place, (_, values, theirs) in zip(places, rows):
        whole = sum(values)
        left = 0
        for i, value in enumerate(values):
            width = 100 * value / whole if whole else 0
            axes.barh(place, width, left=left, height=0.78, color=colours[i], alpha=0.55 if theirs else 1, edgecolor=VARIABLES["surface"], linewidth=1)
            if width >= 4:
                axes.text(left + width / 2, place, "%.0f %%" % value if unit == "%" else "%d" % value, ha="center", va="center", fontsize=9,
                          color=VARIABLES["ink"] if theirs else VARIABLES["surface"])
            left += width
    axes.set_yticks(places, [text for text, _, _ in rows])
    axes.set_ylim(places[-1] + 0.6, -0.6)
    axes.set_xlim(0, 100)
    axes.xaxis.set_major_formatter(matplotlib.ticker.PercentFormatter(decimals=0))
    _legend(figure, names, colours)
    return svg(figure, label)


def bars(groups, names, values, axis, label, text, band=None, line=None, colours=SERIES):
    """
    Groups of bars: `values[group][name]`, None where there is none; `text`: of a value, above its bar. `band`: (low, high, text) of theirs in the background;
    `line`: a value that all are compared with.
    """
    figure, axes = plot.subplots(figsize=(WIDTH, 3.1))
    axes.grid(False)
    axes.grid(True, axis="y")
    if band:
        axes.axhspan(band[0], band[1], color=VARIABLES["accent-soft"], zorder=0)
        for end in band[:2]:
            axes.axhline(end, color=VARIABLES["accent"], linewidth=1, zorder=1)
    if line is not None:
        axes.axhline(line, color=VARIABLES["soft"], linewidth=1, linestyle=(0, (4, 3)), zorder=1)
    width = 0.8 / len(names)
    for i, name in enumerate(names):
        for place, group in enumerate(groups):
            value = values[group].get(name)
            x = place + (i - (len(names) - 1) / 2) * width
            if value is None:
                axes.text(x, line or 0, "–", ha="center", va="bottom", fontsize=9, color=VARIABLES["soft"])
                continue
            axes.bar(x, value, width=0.9 * width, color=colours[i], zorder=2)
            axes.annotate(text(value), (x, value), xytext=(0, 4 if value >= 0 else -12), textcoords="offset points", ha="center", fontsize=8.5, color=VARIABLES["ink"],
                          bbox={"boxstyle": "square,pad=0", "facecolor": VARIABLES["surface"], "edgecolor": "none"}, zorder=4)
    axes.set_xticks(range(len(groups)), groups)
    axes.tick_params(axis="x", colors=VARIABLES["ink"])
    axes.tick_params(axis="y", colors=VARIABLES["soft"])
    axes.set_ylabel(axis)
    axes.margins(y=0.12)
    if band:
        _legend(figure, [*names, band[2]], [*colours[:len(names)], VARIABLES["accent-soft"]], VARIABLES["accent"])
    elif len(names) > 1:
        _legend(figure, names, colours)
    else:
        figure.tight_layout(pad=0.4)
    return svg(figure, label)


def scatter(groups, axes_of, label):
    """Points by `groups`: {name: [(x, y)]} on two logarithmic axes of the same unit, with the line where both are equal."""
    figure, axes = plot.subplots(figsize=(0.55 * WIDTH, 3.6))
    axes.grid(True, axis="both")
    every = [value for points in groups.values() for point in points for value in point]
    ends = [0.8 * min(every), 1.25 * max(every)]
    axes.plot(ends, ends, color=VARIABLES["soft"], linewidth=1, linestyle=(0, (4, 3)))
    for i, (_, points) in enumerate(groups.items()):
        axes.plot([x for x, _ in points], [y for _, y in points], "o", color=SERIES[i + 1], markersize=6, markeredgecolor=VARIABLES["surface"])
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlim(ends)
    axes.set_ylim(ends)
    for each in (axes.xaxis, axes.yaxis):
        each.set_major_locator(matplotlib.ticker.LogLocator(subs=(1, 2, 5)))
        each.set_major_formatter(matplotlib.ticker.FormatStrFormatter("%g"))
        each.set_minor_formatter(matplotlib.ticker.NullFormatter())
    axes.tick_params(which="minor", length=0)
    axes.tick_params(axis="y", colors=VARIABLES["soft"])
    axes.set_xlabel(axes_of[0])
    axes.set_ylabel(axes_of[1])
    _legend(figure, list(groups), SERIES[1:1 + len(groups)])
    return svg(figure, label)


def _legend(figure, names, colours, edge_of_last=None):
    handles = [matplotlib.patches.Patch(facecolor=colour, label=name) for name, colour in zip(names, colours)]
    if edge_of_last:
        handles[-1].set_edgecolor(edge_of_last)
    figure.legend(handles=handles, loc="upper left", ncol=len(handles), bbox_to_anchor=(0, 1), borderaxespad=0.2, handlelength=1, handleheight=1,
                  columnspacing=1.4, handletextpad=0.5)
    figure.tight_layout(pad=0.4, rect=(0, 0, 1, 1 - 0.32 / figure.get_figheight()))
