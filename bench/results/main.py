# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The overlap project
"""Measures what docs/results/ shows, and writes its pages.

    bench/results/run [--only PART[/TITLE]]... [--quick] [--openmpi 4|5] [--out FOLDER] [--cases REGEX]
    bench/results/run --render | --check | --list

Each run of a part (--list names them) leaves its command, date, commit, machine and every figure in
FOLDER/data/PART.json (default docs/results) before the next begins; the pages, charts and tables in
FOLDER, docs/gain.svg and the table of gains in README.md are made of these files.

  --only PART    these parts alone, PART/TITLE: of a part the runs whose title has TITLE
  --quick        the smallest input and one repetition: it shows that all of it works. A quick run
                 takes the place of quick ones only
  --openmpi 4|5  the installed package, or 5.0.7, built from source the first time (default 5);
                 never-slower has a run for each
  --cases REGEX  of never-slower these cases; the others stay as they were
  --render       measures nothing, and writes the pages of what is there
  --check        ends with 1 if the pages are others than --render would write

As root, for the emulated cluster. Exit codes: 1 a run failed, which its page says, 2 wrong arguments.
"""
import argparse
import datetime
import json
import os
import pathlib
import platform
import re
import subprocess
import sys
import tempfile
import time

import pages
import results
from parts import PARTS

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "docs"))
import gain  # noqa: E402


def said_by(*command):
    return subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, check=True, text=True).stdout.strip()


def machine():
    """Without a name: that of a host is nobody's business."""
    cpu = re.search(r"^model name\s*: (.*)", pathlib.Path("/proc/cpuinfo").read_text(), re.MULTILINE)
    system = re.search(r'^PRETTY_NAME="(.*)"', pathlib.Path("/etc/os-release").read_text(), re.MULTILINE)
    memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    return {
        "cpu": cpu.group(1) if cpu else platform.machine(),
        "processors": len(os.sched_getaffinity(0)),
        "memory_gib": round(memory / 2**30),
        "system": system.group(1) if system else platform.system(),
        "kernel": platform.release(),
    }


def command_of(run, options):
    """For bash, as it stands on the page, and with its places."""
    command = run.command
    for long, short in run.quick if options.quick else ():
        command = command.replace(long, short)
    release = run.release or options.openmpi
    prefix = "" if release == "4" else '--openmpi "$(config/openmpi-5.sh | tail -1)"'
    known = {"release": release, "prefix": prefix, "only": options.cases}
    shown = {"json": "OUT.json", "picture": "OUT.svg", "folder": "FOLDER"}
    return re.sub(" +", " ", command.format(**known, **shown)), lambda places: command.format(**known, **places)


def measure(part, number, run, options, old):
    """What data/PART.json keeps of the run."""
    shown, command = command_of(run, options)
    print(f"results: {part.name}: {run.title}", file=sys.stderr, flush=True)
    commit = said_by("git", "log", "-1", "--format=%h")
    dirty = said_by("git", "status", "--porcelain", "--", "ompi", "bench") != ""
    kept = {
        "title": run.title, "command": shown, "quick": options.quick, "commit": commit, "dirty": dirty,
        "date": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d %H:%M UTC"),
        "openmpi": "5.0.7" if (run.release or options.openmpi) == "5" else said_by("mpicc.openmpi", "--showme:version").split()[3],
        "machine": machine(),
    }
    with tempfile.TemporaryDirectory() as scratch:
        places = {
            "json": pathlib.Path(scratch) / "result.json", "folder": pathlib.Path(scratch) / "folder", "commit": commit,
            "picture": options.out / f"data/{part.name}-{number}.svg", "page": options.out / f"data/{part.name}-{number}.html",
        }
        start = time.monotonic()
        done = subprocess.run(
            ["bash", "-c", "set -euo pipefail; " + command({**places})], cwd=ROOT, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, text=True, errors="replace",
            env={**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_mpi_yield_when_idle": "1"},
        )
        kept["seconds"] = round(time.monotonic() - start)
        kept["exit_code"] = done.returncode
        try:
            kept["result"] = getattr(results, run.kind)(places, done.stdout, (old or {}).get("result"))
        except (OSError, ValueError, KeyError) as error:
            print(f"results: {run.title}: exit code {done.returncode}, no results: {error}", file=sys.stderr)
            kept["result"] = None
            kept["exit_code"] = done.returncode or 1
    return kept


def text_of(kept):
    """JSON with a line for each row, each entry and each other member of a run, so that a change of one is a line of a diff."""
    def line(value, depth):
        inner = isinstance(value, (dict, list)) and value and depth < 5
        if not inner:
            return json.dumps(value)
        items = [f"{json.dumps(key)}: {line(each, depth + 1)}" for key, each in value.items()] if isinstance(value, dict) else [line(each, depth + 1) for each in value]
        begin, end = "{}" if isinstance(value, dict) else "[]"
        return begin + "\n" + ",\n".join(" " * (depth + 1) + item for item in items) + "\n" + " " * depth + end
    return line(kept, 0)


def chosen(part, run, wanted):
    return not wanted or any(
        name == part.name and re.search(title or ".", run.title, re.IGNORECASE) for name, _, title in (word.partition("/") for word in wanted)
    )


def run_all(options):
    failed = 0
    for part in PARTS:
        path = options.out / "data" / f"{part.name}.json"
        for number, run in enumerate(part.runs):
            if not chosen(part, run, options.only):
                continue
            kept = pages.read(path)
            old = next((each for each in kept["runs"] if each["title"] == run.title), None)
            merges = run.kind == "never_slower"
            if options.quick and old and not old["quick"] and not merges:
                print(f"results: {run.title}: not again, as it is there and not a quick one", file=sys.stderr)
                continue
            new = measure(part, number, run, options, old)
            if merges and old and (options.quick or options.cases != "."): # some rows of the table
                new = {**old, "result": new["result"]} if new["result"] else new
            # Its exit code says that something is slower as well.
            failed += new["result"] is None if merges else new["exit_code"] != 0
            order = [each.title for each in part.runs]
            runs = [each for each in kept["runs"] if each["title"] != run.title and each["title"] in order] + [new]
            runs.sort(key=lambda each: order.index(each["title"]))
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text_of({"part": part.name, "runs": runs}) + "\n")
    return failed


def main(arguments):
    parser = argparse.ArgumentParser("bench/results/run", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", action="append", default=[])
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--openmpi", choices=("4", "5"), default="5")
    parser.add_argument("--out", type=pathlib.Path, default=ROOT / "docs/results")
    parser.add_argument("--cases", default=".")
    parser.add_argument("--render", action="store_true")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--list", action="store_true")
    options = parser.parse_args(arguments)
    options.out = options.out.resolve()
    for word in options.only:
        if not any(chosen(part, run, [word]) for part in PARTS for run in part.runs):
            parser.error(f'no run "{word}"; --list names them')
    if options.list:
        for part in PARTS:
            for run in part.runs:
                print(f"{part.name}/{run.title}\n    {command_of(run, options)[0]}")
        return 0
    if options.check:
        wrong = pages.differing(options.out) + gain.differing()
        for path in wrong:
            print(f"{path}: bench/results/run --render writes another one")
        return 1 if wrong else 0
    failed = 0 if options.render else run_all(options)
    pages.write(options.out)
    if options.out == ROOT / "docs/results":
        gain.write()
    return 1 if failed else 0
