#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The overlap project
"""The page for Open MPI's own documentation, packaging/upstream/fcoll-overlap.rst.

    docs/upstream.py --update       writes the table of parameters in it again
    docs/upstream.py --check        ends with 1 if that table is not what the source says
"""
import pathlib
import re
import sys
import textwrap

sys.dont_write_bytecode = True
import parameters  # noqa: E402

PAGE = pathlib.Path(__file__).resolve().parent.parent / "packaging" / "upstream" / "fcoll-overlap.rst"
BEGIN, END = ".. Begin of the table that docs/upstream.py makes.", ".. End of that table."
WIDTH = 76


def plain(text):
    """Links to this documentation become plain words."""
    return re.sub(r":(?:ref|doc):`([^`<]*?)(?: <[^`]*>)?`", r"\1", text)


def cell(text):
    return textwrap.wrap(plain(text), WIDTH, break_long_words=False, break_on_hyphens=False)


def table():
    lines = [".. list-table::", "   :header-rows: 1", "   :widths: 30 15 55", ""]
    lines += ["   * - Parameter", "     - Default", "     - Description"]
    for _, rows in parameters.groups():
        for parameter, remark in rows:
            default = parameter.default or "*empty*"
            if parameter.kind == "ENUMERATION" and not any(value in remark for value in parameter.names):
                values = " Values: " + ", ".join(f"``{name}``" for name in parameter.names) + "."
            else:
                values = ""
            meanings = ". ".join(f"``{value}``: {text}" for value, text in remark.items() if value != "when")
            text = f"{parameter.what}.{values}" + (f" {meanings[:1]}{meanings[1:].rstrip('.')}." if meanings else "")
            lines += [f"   * - ``fcoll_overlap_{parameter.name}``", f"     - {default}"]
            first, *rest = cell(text)
            lines += [f"     - {first}"] + [f"       {line}" for line in rest]
    return lines


def with_table(text):
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    return before + BEGIN + "\n\n" + "\n".join(table()) + "\n\n" + END + after


def page():
    """For a section of this documentation: references into Open MPI's become plain names."""
    text = PAGE.read_text()
    for theirs, ours in (("-", "^"), ("=", "~")):
        text = re.sub(rf"^{theirs}{{4,}}$", lambda line: ours * len(line.group()), text, flags=re.MULTILINE)
    text = re.sub(r"^\.\. _label-[^\n]*\n+", "", text)
    text = re.sub(r":ref:`([^`<]*?)(?: <[^`]*>)?`", r"``\1``", text)
    return text.splitlines()


def main():
    text = PAGE.read_text()
    made = with_table(text)
    if sys.argv[1:] == ["--update"]:
        PAGE.write_text(made)
    elif sys.argv[1:] == ["--check"]:
        if made != text:
            sys.exit("packaging/upstream/fcoll-overlap.rst: docs/upstream.py --update makes another table")
    else:
        print(__doc__, file=sys.stderr)
        sys.exit(2)


if __name__ == "__main__":
    main()
