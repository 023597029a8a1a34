# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The overlap project
"""Charts as SVG, readable in black and white."""
from xml.sax.saxutils import escape

WIDTH, LEFT, RIGHT, TOP, ROW = 860, 250, 90, 44, 22


def bars(title, rows, mark=None):
    """A bar for each (label, value, least, most) from 0, a line over it from the least to the most; `mark` is a line across."""
    longest = max([most for _, _, _, most in rows] + [mark or 0, 1e-9])
    height = TOP + ROW * len(rows) + 12

    def x_of(value):
        return LEFT + value / longest * (WIDTH - LEFT - RIGHT)

    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" viewBox="0 0 {WIDTH} {height}"'
        ' font-family="sans-serif" font-size="12">',
        f'<rect width="{WIDTH}" height="{height}" fill="white"/>',
        f'<text x="12" y="24" font-size="14" font-weight="bold">{escape(title)}</text>',
    ]
    for i, (label, value, least, most) in enumerate(rows):
        top = TOP + ROW * i
        middle = top + ROW // 2 - 1
        out += [
            f'<text x="{LEFT - 8}" y="{middle + 4}" text-anchor="end">{escape(label)}</text>',
            f'<rect x="{LEFT}" y="{top + 3}" width="{x_of(value) - LEFT:.1f}" height="{ROW - 8}" fill="#9ab5d5" stroke="#222"'
            ' stroke-width="0.7"/>',
            f'<line x1="{x_of(least):.1f}" y1="{middle}" x2="{x_of(most):.1f}" y2="{middle}" stroke="#222" stroke-width="1.6"/>',
            f'<text x="{x_of(max(value, most)) + 6:.1f}" y="{middle + 4}">{value:.4g}</text>',
        ]
    if mark is not None:
        out.append(
            f'<line x1="{x_of(mark):.1f}" y1="{TOP - 6}" x2="{x_of(mark):.1f}" y2="{height - 8}" stroke="#222" stroke-dasharray="4 3"/>'
            f'<text x="{x_of(mark):.1f}" y="{TOP - 8}" text-anchor="middle">{mark:g}</text>'
        )
    return "\n".join(out + ["</svg>"]) + "\n"
