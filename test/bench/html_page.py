# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The overlap project
"""Looks at a page that a tool of bench/ has made.
    html_page.py PAGE       whether it is whole: every element closed, no id twice, every reference within it, nothing from elsewhere
    html_page.py PAGE ID    prints the text of that element
"""
import html.parser
import re
import sys

VOID = {"meta", "link", "br", "hr", "img", "input"}


class Page(html.parser.HTMLParser):
    def __init__(self, wanted):
        super().__init__()
        self.open, self.ids, self.references, self.texts = [], [], [], []
        self.wanted, self.depth = wanted, None

    def handle_starttag(self, tag, attributes):
        self.handle_startendtag(tag, attributes)
        if tag not in VOID:
            self.open.append(tag)
            if ("id", self.wanted) in attributes:
                self.depth = len(self.open)

    def handle_startendtag(self, _, attributes):
        for name, value in attributes:
            if name == "id":
                self.ids.append(value)
            if name in ("href", "src", "xlink:href", "srcset", "action"):
                self.references.append(value)
            self.references += re.findall(r"url\(['\"]?([^'\")]*)", value or "")

    def handle_endtag(self, tag):
        assert self.open and self.open[-1] == tag, "</%s> closes %s in line %d" % (tag, self.open[-3:], self.getpos()[0])
        if self.depth == len(self.open):
            self.depth = None
        self.open.pop()

    def handle_data(self, data):
        if self.depth:
            self.texts.append(data)
        self.references += re.findall(r"url\(['\"]?([^'\")]*)|@import *(\S*)", data)


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        text = file.read()
    wanted = sys.argv[2] if len(sys.argv) > 2 else None
    page = Page(wanted)
    page.feed(text)
    page.close()
    if wanted:
        assert wanted in page.ids, "there is no %s" % wanted
        print("".join(page.texts) if wanted in ("mca", "rules") else " ".join(page.texts), end="" if wanted in ("mca", "rules") else "\n")
        return
    assert not page.open, page.open
    assert len(set(page.ids)) == len(page.ids), [i for i in page.ids if page.ids.count(i) > 1]
    for reference in page.references:
        assert reference == "data:," or (reference[:1] == "#" and reference[1:] in page.ids), reference
    assert "<script" not in text and text.startswith("<!DOCTYPE html>")
    # Colours that stand for one of the page must not be left.
    assert not re.search(r"#0[12]0[23]0\d", text), "a colour that stands for one of the page"
    # What Python makes of numbers that are none.
    assert not re.search(r"\b(nan|NaN|None|inf)\b", text), re.search(r".{40}\b(nan|NaN|None|inf)\b", text).group()


main()
