# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The overlap project
"""A job's command line: launcher, its options, program; and the probe that runs with the same options."""
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile

import probe

LAUNCHERS = re.compile(r"^(mpirun|mpiexec|mpirun_rsh|orterun|prterun|prun|oshrun|srun|jsrun|aprun)(\..*)?$")
# Options without a word behind them: those of mpirun 4.1 to 6.0 and of srun that are in use.
ALONE = set("""oversubscribe nooversubscribe use-hwthread-cpus report-bindings display-map display-allocation display-devel-map tag-output
timestamp-output merge-stderr-to-stdout allow-run-as-root bynode byslot bycore bysocket bind-to-core bind-to-socket bind-to-none pernode
nolocal novm xml debug debug-daemons leave-session-attached v q verbose quiet continuous enable-recovery disable-recovery do-not-launch
do-not-resolve forward-signals display-comm display-comm-finalize soft no-ready-msg personality-ompi stdin-none noprefix get-stack-traces
report-child-jobs-separately exclusive overlap label unbuffered multi-prog l u s O K""".split())
TWO = {"mca", "omca", "gmca", "gomca", "prtemca", "pmixmca", "gprtemca", "gpmixmca"}


class Job:
    """`before`: what stands before the launcher (timeout 60); `options`: the launcher's; `program`: with its arguments."""

    def __init__(self, words):
        self.words = words
        start = next((i for i, word in enumerate(words) if LAUNCHERS.match(os.path.basename(word))), None)
        self.launcher = None if start is None else words[start]
        self.before = words[:start or 0]
        rest = [] if start is None else words[start + 1:]
        end = program_in(rest)
        self.options, self.program = rest[:end], rest[end:]
        if ":" in self.program:
            self.program = self.program[:self.program.index(":")]

    def environment(self):
        """With what `env NAME=VALUE` in front adds."""
        added = dict(word.split("=", 1) for word in self.before if re.match(r"\w+=", word))
        return dict(os.environ, **added)

    def is_open_mpi(self):
        return self.launcher is not None and re.match(r"mpi|orte|prte|osh", os.path.basename(self.launcher)) is not None


def program_in(words):
    """Where the program begins: behind the options and their words. One that is not known takes a word unless what follows can run."""
    i = 0
    while i < len(words):
        word = words[i]
        if not word.startswith("-"):
            return i
        name = word.lstrip("-")
        i += 1
        if word == "--":
            return i
        if "=" in word or name in ALONE or (word[1] != "-" and re.match(r"[a-zA-Z]\d+$", name)):
            continue
        i += 2 if name in TWO else 1 if i < len(words) and not words[i].startswith("-") else 0
    return i


class Outcome:
    """`result`: the probe's, None where it ended without one. `text`: all that the launcher said."""

    def __init__(self, result, text, command, code):
        self.result, self.text, self.command, self.code = result, text, command, code

    @property
    def served(self):
        return bool(self.result and self.result.get("overlap") and self.result.get("verified"))

    @property
    def messages(self):
        return (self.result or {}).get("messages", "") + self.text

    def component(self):
        """Which one served: that of fcoll, or ROMIO; None where none did."""
        if not self.result or self.result.get("error"):
            return None
        if self.result.get("overlap"):
            return "overlap"
        romio = re.search(r"Selected io module (romio\w*)", self.messages)
        if romio or self.result.get("romio"):
            return romio.group(1) if romio else "ROMIO"
        return next(iter(re.findall(r"select: component (\w+) selected", self.messages)), "another component")


# What an mpirun of 4.1 says that has lost messages of processes, as one of eight does on a busy machine.
LOST = re.compile(r"Data unpack .*show_help\.c")


def run_probe(command, folder, libraries, environment):
    """`command`: all before the program. What it leaves in the folder is removed. Again where messages were lost."""
    for _ in range(5):
        outcome = run_once(command, folder, libraries, environment)
        if outcome.served or not LOST.search(outcome.messages):
            break
    return outcome


def run_once(command, folder, libraries, environment, seconds=120):
    place, path = tempfile.mkstemp(prefix=".overlap-doctor-", dir=folder)
    os.close(place)
    words = [*command, sys.executable, os.path.realpath(probe.__file__), path, *libraries]
    environment = dict(environment)
    if os.getuid() == 0:
        environment.update({"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"})
    try:
        process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=environment, start_new_session=True)
        try:
            output = process.communicate(timeout=seconds)[0]
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGTERM)
            output = process.communicate(timeout=20)[0] + b"\nit did not end within %d seconds\n" % seconds
        text = output.decode(errors="replace").replace("\0", "")
        return Outcome(result_of(path, text), re.sub(r".*%s.*\n?" % probe.MARK, "", text), words, process.returncode)
    except OSError as error:
        return Outcome(None, str(error), words, 127)
    finally:
        for name in os.listdir(folder):
            if name.startswith(os.path.basename(path)):
                remove(os.path.join(folder, name))


def result_of(path, text):
    try:
        with open(path + ".json", encoding="utf-8") as file:
            return json.load(file)
    except (OSError, ValueError):
        pass
    try:
        return json.loads(re.search(probe.MARK + r"(\{.*\})", text).group(1))
    except (AttributeError, ValueError):
        return None


def remove(path):
    try:
        os.unlink(path)
    except OSError:
        pass


def path_of(word, environment):
    """The file that a word of a command line runs."""
    return shutil.which(word, path=environment.get("PATH", os.defpath))
