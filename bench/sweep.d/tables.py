# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The overlap project
"""The results as tables: CSV and JSON for other programs, a summary for the terminal."""
import csv
import io
import json
import os
import statistics

import journal
from whole import write_whole


def write(sweep, folder, results):
    """FOLDER/results.csv has a line for each run in the order of the runs, FOLDER/results.json also the settings, best first."""
    runs = [results[number] for number in sorted(results)]
    names = [p.name for p in sweep.parameters]
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerow(["run", "repetition"] + names + ["outcome", "value", "unit", "seconds", "exit_code", "host", "started", "note"])
    for run in runs:
        table.writerow([run["run"], run["repetition"]] + [run["values"][name] for name in names] + [run["outcome"], run["value"], sweep.unit] +
                       [run[key] for key in ("seconds", "exit_code", "host", "started", "note")])
    write_whole(os.path.join(folder, "results.csv"), text.getvalue())
    write_whole(os.path.join(folder, "results.json"),
                json.dumps({"sweep": sweep.to_json(), "settings": settings(sweep, results), "runs": runs}, indent=1) + "\n")


def settings(sweep, results):
    """What each setting came to, best first; behind those without a failed run the others, and last those without a value."""
    rows = []
    for i, values in enumerate(sweep.settings):
        mine = [results[number] for number, (setting, _) in enumerate(sweep.order) if setting == i and number in results]
        good = [result["value"] for result in mine if result["outcome"] == journal.OK]
        rows.append({
            "setting": i, "values": dict(zip([p.name for p in sweep.parameters], values)), "runs": len(mine), "failed": len(mine) - len(good),
            "median": statistics.median(good) if good else None, "least": min(good) if good else None, "most": max(good) if good else None,
            "all": good,
        })
    sign = -1 if sweep.higher_is_better else 1
    rows.sort(key=lambda row: (row["median"] is None, row["failed"] > 0, sign * (row["median"] or 0), row["setting"]))
    return rows


def summary(sweep, results):
    """For the terminal."""
    lines = ["%-12s %-12s %-12s %5s %7s  setting" % ("median", "least", "most", "runs", "failed")]
    for row in settings(sweep, results):
        numbers = ["-" if row[key] is None else "%.6g" % row[key] for key in ("median", "least", "most")]
        lines.append("%-12s %-12s %-12s %5d %7d  %s" % (*numbers, row["runs"], row["failed"], sweep.label(row["setting"])))
    missing = len(sweep.order) - len(results)
    failed = sum(result["outcome"] != journal.OK for result in results.values())
    lines.append("%d of %d runs, %d failed%s; %s, %s is better" %
                 (len(results), len(sweep.order), failed, ", %d missing" % missing if missing else "",
                  "wall time in s" if sweep.metric is None else "metric %s%s" % (sweep.metric, " in " + sweep.unit if sweep.unit else ""),
                  "more" if sweep.higher_is_better else "less"))
    return "\n".join(lines)
