# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The overlap project
"""A timeline as fcoll_overlap_trace writes it: the slices of one collective call, by process and track."""

import json
from collections import defaultdict, namedtuple

# Times in microseconds; track 0 of a file is that of the call, the others are its sub-buffers.
Slice = namedtuple("Slice", "name process track begin end args")

OPERATIONS = ("shuffle", "write", "read")
CALLS = ("write call", "read call")


class NoTimeline(Exception):
    """The file is none, or does not have what was asked for."""


class Trace:
    def __init__(self, path):
        try:
            with open(path, encoding="utf-8") as file:
                events = json.load(file)["traceEvents"]
        except OSError as error:
            raise NoTimeline(f"{path}: {error.strerror}") from error
        except (ValueError, KeyError, TypeError) as error:
            raise NoTimeline(f"{path}: it is no timeline of fcoll_overlap_trace") from error
        self.path = path
        self.names = {}
        self.tracks = {}
        self.order = {}
        self.slices = []
        try:
            for event in events:
                self._take(event)
        except (KeyError, TypeError) as error:
            raise NoTimeline(f"{path}: it is no timeline of fcoll_overlap_trace") from error

    def _take(self, event):
        process = event["pid"]
        if event["ph"] == "X":
            begin = event["ts"]
            self.slices.append(Slice(event["name"], process, event["tid"], begin, begin + event["dur"], event["args"]))
        elif event["ph"] == "M" and event["name"] == "process_name":
            self.names[process] = event["args"]["name"]
        elif event["ph"] == "M" and event["name"] == "process_sort_index":
            self.order[process] = event["args"]["sort_index"]
        elif event["ph"] == "M" and event["name"] == "thread_name":
            self.tracks[process, event["tid"]] = event["args"]["name"]

    def call(self, number=None, file=""):
        """The slices of one collective call on a file whose path ends with `file`."""
        calls = defaultdict(list)
        for each in self.slices:
            if each.name in CALLS and each.args["file"].endswith(file):
                calls[each.args["opened"], each.args["call"]].append(each)
        chosen = {key: parts for key, parts in calls.items() if number is None or key[1] == number}
        if not chosen:
            raise NoTimeline(f"{self.path}: there is no such call")
        return max((self._within(parts) for parts in chosen.values()), key=lambda call: (call.bytes, call.begin))

    def _within(self, parts):
        spans = {(part.process, part.args["call"]): part for part in parts}

        def belongs(each):
            span = spans.get((each.process, each.args["call"]))
            return span is not None and span.begin <= each.begin and each.end <= span.end

        return Call(self, parts, [each for each in self.slices if each.name not in CALLS and belongs(each)])


class Call:
    def __init__(self, trace, parts, slices):
        self.trace = trace
        self.begin = min(part.begin for part in parts)
        self.end = max(part.end for part in parts)
        self.slices = slices
        self.bytes = sum(each.args["bytes"] for each in slices if each.name in ("write", "read"))
        self.processes = sorted({part.process for part in parts}, key=lambda process: trace.order.get(process, process))
        self.aggregators = [
            process
            for process in self.processes
            if any(each.process == process and each.name in ("write", "read") for each in slices)
        ]

    @property
    def seconds(self):
        return (self.end - self.begin) / 1e6

    def under_way(self, process, *names):
        """The intervals in which an operation of these names is under way on the process, in order, without overlap."""
        spans = sorted((each.begin, each.end) for each in self.slices if each.process == process and each.name in names)
        merged = []
        for begin, end in spans:
            if merged and begin <= merged[-1][1]:
                merged[-1] = (merged[-1][0], max(merged[-1][1], end))
            else:
                merged.append((begin, end))
        return merged


def length(intervals):
    return sum(end - begin for begin, end in intervals)


def common(first, second):
    """What lies in intervals of both."""
    shared = []
    for begin, end in first:
        for other_begin, other_end in second:
            if max(begin, other_begin) < min(end, other_end):
                shared.append((max(begin, other_begin), min(end, other_end)))
    return shared
