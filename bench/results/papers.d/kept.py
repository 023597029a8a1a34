# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The overlap project
"""What was measured: FOLDER/papers.json says how, FOLDER/measured has a file for each run, FOLDER/logs what the tools said."""
import collections
import contextlib
import fcntl
import json
import os
import shutil
import signal
import subprocess
import tempfile
import time

from failure import Failure
from orphans import ends_with_us
from whole import write_whole

FORMAT = 1
# What went wrong with a run: the exit code and the last line that was said.
Failed = collections.namedtuple("Failed", "code message")


class Kept:
    """`size`, `openmpi`: those that the folder was begun with. Raises Failure where others are asked for (None: whatever it has)."""

    def __init__(self, folder, size, openmpi, tools):
        self.folder, self._tools = os.path.abspath(folder), os.environ.get("OVERLAP_PAPERS_TOOLS", tools)
        self._lock = None
        path = self._begun = os.path.join(self.folder, "papers.json")
        try:
            with open(path, encoding="utf-8") as file:
                begun = json.load(file)
            self.size, self.openmpi = begun["size"], begun["openmpi"]
            if begun["format"] != FORMAT:
                raise Failure("%s is of format %s, this is for %d" % (path, begun["format"], FORMAT))
        except FileNotFoundError:
            self.size, self.openmpi = size or "full", openmpi or "5"
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise Failure("%s cannot be read: %s" % (path, error)) from None
        for name, asked, have in (("size", size, self.size), ("Open MPI", openmpi, self.openmpi)):
            if asked not in (None, have):
                raise Failure("%s was begun with the %s %s; take another folder" % (folder, name, have), 2)

    @contextlib.contextmanager
    def locked(self):
        """Nobody else measures into the folder, which is made where it is missing."""
        try:
            os.makedirs(os.path.join(self.folder, "measured"), exist_ok=True)
            os.makedirs(os.path.join(self.folder, "logs"), exist_ok=True)
        except OSError as error:
            raise Failure("%s: %s" % (error.filename, error.strerror)) from None
        with open(os.path.join(self.folder, "lock"), "w", encoding="utf-8") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                raise Failure("another papers measures into %s" % self.folder) from None
            if not self.begun():
                write_whole(self._begun, json.dumps({"format": FORMAT, "size": self.size, "openmpi": self.openmpi}) + "\n")
            self._lock = file.fileno()
            yield

    def begun(self):
        """Whether anything was measured into the folder, or was to be."""
        return os.path.exists(self._begun)

    def has(self, run):
        """A result of which nothing failed."""
        kept = self._read(run)
        return kept is not None and kept["code"] == 0

    def results(self, runs):
        """By the names of the runs, without those that are missing; with those of which a part failed."""
        found = {run.name: self._read(run) for run in runs}
        return {name: kept["result"] for name, kept in found.items() if kept is not None}

    def measure(self, run):
        """None, or what went wrong: then there is at most the result of the contenders that did work."""
        scratch = tempfile.mkdtemp(prefix="overlap-papers.")
        log = os.path.join(self.folder, "logs", run.file_name + ".log")
        try:
            command, environment = run.prepare(self._tools, scratch, self.openmpi, os.path.join(self.folder, "grids"))
            began = time.time()
            with open(log, "wb") as out:
                code = _run(command, dict(os.environ, **environment), out, self._lock)
            result = run.result(scratch, log) if code in (0, 1) else None
            if result is not None:
                result = {"run": run.name, "arguments": run.arguments, "code": code, "began": began, "seconds": time.time() - began, "result": result}
                write_whole(self._path(run), json.dumps(result, indent=1) + "\n")
            return None if code == 0 and result is not None else Failed(code, _last_line(log))
        finally:
            shutil.rmtree(scratch, ignore_errors=True)

    def _path(self, run):
        return os.path.join(self.folder, "measured", run.file_name + ".json")

    def _read(self, run):
        """What is kept, None where it is missing, torn or of other arguments."""
        try:
            with open(self._path(run), encoding="utf-8") as file:
                kept = json.load(file)
            return kept if kept["arguments"] == run.arguments and "result" in kept and "code" in kept else None
        except (OSError, ValueError, KeyError, TypeError):
            return None


def _run(command, environment, out, lock):
    """The exit code. Who ends this program ends the command as well, which takes its cluster and its mount away; as long as it does it holds `lock`."""
    try:
        process = subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT, start_new_session=True,
                                   preexec_fn=ends_with_us, pass_fds=(lock,))
    except OSError as error:
        raise Failure("%s: %s" % (command[0], error.strerror)) from None
    try:
        return process.wait()
    except BaseException:
        # The whole group, as mpirun has to hear of it too; a second signal must not keep this from waiting.
        for each in (signal.SIGHUP, signal.SIGINT, signal.SIGTERM):
            signal.signal(each, signal.SIG_IGN)
        os.killpg(process.pid, signal.SIGTERM)
        process.wait()
        raise


def _last_line(path):
    with open(path, "rb") as file:
        lines = file.read().decode(errors="replace").split("\n")
    return next((line for line in reversed(lines) if line.strip()), "it said nothing")
