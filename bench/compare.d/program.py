# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The overlap project
"""A program of the user's, run in turns with several components of Open MPI: compare [OPTION...] -- COMMAND...

Called by ../compare, whose head describes the options. Nothing is built: the Open MPI is the one of the command, with the
components that it finds. Settings reach the command as environment variables OMPI_MCA_..., so its own words stay as they are.
"""
import argparse
import json
import os
import random
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.realpath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "sweep.d"), os.path.join(HERE, "..", "page")]

import job  # noqa: E402
import journal  # noqa: E402
from failure import Failure  # noqa: E402

USUAL = ["vulcan", "dynamic_gen2", "romio", "overlap"]


class Contender:
    """[LABEL=]COMPONENT[:NAME=VALUE...]"""

    def __init__(self, text):
        head, *settings = text.split(":")
        label, equals, component = head.rpartition("=")
        self.label, self.component = (label if equals else text), component
        self.settings = {}
        for setting in settings:
            name, equals, value = setting.partition("=")
            if not name or not equals:
                raise Failure('"%s" is no contender: [LABEL=]COMPONENT[:NAME=VALUE...]' % text, 2)
            own = self.component == "overlap" and not name.startswith(("fcoll_", "io_"))
            self.settings[("fcoll_overlap_" if own else "") + name] = value

    def variables(self, romio, report):
        """Of its environment."""
        settings = {"io": romio} if self.component == "romio" else {"io": "ompio", "fcoll": self.component}
        if self.component == "overlap":
            settings.update(fcoll_overlap_report="json", fcoll_overlap_report_file=report)
        settings.update(self.settings)
        return {"OMPI_MCA_" + name: value for name, value in settings.items()}


class Turns:
    """What job.run needs of a sweep; a run is a contender's turn."""

    parameters, settings, metric = [], [()], None

    def __init__(self, command, timeout):
        self.command, self.timeout = command, timeout
        self.order, self.variables = {}, {}

    def environment(self, number, base):
        return {**base, **self.variables[number]}


def components(command):
    """fcoll's, and ROMIO's name, of the Open MPI that the command's first word belongs to, else that of PATH."""
    first = shutil.which(command[0])
    beside = os.path.join(os.path.dirname(first), "ompi_info") if first else None
    ompi_info = beside if beside and os.access(beside, os.X_OK) else shutil.which("ompi_info")
    if ompi_info is None:
        raise Failure("no ompi_info in PATH", 77)
    text = subprocess.run([ompi_info, "--parsable"], capture_output=True, text=True, check=False).stdout
    fields = [line.split(":") for line in text.splitlines() if line.startswith("mca:")]
    romio = next((field[2] for field in fields if field[1] == "io" and field[2].startswith("romio")), None)
    return {field[2] for field in fields if field[1] == "fcoll"}, romio


def able(contenders, command):
    there, romio = components(command)
    kept = []
    for contender in contenders:
        if romio if contender.component == "romio" else contender.component in there:
            kept.append(contender)
        else:
            hint = " (make check-installed)" if contender.component == "overlap" else ""
            print("compare: %s is left out: this Open MPI has no such component%s" % (contender.label, hint), file=sys.stderr)
    if not kept:
        raise Failure("no contender is left", 77)
    return kept, romio


def reports(path):
    """What overlap says of the files that it served."""
    try:
        with open(path, encoding="utf-8") as file:
            return [json.loads(line) for line in file]
    except FileNotFoundError:
        return []


def in_calls(report):
    return sum(report[way]["seconds"]["elapsed"]["mean"] for way in ("writes", "reads"))


def run_all(contenders, romio, options, scratch):
    """One round that does not count, then those that do, each in shuffled order. {label: [result]}"""
    turns = Turns(options.command, options.time_limit)
    shuffled = random.Random(options.seed)
    results = {contender.label: [] for contender in contenders}
    number = 0
    for turn in range(options.repetitions + 1):
        for contender in shuffled.sample(contenders, len(contenders)):
            report = os.path.join(scratch, "report.%d" % number)
            turns.order[number] = (0, turn)
            turns.variables[number] = contender.variables(romio, report)
            print("compare: round %d of %d, %s" % (turn, options.repetitions, contender.label), file=sys.stderr)
            result = job.run(turns, number, scratch)
            served = reports(report)
            result.update(files=len(served), calls=sum(map(in_calls, served)))
            number += 1
            if turn > 0 or result["outcome"] != journal.OK:
                results[contender.label].append(result)
    return results


def show(contenders, results):
    """A table; returns whether every run succeeded."""
    rows, whole = [], True
    for contender in contenders:
        good = [result["seconds"] for result in results[contender.label] if result["outcome"] == journal.OK]
        bad = [result for result in results[contender.label] if result["outcome"] != journal.OK]
        whole = whole and not bad
        note = "failed: " + bad[0]["note"] if bad else ""
        if contender.component == "overlap" and good and not bad:
            last = results[contender.label][-1]
            note = "%d file%s, %.3f s in collective calls" % (last["files"], "s"[last["files"] == 1 :], last["calls"])
            if last["files"] == 0:
                note = "NO FILE WAS SERVED: no collective calls, or mpirun does not find the component"
        rows.append((contender.label, good, note))
    first = next((statistics.median(good) for _, good, _ in rows if good), None)
    print("%-24s %10s %10s %10s %8s" % ("seconds of the command", "median", "least", "most", "relative"))
    for label, good, note in rows:
        if good:
            median = statistics.median(good)
            print("%-24s %10.3f %10.3f %10.3f %8.2f  %s" % (label, median, min(good), max(good), median / first, note))
        else:
            print("%-24s %10s %10s %10s %8s  %s" % (label, "-", "-", "-", "-", note))
    return whole


def parse(arguments):
    before, command = arguments[: arguments.index("--")], arguments[arguments.index("--") + 1 :]
    parser = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    parser.error = lambda text: parser.exit(2, "compare: %s; overlap compare --help tells more\n" % text)
    parser.add_argument("--contenders", action="append")
    parser.add_argument("--repetitions", type=int, default=5)
    parser.add_argument("--time-limit", type=float, default=300)
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument("--json")
    options = parser.parse_args(before)
    words = " ".join(options.contenders or [",".join(USUAL)]).replace(",", " ").split()
    options.contenders = [Contender(word) for word in words]
    options.command = command
    if not command or options.repetitions < 1:
        raise Failure("behind -- stands a command, and there is one repetition at least", 2)
    return options


def main(arguments):
    options = parse(arguments)
    contenders, romio = able(options.contenders, options.command)
    with tempfile.TemporaryDirectory() as scratch:
        results = run_all(contenders, romio, options, scratch)
    whole = show(contenders, results)
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump({"command": options.command, "results": results}, file, indent=1)
    return 0 if whole else 1


if __name__ == "__main__":
    for number in (signal.SIGHUP, signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda ended, _: sys.exit(128 + ended))
    try:
        sys.exit(main(sys.argv[1:]))
    except Failure as failure:
        print("compare: %s" % failure, file=sys.stderr)
        sys.exit(failure.code)
