# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The overlap project
"""What is run: a comparison, the placements of a machine, a grid of trends. Each is one result, known by its name."""
import csv
import json
import os
import re


class Run:
    """`name`: part and condition, with slashes. `arguments`: of the tool, what a result belongs to."""

    def __init__(self, name, arguments):
        self.name, self.arguments = name, [str(argument) for argument in arguments]

    @property
    def file_name(self):
        return self.name.replace("/", "-")

    def text(self):
        return " ".join(self.arguments)

    def prepare(self, tools, scratch, openmpi, grids):
        """(command, environment); files that it needs are made in `scratch`, `grids` is a folder that outlives the run."""
        raise NotImplementedError

    def result(self, scratch, log):
        """What JSON can hold, or None."""
        raise NotImplementedError


class Comparison(Run):
    """
    Of bench/compare. The result: {"rows": {label: {"median", "least", "most", "seconds", "report"}}, "bytes"}; "report": of contenders with {report} among their
    parameters, the seconds that the component says of its aggregators. `files`: contents by name of files that {NAME} in the arguments and the environment stands for.
    """

    def __init__(self, name, kernel, contenders, testbed, repetitions, environment=None, files=None):
        super().__init__(name, [*kernel, "--contenders", ",".join(contenders), *testbed, "--repetitions", repetitions, "--no-bounds"])
        self._environment, self._files = environment or {}, files or {}
        self._reported = [contender.split("=", 1)[0] for contender in contenders if "{report}" in contender]

    def prepare(self, tools, scratch, openmpi, grids):
        places = {"report": os.path.join(scratch, "report")}
        for name, contents in self._files.items():
            places[name] = os.path.join(scratch, name)
            with open(places[name], "w", encoding="utf-8") as file:
                file.write(contents)
        arguments = [_filled(argument, places) for argument in self.arguments]
        command = [os.path.join(tools, "compare"), *arguments, "--openmpi", openmpi, "--json", os.path.join(scratch, "result.json")]
        return command, {name: _filled(value, places) for name, value in self._environment.items()}

    def result(self, scratch, log):
        try:
            with open(os.path.join(scratch, "result.json"), encoding="utf-8") as file:
                found = json.load(file)
        except (OSError, ValueError):
            return None
        rows = {row["label"]: {key: row[key] for key in ("median", "least", "most")} for row in found["results"]}
        for label in self._reported:
            rows[label]["report"] = _reported(os.path.join(scratch, "report"))
        return {"rows": rows, "bytes": found["bytes"], "openmpi": found["openmpi"]["version"], "machine": found["machine"], "date": found["date"],
                "left_out": [each["label"] for each in found["left_out"]]}


def _reported(path):
    """Seconds of shuffle and of file access of the aggregators, over all jobs."""
    shuffle = file_ = 0.0
    try:
        with open(path, encoding="utf-8") as lines:
            for line in lines:
                overlap = json.loads(line)["writes"]["overlap"]
                shuffle += overlap["shuffle"]
                file_ += overlap["file"]
    except (OSError, ValueError):
        return None
    return {"shuffle": shuffle, "file": file_}


class Placement(Run):
    """Of overlap placement. The result: a list of rows as its --csv has them."""

    def __init__(self, name, topology, arguments):
        super().__init__(name, arguments)
        self._topology = topology

    def prepare(self, tools, scratch, openmpi, grids):
        topology = os.path.join(tools, "placement.d", "topologies", self._topology)
        return [os.path.join(tools, "placement"), "--csv", "--topology", topology, *self.arguments], {}

    def result(self, scratch, log):
        with open(log, encoding="utf-8") as file:
            lines = [line for line in file if "," in line]
        return list(csv.DictReader(lines)) or None


class Trend(Run):
    """
    Of bench/results/trend, which keeps its own grid. The result: {"points": [{"bytes", "ranks", "aggregators", "median", "predicted"}], "counts": {variable:
    {"match", "mismatch", "spread"}}}.
    """

    def prepare(self, tools, scratch, openmpi, grids):
        # Of these arguments alone: trend takes all results that it finds.
        grid = os.path.join(grids, re.sub(r"[^a-z0-9]+", "-", self.text().strip("-")))
        os.makedirs(grid, exist_ok=True)
        return [os.path.join(tools, "results", "trend"), grid, *self.arguments, "--openmpi", openmpi], {}

    def result(self, scratch, log):
        points, counts = [], {}
        with open(log, encoding="utf-8", errors="replace") as file:
            for line in file:
                numbers = re.fullmatch(r"\s*(\d+)\s+(\d+)\s+(\d+)((?:\s+\d+\.\d+){4})\s*", line)
                if numbers:
                    median, _, _, predicted = map(float, numbers.group(4).split())
                    points.append({"bytes": int(numbers.group(1)), "ranks": int(numbers.group(2)), "aggregators": int(numbers.group(3)),
                                   "median": median, "predicted": predicted})
                counted = re.fullmatch(r"(bytes of a rank|ranks|aggregators)\s+(\d+)\s+(\d+)\s+(\d+)\s*", line)
                if counted:
                    counts[counted.group(1)] = dict(zip(("match", "mismatch", "spread"), map(int, counted.groups()[1:])))
        return {"points": points, "counts": counts} if points and len(counts) == 3 else None


def _filled(text, places):
    for name, path in places.items():
        text = text.replace("{%s}" % name, path)
    return text
