# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The overlap project
"""What sections of the page have in common."""
import dataclasses
import html


@dataclasses.dataclass(frozen=True)
class Claim:
    """What a paper says, where, and what was measured here; texts, `ours` None where nothing was."""

    what: str
    source: str
    theirs: str
    ours: str


def section(name, title, theirs, ours, *figures):
    """`theirs`: what the paper did and found, with its table or figure. `ours`: what was measured instead. HTML but for name and title."""
    body = "\n".join(figure for figure in figures if figure)
    return ('<section id="%s">\n<h2>%s</h2>\n<dl class="sides"><dt>Theirs</dt><dd>%s</dd><dt>Ours</dt><dd>%s</dd></dl>\n%s\n</section>' %
            (name, html.escape(title), theirs, ours, body or '<p class="warning">Not measured.</p>'))


def figure(svg, caption=""):
    return '<figure>%s%s</figure>' % (svg, "<figcaption>%s</figcaption>" % caption if caption else "")


def table(head, rows):
    """The first column is of texts, the others are numbers; all of them HTML."""
    cells = lambda row, tag: "".join("<%s%s>%s</%s>" % (tag, ' class="number"' if i else "", cell, tag) for i, cell in enumerate(row))
    return '<div class="scroll"><table><thead><tr>%s</tr></thead><tbody>%s</tbody></table></div>' % (
        cells(head, "th"), "".join("<tr>%s</tr>" % cells(row, "td") for row in rows))


def span(values, form, unit=""):
    """From the least to the most of the values, as text; `form`: of a number."""
    # Nothing that is a little less than 0 is "-0".
    least, most = (text.lstrip("-") if float(text) == 0 else text for text in (form % min(values), form % max(values)))
    return (least if least == most else "%s to %s" % (least, most)) + unit


def share(part, whole):
    """As text."""
    return "%.0f %%" % (100 * part / whole) if whole else "–"
