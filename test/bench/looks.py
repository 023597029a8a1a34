#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The overlap project
"""Whether the entries of a legend are told apart without colours: looks.py FILE

FILE is SVG, or a page with SVG in it. Two entries differ by their pattern, or by a fifth of the way from black to white. Ends with 1, and says
which do not, where two look alike, or where there is no legend.
"""
import re
import sys

APART = 0.2


def brightness(colour):
    """0 black, 1 white; None of a colour that a style sheet has."""
    match = re.search(r"fill: #([0-9a-f]{6})", colour)
    if not match:
        return None
    red, green, blue = (int(match.group(1)[i : i + 2], 16) / 255 for i in (0, 2, 4))
    return 0.3 * red + 0.59 * green + 0.11 * blue


def patterns(text):
    """{id: (shape, brightness of its ground)}"""
    found = {}
    for name, body in re.findall(r'<pattern id="([^"]+)"[^>]*>(.*?)</pattern>', text, re.DOTALL):
        ground = re.search(r"<rect[^>]*fill=\"(#[0-9a-f]{6})\"", body)
        shape = re.search(r'<path d="([^"]*)"', body)
        found[name] = (shape.group(1) if shape else "", brightness("fill: " + ground.group(1)) if ground else None)
    return found


def entries(text):
    """(shape of the pattern, brightness) of each patch of a legend."""
    known = patterns(text)
    for legend in re.findall(r'<g id="[^"]*legend_1">(.*?)(?:<defs>|</svg>)', text, re.DOTALL):
        for style in re.findall(r'<g id="[^"]*patch_\d+">\s*<path [^>]*?style="([^"]*)"', legend):
            pattern = re.search(r"fill: url\(#([^)]*)\)", style)
            yield known[pattern.group(1)] if pattern else ("", brightness(style))


def alike(one, other):
    if one[0] != other[0]:
        return False
    return one[1] is None or other[1] is None or abs(one[1] - other[1]) < APART


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        found = [entry for entry in entries(file.read())]
    print(*found, sep="\n")
    same = [(i, j) for j in range(len(found)) for i in range(j) if alike(found[i], found[j])]
    if len(found) < 2 or same:
        sys.exit(f"{len(found)} entries of a legend; alike: {same}")


if __name__ == "__main__":
    main()
