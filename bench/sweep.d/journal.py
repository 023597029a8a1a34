# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The overlap project
"""The results: a line of JSON for each run, on disk before the next run begins."""
import glob
import json
import os
import sys

from failure import Failure

OK, FAILED, TIMEOUT, NO_METRIC = "ok", "failed", "timeout", "no metric"
# What a line says whose run is to be done again.
FORGOTTEN = "forgotten"


def local_path(folder):
    return os.path.join(folder, "results.jsonl")


def task_path(folder, run):
    """A file of its own for each task: appends of several hosts to one file lose lines on NFS."""
    return os.path.join(folder, "tasks", "%d.jsonl" % run)


def append(path, result):
    """Behind what was torn by the end of its writer, which is taken away. Raises Failure."""
    try:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        _repair(path)
        with open(path, "ab") as file:
            file.write(json.dumps(result).encode() + b"\n")
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        raise Failure("%s cannot be written: %s" % (path, error.strerror)) from None


def read(folder, runs):
    """The results by run. What is torn, and what is of no run of this sweep (as many as `runs`), is left out with a warning."""
    results = {}
    for path in _paths(folder):
        results.update(_read_file(path, runs))
    return results


def forget(folder, results, runs):
    """These results, of a sweep with so many runs, are missing from now on, for whoever reads."""
    for path in _paths(folder):
        mine = _read_file(path, runs)
        for run in sorted(set(mine) & set(results)):
            append(path, {"run": run, "outcome": FORGOTTEN})


def _paths(folder):
    return [path for path in [local_path(folder)] + sorted(glob.glob(os.path.join(folder, "tasks", "*.jsonl"))) if os.path.exists(path)]


def _read_file(path, runs):
    try:
        with open(path, "rb") as file:
            lines = file.read().split(b"\n")
    except OSError as error:
        raise Failure("%s cannot be read: %s" % (path, error.strerror)) from None
    results = {}
    # Behind the last end of a line is nothing, or what is just being written, or what was torn.
    for i, line in enumerate(lines[:-1]):
        result = _parse(line, runs)
        if result is None:
            print("sweep: %s:%d is no result and left out; its run is done again" % (path, i + 1), file=sys.stderr)
        elif result["outcome"] == FORGOTTEN:
            results.pop(result["run"], None)
        else:
            results[result["run"]] = result
    return results


def _parse(line, runs):
    try:
        result = json.loads(line)
        run, outcome = result["run"], result["outcome"]
        right = isinstance(run, int) and 0 <= run < runs and outcome in (OK, FAILED, TIMEOUT, NO_METRIC, FORGOTTEN)
        if right and outcome != FORGOTTEN:
            right = isinstance(result["seconds"], (int, float)) and isinstance(result["values"], dict)
        if right and outcome == OK:
            right = isinstance(result["value"], (int, float))
        return result if right else None
    except (ValueError, KeyError, TypeError):
        return None


def _repair(path):
    try:
        with open(path, "rb+") as file:
            content = file.read()
            if content.endswith(b"\n") or not content:
                return
            file.truncate(content.rfind(b"\n") + 1)
            file.flush()
            os.fsync(file.fileno())
    except FileNotFoundError:
        pass
