# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The overlap project
"""A page of HTML that needs no other file and no network."""
import html
import os


def document(title, parts):
    """The text of the page; `parts`: its sections, empty ones are left out."""
    with open(os.path.join(os.path.dirname(__file__), "page.css"), encoding="utf-8") as file:
        style = file.read()
    return ('<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<meta name="viewport" content="width=device-width, initial-scale=1">\n'
            '<link rel="icon" href="data:,">\n<title>%s</title>\n<style>\n%s</style>\n</head>\n<body>\n<main>\n%s\n</main>\n</body>\n</html>\n'
            % (html.escape(title), style, "\n".join(part for part in parts if part)))


def tile(figure, what):
    return '<div class="tile"><div class="figure">%s</div><div class="what">%s</div></div>' % (figure, what)


def number(value, digits=3):
    """As many significant digits, without an exponent where a reader expects none."""
    if value is None:
        return "–"
    if value != 0 and not 1e-4 <= abs(value) < 1e6:
        return "%.*g" % (digits, value)
    if abs(value) >= 10 ** (digits - 1):
        return "{:,.0f}".format(value).replace(",", "\u202f")
    places = digits - 1
    while places and abs(value) >= 10 ** (digits - places):
        places -= 1
    while value and abs(value) < 10 ** (digits - 1 - places):
        places += 1
    return "%.*f" % (places, value)


def percent(share):
    share = 100 * share
    return ("%.0f %%" % share if abs(share) >= 10 else "%.1f %%" % share).replace("-", "\N{MINUS SIGN}")
