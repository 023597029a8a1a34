# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The overlap project
"""One run of the command."""
import datetime
import os
import re
import signal
import socket
import subprocess
import threading
import time

import journal
from failure import Failure
from orphans import ends_with_us

# Seconds that mpirun has to take its processes with it.
GRACE = 10


def run(sweep, number, folder):
    """Runs it to its end or its timeout and returns its result; the output is in FOLDER/logs/NUMBER.log. Raises Failure where there is no room."""
    setting, repetition = sweep.order[number]
    log = os.path.join(folder, "logs", "%d.log" % number)
    started = datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds")
    code, value, note, ended = None, None, "", None
    begin = time.monotonic()
    try:
        os.makedirs(os.path.dirname(log), exist_ok=True)
        output = open(log, "wb")
    except OSError as error:
        raise Failure("%s cannot be written: %s" % (log, error.strerror)) from None
    with output:
        try:
            process = subprocess.Popen(sweep.command, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT,
                                       env=sweep.environment(number, os.environ), start_new_session=True, preexec_fn=ends_with_us)
        except OSError as error:
            outcome, note = journal.FAILED, "%s: %s" % (sweep.command[0], error.strerror)
        else:
            try:
                ended = _wait(process, sweep.timeout)
                code = process.returncode
                outcome = journal.OK if code == 0 else journal.FAILED
            except subprocess.TimeoutExpired:
                outcome, note = journal.TIMEOUT, "it did not end within %g s" % sweep.timeout
            except BaseException:
                _end(process)
                raise
            seconds = (ended or time.monotonic()) - begin
            _end(process)
    if code is None and outcome == journal.FAILED:
        seconds = time.monotonic() - begin
    if outcome == journal.OK:
        value = seconds if sweep.metric is None else metric(sweep.metric, log)
        if value is None:
            outcome, note = journal.NO_METRIC, "nothing in the output matches the metric"
    elif code is not None:
        note = "exit code %d" % code if code > 0 else "ended by %s" % signal.Signals(-code).name
        note += _last_line(log)
    return {
        "run": number, "repetition": repetition, "values": dict(zip([p.name for p in sweep.parameters], sweep.settings[setting])),
        "outcome": outcome, "value": value, "seconds": round(seconds, 6), "exit_code": code, "note": note, "host": socket.gethostname(),
        "started": started,
    }


def metric(expression, log):
    """The number of the first group, or of all that matches where there is none, at its last place in the output; None where there is no number."""
    value = None
    with open(log, encoding="utf-8", errors="replace") as file:
        for match in re.finditer(expression, file.read(), re.MULTILINE):
            text = match.group(1) if match.re.groups else match.group(0)
            try:
                value = float(text)
            except (TypeError, ValueError):
                continue
    # Not a number, and infinity, are none to compare.
    return value if value is not None and abs(value) < float("inf") else None


def _last_line(log):
    with open(log, encoding="utf-8", errors="replace") as file:
        lines = [line.strip() for line in file.read()[-4096:].splitlines() if line.strip()]
    return ": " + lines[-1][:160] if lines else ""


def _wait(process, timeout):
    """When it has ended. Raises subprocess.TimeoutExpired. Popen.wait with a timeout looks every 50 ms only: times would all lie on a grid of that."""
    ended = []

    def wait():
        process.wait()
        ended.append(time.monotonic())

    thread = threading.Thread(target=wait, daemon=True)
    thread.start()
    thread.join(min(timeout, threading.TIMEOUT_MAX))
    if not ended:
        raise subprocess.TimeoutExpired(process.args, timeout)
    return ended[0]


def _end(process):
    """What is left of the command's session: mpirun gives each rank a process group of its own, so a signal to one group is not enough."""
    begin = time.monotonic()
    if process.poll() is None:
        process.terminate()
        try:
            process.wait(GRACE)
        except subprocess.TimeoutExpired:
            pass
    # Whoever ends by itself is not to be hurried: a moment later it is gone.
    while _session(process.pid) and process.returncode is not None and time.monotonic() - begin < 1:
        time.sleep(0.02)
    for pid in _session(process.pid):
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
    process.wait()


def _session(leader):
    """The processes of the session that are not merely waiting to be reaped."""
    members = []
    for name in os.listdir("/proc"):
        if not name.isdigit():
            continue
        try:
            with open("/proc/%s/stat" % name, encoding="utf-8", errors="replace") as file:
                # state, parent, group, session; the command's name before them may hold anything.
                state, _, _, session = file.read().rpartition(")")[2].split()[:4]
        except OSError:
            continue
        if int(session) == leader and state not in "ZX":
            members.append(int(name))
    return members
