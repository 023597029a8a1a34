# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The overlap project
"""The picture of timelines: a panel for each, with one scale of time."""

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as pyplot  # noqa: E402  the backend comes first
from matplotlib.patches import Patch  # noqa: E402

from calls import OPERATIONS, common, length  # noqa: E402

# Okabe and Ito's colours, which people tell apart who do not see all of them.
COLOURS = {
    "shuffle": "#56B4E9",
    "write": "#E69F00",
    "read": "#E69F00",
    "plan": "#009E73",
    "copy": "#CC79A7",
    "wait at entry": "#D9D9D9",
    "agree": "#D9D9D9",
    "wait for shuffle": "#C6E3F6",
    "wait for write": "#F6DFAE",
    "wait for read": "#F6DFAE",
}
# And patterns, for paper without colours: what belongs to a shuffle has stripes, what belongs to the file has none.
PATTERNS = {"shuffle": "/////", "wait for shuffle": "/////", "plan": "....", "copy": "xxxx", "wait at entry": "---", "agree": "---"}
SHOWN_AS = {"agree": "wait for other ranks", "wait at entry": "wait for other ranks"}

ROW = 1.0  # height of a sub-buffer
THIN = 0.55  # of what the process does
BETWEEN = 0.35  # processes
INCHES = 0.2  # of a row of height 1
CHARACTER = 0.07  # inches of a digit
INVISIBLE = 0.004  # inches


class Row:
    def __init__(self, label, top, height, slices):
        self.label, self.top, self.height, self.slices = label, top, height, slices


def rows_of(call, shown):
    """From top to bottom: for each process its own row, then its sub-buffers, of other ranks than aggregators the first alone."""
    rows, names, top = [], [], 0.0
    for process in shown:
        own = [each for each in call.slices if each.process == process]
        operations = [each for each in own if each.name in OPERATIONS]
        tracks = sorted({each.track for each in operations})
        first = top
        rows.append(Row("thread", top, THIN, [each for each in own if each.name not in OPERATIONS]))
        top += THIN
        if process in call.aggregators:
            for number, track in enumerate(tracks):
                rows.append(Row(f"sub-buffer {number}", top, ROW, [each for each in operations if each.track == track]))
                top += ROW
        names.append((f"rank {process}", (first + top) / 2))
        top += BETWEEN
    return rows, names, top - BETWEEN


def bars(call, slices, inches_per_ms):
    """For each colour and pattern the (begin, width) of its bars in milliseconds. What one can see no gap between is one bar, but for operations."""
    drawn = {}
    for each in sorted(slices, key=lambda each: each.begin):
        begin, end = (each.begin - call.begin) / 1e3, (each.end - call.begin) / 1e3
        of_colour = drawn.setdefault((COLOURS[each.name], PATTERNS.get(each.name)), [])
        if of_colour and each.name not in OPERATIONS and (begin - sum(of_colour[-1])) * inches_per_ms < INVISIBLE:
            begin = of_colour.pop()[0]
        of_colour.append((begin, end - begin))
    return {look: [bar for bar in parts if bar[1] * inches_per_ms >= INVISIBLE] for look, parts in drawn.items()}


def draw_row(axes, call, row, inches_per_ms):
    width = 0.4 if row.height == ROW else 0
    for (colour, pattern), parts in bars(call, row.slices, inches_per_ms).items():
        axes.broken_barh(parts, (row.top + 0.06, row.height - 0.12), facecolors=colour, edgecolors="white", linewidth=width, hatch=pattern)
    for each in row.slices:
        width = (each.end - each.begin) / 1e3
        number = str(each.args.get("cycle", ""))
        if each.name in OPERATIONS and width * inches_per_ms > CHARACTER * (len(number) + 0.4):
            middle = (each.begin - call.begin) / 1e3 + width / 2
            axes.text(middle, row.top + row.height / 2, number, ha="center", va="center", fontsize=6.5, color="#222222")


def summary(label, call):
    """What is under way on an aggregator, on the mean of all of them."""
    both = shuffles = files = 0.0
    for process in call.aggregators:
        of_file, of_shuffle = call.under_way(process, "write", "read"), call.under_way(process, "shuffle")
        both += length(common(of_file, of_shuffle)) / 1e3 / len(call.aggregators)
        files += length(of_file) / 1e3 / len(call.aggregators)
        shuffles += length(of_shuffle) / 1e3 / len(call.aggregators)
    word = "reads" if any(each.name == "read" for each in call.slices) else "writes"
    parts = f"an aggregator shuffles for {shuffles:.0f} ms, {word} for {files:.0f} ms, both at once for {both:.0f} ms"
    return f"{label}: {1e3 * call.seconds:.0f} ms", parts


def draw(panels, path, width):
    """`panels`: (label, call, processes shown) from top to bottom."""
    matplotlib.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "timeline", "font.family": "sans-serif", "font.size": 8, "hatch.linewidth": 0.6})
    laid_out = [rows_of(call, shown) for _, call, shown in panels]
    heights = [height for _, _, height in laid_out]
    milliseconds = max(1e3 * call.seconds for _, call, _ in panels)
    margins = {"left": 1.35, "right": 0.12, "top": 0.06, "bottom": 0.62}
    title, gap = 0.26, 0.16
    tall = margins["top"] + margins["bottom"] + sum(height * INCHES + title + gap for height in heights) - gap
    figure = pyplot.figure(figsize=(width, tall))
    inches_per_ms = (width - margins["left"] - margins["right"]) / (1.01 * milliseconds)
    top, used = tall - margins["top"], {}
    for number, ((label, call, _), (rows, names, height)) in enumerate(zip(panels, laid_out)):
        top -= title
        bottom = top - height * INCHES
        axes = figure.add_axes(
            [margins["left"] / width, bottom / tall, (width - margins["left"] - margins["right"]) / width, height * INCHES / tall]
        )
        for row in rows:
            axes.axhspan(row.top + 0.06, row.top + row.height - 0.06, color="#F6F6F6" if row.height == ROW else "white", linewidth=0)
            draw_row(axes, call, row, inches_per_ms)
            used.update({each.name: True for each in row.slices})
        decorate(axes, rows, names, height, milliseconds, last=number == len(panels) - 1)
        first, second = summary(label, call)
        figure.text(margins["left"] / width, (top + 0.06) / tall, first, fontsize=9.5, fontweight="bold", ha="left", va="bottom")
        figure.text(1 - margins["right"] / width, (top + 0.06) / tall, second, fontsize=7.5, color="#555555", ha="right", va="bottom")
        top = bottom - gap
    legend(figure, used, margins["left"] / width)
    figure.savefig(path, metadata={"Date": None} if path.endswith(".svg") else None, facecolor="white", dpi=160)


def decorate(axes, rows, names, height, milliseconds, last):
    axes.set_ylim(height, 0)
    axes.set_xlim(0, 1.01 * milliseconds)
    axes.set_yticks([row.top + row.height / 2 for row in rows], [row.label for row in rows], fontsize=6.5)
    axes.tick_params(axis="y", length=0, pad=2)
    axes.tick_params(axis="x", labelbottom=last, length=2 if last else 0)
    axes.grid(axis="x", color="#BBBBBB", linewidth=0.4)
    axes.set_axisbelow(True)
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
    axes.spines["bottom"].set_visible(last)
    for name, middle in names:
        axes.annotate(name, (0, middle), xytext=(-88, 0), xycoords=("axes fraction", "data"), textcoords="offset points", va="center", fontsize=8)
    if last:
        axes.set_xlabel("milliseconds", labelpad=1)


def legend(figure, used, left):
    entries = {}
    for name, colour in COLOURS.items():
        if name in used:
            entries.setdefault(SHOWN_AS.get(name, name), (colour, PATTERNS.get(name)))
    figure.legend(
        handles=[Patch(facecolor=colour, edgecolor="white", linewidth=0, hatch=pattern, label=name) for name, (colour, pattern) in entries.items()],
        loc="lower left",
        bbox_to_anchor=(left, 0.0),
        ncols=len(entries),
        frameon=False,
        fontsize=7.5,
        handlelength=1.2,
        columnspacing=1.2,
        borderaxespad=0.3,
    )
