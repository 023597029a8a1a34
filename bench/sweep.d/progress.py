# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The overlap project
"""How far a sweep is: a bar on a terminal, a line for each run elsewhere."""
import shutil
import sys

import journal


def duration(seconds):
    """As 42 s, 3 min 05 s, 2 h 07 min."""
    seconds = int(round(seconds))
    if seconds < 60:
        return "%d s" % seconds
    if seconds < 3600:
        return "%d min %02d s" % divmod(seconds, 60)
    return "%d h %02d min" % divmod(seconds // 60, 60)


def remaining(sweep, results):
    """Seconds that the missing runs are expected to take: as those of the same setting did, else as all did. None before the first result."""
    if not results:
        return None
    times = {}
    for number, result in results.items():
        times.setdefault(sweep.order[number][0], []).append(result["seconds"])
    mean = sum(sum(each) for each in times.values()) / len(results)
    return sum(sum(times[setting]) / len(times[setting]) if setting in times else mean
               for number, (setting, _) in enumerate(sweep.order) if number not in results)


class Progress:
    """Of a sweep that runs here; `results` grows while it does."""

    def __init__(self, sweep, results, stream=None):
        self._sweep, self._results = sweep, results
        self._stream = stream or sys.stderr
        self._bar = self._stream.isatty()

    def begins(self, number):
        if self._bar:
            self._draw(self._sweep.label(self._sweep.order[number][0]))

    def ended(self, result):
        if self._bar and result["outcome"] == journal.OK:
            return
        self._clear()
        label = self._sweep.label(self._sweep.order[result["run"]][0])
        if result["outcome"] == journal.OK:
            what = "%.6g%s" % (result["value"], " " + self._sweep.unit if self._sweep.unit else "")
        else:
            what = "%s: %s" % (result["outcome"], result["note"])
        left = "" if self._bar else "; %s" % self._left()
        print("%d/%d %s #%d: %s%s" % (len(self._results), len(self._sweep.order), label, result["repetition"] + 1, what, left),
              file=self._stream, flush=True)

    def close(self):
        self._clear()

    def _left(self):
        seconds = remaining(self._sweep, self._results)
        return "time left unknown" if seconds is None else "%s left" % duration(seconds)

    def _clear(self):
        if self._bar:
            print("\r\033[K", end="", file=self._stream, flush=True)

    def _draw(self, label):
        done, all_ = len(self._results), len(self._sweep.order)
        filled = 24 * done // all_
        line = "%s%s %d/%d  %s  %s" % ("█" * filled, "░" * (24 - filled), done, all_, self._left(), label)
        print("\r\033[K" + line[:shutil.get_terminal_size().columns - 1], end="", file=self._stream, flush=True)
