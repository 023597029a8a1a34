# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The overlap project
"""Reads what the tools have said: for each kind of run a function (places, said, old) that returns what data/PART.json keeps.
`old` is what it kept before."""
import json
import re
import shutil


def compare(places, said, old):
    with open(places["json"], encoding="utf-8") as file:
        found = json.load(file)
    entries = [
        {
            "label": entry["label"] if entry["role"] == "contender" else f"{entry['role']}: {entry['label']}",
            "role": entry["role"],
            "seconds": entry["seconds"],
            "wrong": entry["wrong_file"] is not None,
            "failed": (entry["failure"] or {}).get("reason"),
            "hidden": [run["repetitions"][0].get("nonblocking", {}).get("hidden") for run in entry["runs"]],
        }
        for entry in found["jobs"]
    ]
    return {"entries": entries, "bytes": found["bytes"]}


# Of a row of never-slower, whose case `bench/never-slower --list` tells.
KEPT = ("case", "ranks", "place", "best", "ratio", "least", "most", "tolerated", "bad")


def never_slower(places, said, old):
    """Rows stay that are not measured now; one of a few alternations takes no other's place that has more."""
    with open(places["json"], encoding="utf-8") as file:
        found = json.load(file)
    rows = {name_of(row): row for row in (old or {}).get("rows", [])}
    for each in found["rows"]:
        row = {key: each[key] for key in KEPT}
        row["sides"] = [{key: side[key] for key in ("label", "median", "failed", "left_out")} for side in each["sides"]]
        row["alternations"] = found["alternations"]
        row["commit"] = places["commit"]
        if rows.get(name_of(row), row)["alternations"] <= row["alternations"]:
            rows[name_of(row)] = row
    return {"rows": list(rows.values()), "cluster": found["cluster"]}


def name_of(row):
    return f"{row['case']}:{row['ranks']}:{row['place']}"


def text(places, said, old):
    return {"text": said}


def pipe_table(places, said, old):
    lines = [line for line in said.splitlines() if line.startswith("|") and not re.fullmatch(r"[|-]+", line)]
    return {"table": [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]}


def picture(places, said, old):
    return {"picture": places["picture"].name, "text": said}


def papers(places, said, old):
    shutil.copyfile(places["folder"] / "papers.html", places["page"])
    return {"page": places["page"].name}
