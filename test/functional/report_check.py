# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The overlap project
"""Judges reports of closed files (fcoll_overlap_report=json).
    report_check.py FILE COUNT [WRITTEN [READ]]    so many reports, one a line, each by the schema, whose times add up; the last
                                                   has written and read so many bytes
"""
import json
import os
import sys

import jsonschema


def adds_up(report):
    for direction in ("writes", "reads"):
        means = {name: spread["mean"] for name, spread in report[direction]["seconds"].items()}
        parts = sum(means[name] for name in ("entry", "planning", "copy", "shuffle", "file", "finish"))
        assert abs(parts - means["elapsed"]) <= 1e-6 * means["elapsed"] + 1e-7, (direction, means)


def main():
    here = os.path.dirname(os.path.abspath(__file__))
    with open(os.path.join(here, "../../ompi/mca/fcoll/overlap/report.schema.json"), encoding="utf-8") as text:
        schema = json.load(text)
    jsonschema.Draft7Validator.check_schema(schema)
    with open(sys.argv[1], encoding="utf-8") as text:
        reports = [json.loads(line) for line in text]
    for report in reports:
        jsonschema.validate(report, schema)
        adds_up(report)
    print(len(reports), "reports, expected", sys.argv[2])
    assert len(reports) == int(sys.argv[2])
    for direction, wanted in zip(("writes", "reads"), sys.argv[3:]):
        print(reports[-1][direction]["bytes"], "bytes of", direction, "expected", wanted)
        assert reports[-1][direction]["bytes"] == int(wanted)


main()
