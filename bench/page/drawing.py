# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The overlap project
"""SVG that lies in a page: drawn by matplotlib, coloured by the page's own style, so that it is light or dark with it."""
import io
import re

import matplotlib

matplotlib.use("svg")
import matplotlib.pyplot as plot  # noqa: E402

# The page's variables, by colours that matplotlib can carry to the SVG; no chart has them for anything else.
VARIABLES = {"ink": "#010203", "soft": "#010204", "line": "#010205", "surface": "#010206", "accent": "#010207", "accent-soft": "#010208"}
# Series that are told apart.
SERIES = ["#02030%d" % i for i in range(1, 8)]
# And their patterns, for paper without colours.
PATTERNS = ["", "////", "....", "xxxx", "\\\\\\\\", "++++", "oooo"]
# Inches: what fills the page.
WIDTH = 9.6

matplotlib.rcParams.update({
    "svg.fonttype": "none", "svg.hashsalt": "overlap-sweep", "font.size": 10, "font.family": "DejaVu Sans", "text.color": VARIABLES["ink"],
    "axes.labelcolor": VARIABLES["soft"], "xtick.color": VARIABLES["soft"], "ytick.color": VARIABLES["ink"],
    "axes.edgecolor": VARIABLES["line"], "axes.facecolor": "none", "figure.facecolor": "none", "axes.spines.top": False,
    "axes.spines.right": False, "axes.spines.left": False, "axes.spines.bottom": False, "axes.grid": True, "axes.grid.axis": "x",
    "grid.color": VARIABLES["line"], "grid.linewidth": 0.8, "axes.axisbelow": True, "xtick.major.size": 0, "ytick.major.size": 0,
    "axes.titleweight": "bold", "axes.titlesize": 10, "legend.frameon": False, "legend.fontsize": 9.5,
})

_count = 0


def svg(figure, label):
    """The drawing for a page with others: names of its own, the page's colours and its font."""
    global _count
    _count += 1
    text = io.StringIO()
    figure.savefig(text, format="svg", metadata={"Date": None, "Creator": None, "Format": None, "Type": None})
    plot.close(figure)
    drawn = text.getvalue()
    drawn = drawn[drawn.index("<svg"):]
    drawn = re.sub(r"<metadata>.*?</metadata>|<style.*?</style>", "", drawn, flags=re.DOTALL)
    drawn = re.sub(r'\bid="', 'id="c%d-' % _count, drawn)
    drawn = re.sub(r'(url\(#|href="#)', r"\g<1>c%d-" % _count, drawn)
    for name, colour in list(VARIABLES.items()) + [("series-%d" % (i + 1), colour) for i, colour in enumerate(SERIES)]:
        drawn = drawn.replace(colour, "var(--%s)" % name)
    drawn = re.sub(r"font: (?:(bold|700) )?([\d.]+)px [^;\"]*", lambda m: "font-size: %spx; font-weight: %s" % (m.group(2), 600 if m.group(1) else 400), drawn)
    return re.sub(r"<svg ", '<svg role="img" aria-label="%s" ' % label, drawn, count=1)
