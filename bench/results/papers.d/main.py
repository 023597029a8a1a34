# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The overlap project
"""The command line."""
import argparse
import os
import sys
import time

import sizes
from failure import Failure, run
from interpreter import need_matplotlib
from kept import Kept
from whole import write_whole

USAGE = """\
Usage: bench/results/papers FOLDER [--quick | --smallest] [--openmpi 4|5] [--only PART[,PART...]] [--render] [--list]

Measures on an emulated cluster and emulated storage (bench/cluster, bench/storage) what five papers on collective writes show, and renders
FOLDER/papers.html, one file that needs nothing else: their numbers, as far as their texts give them, beside ours. As root.
What was measured lies in FOLDER, a file for each comparison, on disk before the next begins: the same command goes on where one was ended, and
measures again what failed.

  --quick          smaller and with single repetitions, about 5 minutes: it shows that all of it works, and no more
  --smallest       a condition of each part at most, for tests
  --openmpi 4|5    as in overlap compare (default 5)
  --only PARTS     measures these alone; the page has whatever is there
  --render         measures nothing; FOLDER has to be one that was measured into
  --list           lists the parts and what each measures, and measures nothing

FOLDER keeps the size and the Open MPI that it was begun with. Exit codes: 1 something failed (the page says what), 2 wrong arguments, 77 this
machine cannot do it (the message says what is missing), 129, 130 or 143 ended by a signal.
"""

def main(arguments, tool):
    return run("papers", lambda: _dispatch(arguments, tool))


class _Parser(argparse.ArgumentParser):
    def error(self, message):
        raise Failure(message + "; papers --help tells more", 2)


def _parse(arguments):
    parser = _Parser(add_help=False, allow_abbrev=False)
    parser.add_argument("folder")
    size = parser.add_mutually_exclusive_group()
    size.add_argument("--quick", action="store_true")
    size.add_argument("--smallest", action="store_true")
    parser.add_argument("--openmpi", choices=["4", "5"])
    parser.add_argument("--only")
    parser.add_argument("--render", action="store_true")
    parser.add_argument("--list", action="store_true")
    return parser.parse_args(arguments)


def _dispatch(arguments, tool):
    if not arguments:
        print(USAGE, end="", file=sys.stderr)
        return 2
    if "--help" in arguments or "-h" in arguments:
        print(USAGE, end="")
        return 0
    options = _parse(arguments)
    need_matplotlib(tool, arguments)
    from evaluation import PARTS
    parts = _chosen(PARTS, options.only)
    asked = "quick" if options.quick else "smallest" if options.smallest else None
    kept = Kept(options.folder, asked, options.openmpi, os.path.join(os.path.dirname(tool), ".."))
    size = sizes.SIZES[kept.size]
    runs = _distinct(parts, size, kept.openmpi)
    if options.list:
        for run in runs:
            print("%-32s %s" % (run.name, run.text()))
        return 0
    if options.render and not kept.begun():
        raise Failure("%s: nothing was measured there" % options.folder)
    code = 0 if options.render else _measure(kept, runs)
    return max(code, _render(kept, PARTS, size))


def _chosen(parts, only):
    if only is None:
        return parts
    names = {part.NAME: part for part in parts}
    for name in only.split(","):
        if name not in names:
            raise Failure("there is no part %s; there are %s" % (name, ", ".join(names)), 2)
    return [names[name] for name in only.split(",")]


def _distinct(parts, size, openmpi):
    return list({run.name: run for part in parts for run in part.runs(size, openmpi)}.values())


def _measure(kept, runs):
    """The exit code. What cannot be measured is said, and the others go on."""
    codes = set()
    began = time.monotonic()
    with kept.locked():
        missing = [run for run in runs if not kept.has(run)]
        print("papers: %s, %d of %d comparisons to do" % (kept.size, len(missing), len(runs)), file=sys.stderr)
        for i, run in enumerate(missing):
            print("papers: %d/%d %s, %.0f s so far" % (i + 1, len(missing), run.name, time.monotonic() - began), file=sys.stderr)
            failed = kept.measure(run)
            if failed:
                print("papers: %s: %s" % (run.name, failed.message), file=sys.stderr)
                codes.add(77 if failed.code == 77 else 1)
    return min(codes, default=0)


def _render(kept, parts, size):
    import page
    results = kept.results(_distinct(parts, size, kept.openmpi))
    output = os.path.join(kept.folder, "papers.html")
    write_whole(output, page.render(parts, results, size, kept))
    print(output)
    return 0
