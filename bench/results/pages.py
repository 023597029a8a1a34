# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The overlap project
"""The pages of docs/results/, of its data alone: the same data give the same pages."""
import json
import statistics
import textwrap

import charts
from parts import PARTS

WIDTH = 96  # of a line of text
INTRODUCTION = """
**No real Lustre or GPFS was measured.** All figures are of the machine that each section names.
"Hosts" are network namespaces of that machine with shaped NICs, and their storage is an emulated
server over FUSE. Seconds are medians; a figure holds within one run only. ``bench/results/run``
makes these pages, and nothing in them is typed by hand.

.. image:: ../gain.svg
   :alt: Times of vulcan and ROMIO relative to overlap; the table below has the values

.. overlap-gain::

"""


def read(path):
    return json.loads(path.read_text()) if path.exists() else {"runs": []}


def title(text, line):
    return [text, line * len(text), ""]


def paragraph(text):
    return textwrap.wrap(text, WIDTH, break_long_words=False, break_on_hyphens=False) + [""]


def list_table(header, rows, widths=None):
    lines = [".. list-table::", "   :header-rows: 1"]
    if widths:
        lines.append("   :widths: " + " ".join(map(str, widths)))
    lines.append("")
    for row in [header, *rows]:
        lines += [f"   {'*' if i == 0 else ' '} - {cell or ''}".rstrip() for i, cell in enumerate(row)]
    return lines + [""]


def code(command):
    """With lines that bash takes as one. A long list is cut behind a comma: its next line has no space in front."""
    lines = []
    for line in textwrap.wrap(command, WIDTH - 8, break_long_words=False, break_on_hyphens=False):
        indent = "       " if lines else "   "
        while len(line) > WIDTH - 8:
            cut = line.rfind(",", 0, WIDTH - 8) + 1
            if cut == 0:
                break
            lines.append(indent + line[:cut])
            line, indent = line[cut:], "   "
        lines.append(indent + line)
    return [".. code-block:: sh", "", *(line + (" \\" if i + 1 < len(lines) and not line.endswith(",") else "\\" if line.endswith(",") else "")
                                        for i, line in enumerate(lines)), ""]


def seconds(value):
    return "-" if value is None else f"{value:.6f}" if value < 0.001 else f"{value:.4f}"


def conditions(run):
    """Where a figure comes from."""
    machine = run["machine"]
    text = (
        f"{run['date']}, commit {run['commit']}{' and what was not committed' if run['dirty'] else ''}, Open MPI "
        f"{run['openmpi']}, {run['seconds']} s. {machine['cpu']}, {machine['processors']} processors, {machine['memory_gib']} GiB, "
        f"{machine['system']}, kernel {machine['kernel']}."
    )
    lines = paragraph(text)
    if run["quick"]:
        lines += ["**A quick run**: it shows that the command works. Its figures say nothing.", ""]
    if run["result"] is None or (run["exit_code"] != 0 and "rows" not in run["result"]):
        lines += [f"**It failed**, with exit code {run['exit_code']}.", ""]
    return lines


def compare_table(entries, size):
    medians = {each["label"]: statistics.median(each["seconds"]) for each in entries if each["seconds"]}
    rows = []
    for each in entries:
        label, times = each["label"], each["seconds"]
        if not times:
            rows.append([label, each["failed"] or "not measured", "", "", ""])
            continue
        hidden = [part for part in each["hidden"] if part is not None]
        more = f"{statistics.median(hidden):.2f} hidden" if hidden else "wrong bytes in gaps" if each["wrong"] else ""
        rate = f"{size / medians[label] / 1e6:.0f}" if size else ""
        rows.append([label, seconds(medians[label]), f"{min(times):.4f} to {max(times):.4f}", rate, more])
    return list_table(["contender", "median s", "least to most s", "MB/s", ""], rows, [34, 14, 24, 12, 24])


def compare_page(run, stem, out):
    entries = run["result"]["entries"]
    bars = [(each["label"], statistics.median(each["seconds"]), min(each["seconds"]), max(each["seconds"])) for each in entries if each["seconds"]]
    out[f"{stem}.svg"] = charts.bars(f"{run['title']}: seconds, with the range seen", bars)
    return [f".. image:: {stem}.svg", f"   :alt: {run['title']}: the table below as bars", ""] + compare_table(entries, run["result"]["bytes"])


def side_of(row, label):
    return next((side for side in row["sides"] if side["label"] == label), None)


def side_cell(row, label):
    side = side_of(row, label)
    if side is None:
        return "-"
    if side["failed"]:
        return "wrong" if (side["left_out"] or "").startswith("wrong") else "failed"
    return seconds(side["median"])


def verdict_of(row):
    if row["alternations"] < 5:
        return "quick run"
    if row["ratio"] is None:
        return "failed"
    if row["ratio"] <= row["tolerated"]:
        return ""
    return "**slower**" if row["bad"] else "within the range"


def never_slower_page(run, stem, out):
    rows = run["result"]["rows"]
    measured = [row for row in rows if row["ratio"] is not None]
    bars = [(f"{row['case']}:{row['ranks']}:{row['place']}", row["ratio"], row["least"], row["most"]) for row in measured]
    out[f"{stem}.svg"] = charts.bars("Seconds of overlap / seconds of the best other, with the range seen", bars, mark=1.05)
    whole = [row for row in rows if row["alternations"] >= 5]
    commits = ", ".join(sorted({row["commit"] for row in rows}))
    lines = paragraph(
        f"{len(rows)} cases, {len(whole)} of them with at least five jobs of each, at commit {commits}: in "
        f"{sum(row['bad'] for row in whole)} overlap is more than 1.05 times as slow as the best other way, beyond the range "
        "seen. \"wrong\": ROMIO and GIO write into gaps. NAME:RANKS:PLACE as in ``bench/never-slower --list``."
    )
    cells = [
        [f"{row['case']}:{row['ranks']}:{row['place']}", side_cell(row, "overlap"), side_cell(row, "vulcan"), side_cell(row, "romio"),
         row["best"] or "", "" if row["ratio"] is None else f"{row['ratio']:.3f}",
         "" if row["ratio"] is None else f"{row['least']:.3f} to {row['most']:.3f}", verdict_of(row)]
        for row in rows
    ]
    header = ["case", "overlap s", "vulcan s", "ROMIO s", "best other", "ratio", "range", ""]
    return lines + list_table(header, cells) + [f".. image:: {stem}.svg", "   :alt: The ratios of the table as bars", ""]


def result_lines(run, stem, out):
    result = run["result"]
    if result is None:
        return []
    if "rows" in result:
        return never_slower_page(run, stem, out)
    if "entries" in result:
        return compare_page(run, stem, out)
    if "table" in result:
        return list_table(result["table"][0], result["table"][1:]) if result["table"] else []
    if "picture" in result:
        return [f".. image:: data/{result['picture']}", f"   :alt: {run['title']}", ""]
    if "page" in result:
        return [f"One file that needs nothing else: :download:`{result['page']} <data/{result['page']}>`.", ""]
    out[f"{stem}.txt"] = result["text"].rstrip() + "\n"
    return [f".. literalinclude:: {stem}.txt", "   :language: none", ""]


def part_page(part, kept, out):
    lines = [".. made by bench/results/run", ""] + title(part.title, "=")
    for number, run in enumerate(part.runs):
        lines += title(run.title, "-") if len(part.runs) > 1 else []
        lines += paragraph(run.shows[0].upper() + run.shows[1:])
        measured = next((each for each in kept["runs"] if each["title"] == run.title), None)
        if measured is None:
            lines += ["Not measured yet.", ""]
            continue
        lines += code(measured["command"]) + conditions(measured) + result_lines(measured, f"{part.name}-{number}", out)
    return "\n".join(lines).rstrip() + "\n"


def way_of(label):
    return {"romio": "ROMIO", "gio": "GIO", "vulcan": "vulcan", "none": "``algorithm none``"}.get(label, f"``{label}``")


def slower(folder):
    """The list of where overlap is slower, for the first page."""
    rows = {}
    for run in read(folder / "data/never-slower.json")["runs"]:
        for row in run["result"]["rows"] if run["result"] else []:
            if row["bad"]:
                rows.setdefault((row["case"], row["ranks"], row["place"]), []).append((row, run["openmpi"]))
    lines = title("Where it is slower", "-")
    if not rows:
        return lines + ["No case of :doc:`never-slower` that was measured with five jobs of each.", ""]
    lines += paragraph(
        "Seconds of overlap / seconds of the best other way, where that is more than 1.05 beyond the range seen (:doc:`never-slower`); "
        "``independent`` and ``collective`` are values of ``writes`` and ``reads``:"
    )
    for (case, ranks, place), slow in sorted(rows.items(), key=lambda item: -max(row["ratio"] or 99 for row, _ in item[1])):
        ratios = ("overlap failed" if row["ratio"] is None else f"{row['ratio']:.2f}, {way_of(row['best'])}" for row, _ in slow)
        said = "; ".join(f"{ratio} ({openmpi})" for ratio, (_, openmpi) in zip(ratios, slow))
        lines.append(f"* {case}, {ranks} rank{'' if ranks == 1 else 's'}, {place}: {said}")
    return lines + [""]


def every_file(folder):
    """Path: text."""
    out = {}
    index = [".. made by bench/results/run", ""] + title("Results", "=") + INTRODUCTION.strip().split("\n") + [""] + slower(folder)
    index += [".. toctree::", "   :maxdepth: 2", ""] + [f"   {part.name}" for part in PARTS]
    out["index.rst"] = "\n".join(index) + "\n"
    for part in PARTS:
        out[f"{part.name}.rst"] = part_page(part, read(folder / f"data/{part.name}.json"), out)
    return out


def write(folder):
    files = every_file(folder)
    folder.mkdir(parents=True, exist_ok=True)
    for path in folder.iterdir():
        if path.is_file() and path.name not in files:
            path.unlink()
    for name, text in files.items():
        (folder / name).write_text(text)


def differing(folder):
    files = every_file(folder)
    there = {path.name for path in folder.iterdir() if path.is_file()}
    return sorted(name for name in files.keys() | there if name not in there or files.get(name) != (folder / name).read_text())
