#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The overlap project
"""Describes the fields of a report from report.schema.json, and the performance variables from
engine/base/counters.cc, as reStructuredText."""
import json
import re
import sys

sys.dont_write_bytecode = True
from parameters import COMPONENT, source  # noqa: E402


def rows(schema, definitions, path=""):
    """(path, type, description) of each field, those of an inner object behind it."""
    for name, field in schema.get("properties", {}).items():
        inner = dict(field)
        if "$ref" in field:
            target = field["$ref"].rsplit("/", 1)[1]
            inner = {**definitions[target], **field}
            kind = target
        else:
            kind = inner.get("type", "number")
            kind = " or ".join(kind) if isinstance(kind, list) else kind
            kind = f"constant {inner['const']}" if "const" in inner else kind
        below = inner
        if kind == "array":
            below = inner["items"]
            below = definitions[below["$ref"].rsplit("/", 1)[1]] if "$ref" in below else below
        yield f"{path}{name}", kind, field.get("description", inner.get("description", ""))
        if kind not in ("spread", "count", "direction"):
            yield from rows(below, definitions, f"{path}{name}{'[]' if kind == 'array' else ''}.")


def table(fields):
    lines = [".. list-table::", "   :header-rows: 1", "   :widths: 30 15 55", "", "   * - field", "     - type", "     - meaning"]
    for path, kind, description in fields:
        lines += [f"   * - ``{path}``", f"     - {kind}", f"     - {description}"]
    return lines + [""]


def reference():
    schema = json.loads((COMPONENT / "report.schema.json").read_text())
    definitions = schema["definitions"]
    lines = ["A report", "--------", ""] + table(rows(schema, definitions))
    title = "Each of ``writes`` and ``reads`` (type direction)"
    lines += [title, "-" * len(title), ""] + table(rows(definitions["direction"], definitions))
    return lines


def variables():
    text = source("engine/base/counters.cc")
    lines = [".. list-table::", "   :header-rows: 1", "   :widths: 35 65", "", "   * - variable", "     - counts"]
    for name, what in re.findall(r'\{"(\w+)",\s*"([^"]*)"\}', text):
        lines += [f"   * - ``{name}``", f"     - {what}"]
    return lines + [""]


if __name__ == "__main__":
    print("\n".join(reference() + variables()))
