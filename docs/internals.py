#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The overlap project
"""Which functions and macros of Open MPI the glue calls, and in which files, as reStructuredText."""
import re
import sys

sys.dont_write_bytecode = True
from parameters import COMPONENT  # noqa: E402

CALL = re.compile(r"\b((?:ompi|opal|mca|MCA|OMPI|OPAL|OBJ)_\w+)\s*\(")


def glue_files():
    files = (path for path in COMPONENT.rglob("*.[ch]") if "engine" not in path.relative_to(COMPONENT).parts)
    return sorted(path for path in files if path.name != "overlap_declare.h")


def calls():
    """{name: files} without what the component itself defines."""
    found = {}
    for path in glue_files():
        text = re.sub(r"//[^\n]*|/\*.*?\*/|\"(?:[^\"\\\n]|\\.)*\"", " ", path.read_text(), flags=re.DOTALL)
        for name in CALL.findall(text):
            if not name.lower().startswith("mca_fcoll_overlap"):
                found.setdefault(name, set()).add(path.relative_to(COMPONENT).as_posix())
    return found


def layer(name):
    order = ("mca_common_ompio", "mca_base", "ompi", "opal", "mca", "obj")
    return next(prefix for prefix in order if name.lower().startswith(prefix))


def reference():
    lines = [".. list-table::", "   :header-rows: 1", "   :widths: 45 55", "", "   * - function or macro", "     - files"]
    found = calls()
    for name in sorted(found, key=lambda name: (layer(name), name)):
        lines += [f"   * - ``{name}``", "     - " + ", ".join(f"``{path}``" for path in sorted(found[name]))]
    return lines + [""]


if __name__ == "__main__":
    print("\n".join(reference()))
