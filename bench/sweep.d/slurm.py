# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The overlap project
"""A sweep as a job array of Slurm: a task for each missing run."""
import json
import math
import os
import re
import shlex
import shutil
import subprocess

import journal
from failure import Failure

# Slurm's own default of MaxArraySize: indices are below it.
_ARRAY_SIZE = 1001


def script(sweep, folder, runs, tool, options, at_once):
    """The batch script of those of `runs` that one array holds, and how many they are. `options`: of sbatch, texts that begin with --."""
    offset = runs[0]
    runs = [run for run in runs if run - offset < _array_size()]
    folder = os.path.abspath(folder)
    own = {
        "job-name": "overlap-sweep",
        "time": str(math.ceil(sweep.timeout / 60) + 1),
        "output": os.path.join(folder, "slurm", "%A_%a.out").replace(folder, folder.replace("%", "%%"), 1),
    }
    lines = ["#!/bin/bash"]
    given = {re.split(r"[= ]", option[2:])[0] for option in options}
    lines += ["#SBATCH --%s=%s" % (key, _quoted(value)) for key, value in own.items() if key not in given]
    lines += ["#SBATCH " + option for option in options]
    lines += [
        "#SBATCH --array=%s%%%d" % (indices([run - offset for run in runs]), at_once),
        "# Run N of the sweep is task N - %d." % offset,
        "exec %s task %s $((SLURM_ARRAY_TASK_ID + %d))" % (shlex.quote(tool), shlex.quote(folder), offset),
    ]
    return "\n".join(lines) + "\n", len(runs), offset


def indices(numbers):
    """Ascending numbers as 0-3,7,9-12."""
    parts = []
    for number in numbers:
        if parts and parts[-1][1] == number - 1:
            parts[-1][1] = number
        else:
            parts.append([number, number])
    return ",".join("%d" % first if first == last else "%d-%d" % (first, last) for first, last in parts)


def need_sbatch():
    """Raises Failure where there is none."""
    if not shutil.which("sbatch"):
        raise Failure("there is no sbatch in PATH: Slurm is not installed here", 77)


def submit(text, folder, offset):
    """Hands the script to sbatch and returns the number of the job."""
    need_sbatch()
    answer = subprocess.run(["sbatch", "--parsable"], input=text, capture_output=True, text=True, check=False)
    if answer.returncode != 0:
        raise Failure("sbatch: " + answer.stderr.strip())
    number = int(answer.stdout.strip().split(";")[0])
    journal.append(_jobs_path(folder), {"job": number, "offset": offset})
    return number


def queued(folder):
    """Runs whose tasks wait or run."""
    try:
        with open(_jobs_path(folder), encoding="utf-8") as file:
            jobs = {str(job["job"]): job["offset"] for job in map(json.loads, file)}
    except FileNotFoundError:
        return set()
    except (ValueError, KeyError) as error:
        raise Failure("%s cannot be read: %s" % (_jobs_path(folder), error)) from None
    if not shutil.which("squeue"):
        raise Failure("tasks of this sweep were submitted, and there is no squeue in PATH that would say whether they still run", 77)
    answer = subprocess.run(["squeue", "--noheader", "--array", "--format", "%F %K"], capture_output=True, text=True, check=False)
    if answer.returncode != 0:
        raise Failure("squeue: " + answer.stderr.strip())
    tasks = (line.split() for line in answer.stdout.splitlines())
    return {jobs[task[0]] + int(task[1]) for task in tasks if task[0] in jobs and task[1].isdigit()}


def _jobs_path(folder):
    return os.path.join(folder, "slurm", "jobs.jsonl")


def _array_size():
    if shutil.which("scontrol"):
        answer = subprocess.run(["scontrol", "show", "config"], capture_output=True, text=True, check=False)
        match = re.search(r"^MaxArraySize\s*=\s*(\d+)", answer.stdout, re.MULTILINE)
        if match:
            return int(match.group(1))
    return _ARRAY_SIZE


def _quoted(text):
    return '"%s"' % text if re.search(r"\s", text) else text
