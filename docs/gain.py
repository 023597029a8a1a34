#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The overlap project
"""The chart and the tables of gains: of the cases in docs/gain.txt what docs/results/data has.

    docs/gain.py             writes docs/gain.svg, and the table in README.md
    docs/gain.py --check     ends with 1 if one of them is another one
"""
import json
import math
import pathlib
import re
import sys
from xml.sax.saxutils import escape

HERE = pathlib.Path(__file__).resolve().parent
README = HERE.parent / "README.md"
HEADER = "| case | where | vulcan | ROMIO | overlap |\n|---|---|---|---|---|\n"
WIDTH, LEFT, RIGHT, TOP, ROW, BAR = 860, 330, 60, 78, 44, 14
LEAST, MOST = 0.1, 50  # of the axis
ENOUGH = 5  # jobs of each


def measured():
    """Of each case that was measured often enough with the first Open MPI of the page the seconds of a side, as text; "-"
    where it has none."""
    path = HERE / "results/data/never-slower.json"
    runs = json.loads(path.read_text())["runs"] if path.exists() else []
    for row in (row for run in runs[:1] if run["result"] for row in run["result"]["rows"]):
        if row["alternations"] >= ENOUGH:
            right = {each["label"]: each["median"] for each in row["sides"] if not each["failed"] and each["median"] is not None}
            name = f"{row['case']}:{row['ranks']}:{row['place']}"
            yield name, {label: f"{median:.{6 if median < 0.001 else 4}f}" for label, median in right.items()}


def rows():
    """(case, conditions, vulcan, ROMIO, overlap)"""
    known = dict(measured())
    for line in (HERE / "gain.txt").read_text().splitlines():
        if line and not line.startswith("#"):
            name, case, where = map(str.strip, line.split("|"))
            if "overlap" in known.get(name, {}):
                yield (case, where, *(known[name].get(label, "-") for label in ("vulcan", "romio", "overlap")))


def ratio(other, overlap):
    return None if other == "-" else float(other) / float(overlap)


def shown(value):
    return "-" if value is None else f"{value:.2f}" if value < 9.95 else f"{value:.0f}"


def x_of(value):
    part = math.log(min(max(value, LEAST), MOST) / LEAST) / math.log(MOST / LEAST)
    return LEFT + part * (WIDTH - LEFT - RIGHT)


def bar(top, value, fill, name):
    """A bar from 1 to the ratio; without a figure it says so."""
    if value is None:
        return [f'<text x="{x_of(1) + 6:.1f}" y="{top + 11}" class="figure">{name}: not measured</text>']
    left, right = sorted((x_of(1), x_of(value)))
    end = max(right, x_of(1)) + 6
    return [
        f'<rect x="{left:.1f}" y="{top}" width="{max(right - left, 1):.1f}" height="{BAR}" fill="{fill}"'
        ' stroke="#222" stroke-width="0.7"/>',
        f'<text x="{end:.1f}" y="{top + 11}" class="figure">{shown(value)}</text>',
    ]


def chart():
    data = list(rows())
    height = TOP + ROW * len(data) + 34
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" viewBox="0 0 {WIDTH} {height}"'
        ' font-family="sans-serif" font-size="13">',
        "<style>.figure{font-size:11px}.where{font-size:11px;fill:#555}.title{font-size:15px;font-weight:bold}</style>",
        f'<rect width="{WIDTH}" height="{height}" fill="white"/>',
        '<text x="12" y="24" class="title">Time of other components / time of overlap with its defaults</text>',
        '<text x="12" y="42" class="where">Above 1 overlap is faster, below 1 slower. Logarithmic axis. One virtual machine'
        " of 2 cores; no real Lustre or GPFS.</text>",
        f'<rect x="{LEFT}" y="52" width="{BAR}" height="{BAR}" fill="#4a7ab5" stroke="#222" stroke-width="0.7"/>'
        f'<text x="{LEFT + 20}" y="64">vulcan</text>',
        f'<rect x="{LEFT + 90}" y="52" width="{BAR}" height="{BAR}" fill="#f0e2b0" stroke="#222" stroke-width="0.7"/>'
        f'<text x="{LEFT + 110}" y="64">ROMIO</text>',
    ]
    bottom = TOP + ROW * len(data)
    for tick in (0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50):
        weight = 1.6 if tick == 1 else 0.5
        out += [
            f'<line x1="{x_of(tick):.1f}" y1="{TOP - 4}" x2="{x_of(tick):.1f}" y2="{bottom}" stroke="#888"'
            f' stroke-width="{weight}"/>',
            f'<text x="{x_of(tick):.1f}" y="{bottom + 18}" text-anchor="middle">{tick:g}</text>',
        ]
    for i, (case, where, vulcan, romio, overlap) in enumerate(data):
        top = TOP + ROW * i + 5
        out += [
            f'<text x="12" y="{top + 12}">{escape(case)}</text>',
            f'<text x="12" y="{top + 27}" class="where">{escape(where)}</text>',
        ]
        out += bar(top, ratio(vulcan, overlap), "#4a7ab5", "vulcan")
        out += bar(top + BAR + 2, ratio(romio, overlap), "#f0e2b0", "ROMIO")
    return "\n".join(out + ["</svg>"]) + "\n"


def table():
    """The same as reStructuredText."""
    data = list(rows())
    if not data:
        return ["No case was measured often enough yet.", ""]
    lines = [".. list-table::", "   :header-rows: 1", "   :widths: 22 24 9 9 9 12 12", "", "   * - case"]
    lines += [f"     - {name}" for name in ("conditions", "vulcan, s", "ROMIO, s", "overlap, s", "times vulcan", "times ROMIO")]
    for case, where, vulcan, romio, overlap in data:
        cells = [where, vulcan, romio, overlap, shown(ratio(vulcan, overlap)), shown(ratio(romio, overlap))]
        lines += [f"   * - {case}"] + ["     - " + (r"\-" if text == "-" else text) for text in cells]
    return lines + [""]


def readme():
    """README.md with the table as it should be."""
    text = README.read_text()
    begin = text.index(HEADER) + len(HEADER)
    end = re.compile(r"(\|.*\n)*").match(text, begin).end()
    return text[:begin] + "".join(f"| {' | '.join(row)} |\n" for row in rows()) + text[end:]


def write():
    (HERE / "gain.svg").write_text(chart())
    README.write_text(readme())


def differing():
    made = {HERE / "gain.svg": chart(), README: readme()}
    return [path.name for path, text in made.items() if path.read_text() != text]


def main():
    if sys.argv[1:] == ["--check"]:
        if differing():
            sys.exit(f"docs/gain.py makes another one: {', '.join(differing())}")
    elif len(sys.argv) == 1:
        write()
    else:
        print(__doc__, file=sys.stderr)
        sys.exit(2)


if __name__ == "__main__":
    main()
