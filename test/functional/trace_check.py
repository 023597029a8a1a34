# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The overlap project
"""Whether a timeline is one: python3 trace_check.py FILE [--ranks N] [--written BYTES] [--read BYTES] [--dropped] [--files N].

Strict JSON; slices of a track nest or follow each other, those of a sub-buffer follow each other; both ends of each message are
there, within the shuffles that they belong to; what the writes of each file transfer is what was written, without a gap.
"""

import argparse
import decimal
import json
import sys
from collections import Counter, defaultdict

CALLS = ("write call", "read call")
failures = []


def expect(holds, what):
    if not holds and len(failures) < 20:
        failures.append(what)


def load(path):
    def refuse(constant):
        raise ValueError(f"{constant} is no JSON")

    with open(path, encoding="utf-8", errors="strict") as file:
        document = json.load(file, parse_constant=refuse, parse_float=decimal.Decimal)
    expect(set(document) == {"displayTimeUnit", "otherData", "traceEvents"}, f"members are {sorted(document)}")
    expect(document["otherData"]["clocks"] != "", "nothing is said of the clocks")
    return document["traceEvents"]


def end_of(each):
    end = each["ts"] + each["dur"]
    expect(float(each["ts"]) + float(each["dur"]) == float(end), f"{each} ends elsewhere in double precision")
    return end


def check_processes(events, ranks):
    named, order, clocks = {}, {}, {}
    for each in events:
        if each["ph"] == "M" and each["name"] == "process_name":
            named[each["pid"]] = each["args"]["name"]
        if each["ph"] == "M" and each["name"] == "process_sort_index":
            order[each["pid"]] = each["args"]["sort_index"]
        if each["ph"] == "M" and each["name"] == "clock":
            clocks[each["pid"]] = each["args"]
    expect(ranks is None or sorted(named) == list(range(ranks)), f"processes are {sorted(named)}")
    expect(set(order) == set(named) == set(clocks), "not each process has a name, a place and a clock")
    expect(len(set(order.values())) == len(order), "two processes have one place")
    sequence = sorted(named, key=lambda pid: order[pid])
    aggregates = [named[pid].endswith(", aggregator") for pid in sequence]
    expect(aggregates == sorted(aggregates, reverse=True), f"aggregators do not come first: {[named[pid] for pid in sequence]}")
    for kind in (True, False):
        nodes = [clocks[pid]["node"] for pid, is_kind in zip(sequence, aggregates) if is_kind == kind]
        expect(nodes == sorted(nodes), f"not in the order of nodes: {nodes}")
    for pid, clock in clocks.items():
        expect(clock["error_ns"] >= 0, f"the clock of {pid} is not known")
        # All hosts of a test are one machine, which has one clock.
        expect(abs(clock["ahead_ns"]) <= clock["error_ns"], f"the clock of {pid} is said to be {clock}")
    return named


def check_tracks(slices, events):
    tracks = {(each["pid"], each["tid"]): each["args"]["name"] for each in events if each["name"] == "thread_name"}
    by_track = defaultdict(list)
    for each in slices:
        by_track[each["pid"], each["tid"]].append(each)
    for track, parts in by_track.items():
        expect(track in tracks, f"track {track} has no name")
        parts.sort(key=lambda each: (each["ts"], -each["dur"]))
        open_ends = []
        for each in parts:
            while open_ends and open_ends[-1] <= each["ts"]:
                open_ends.pop()
            expect(not open_ends or end_of(each) <= open_ends[-1], f"{track}: {each} overlaps the one before")
            expect(not open_ends or "sub-buffer" not in tracks.get(track, ""), f"{track}: {each} lies within another")
            open_ends.append(end_of(each))
    return by_track


def check_calls(slices):
    calls = {(each["pid"], each["tid"] // 17, each["args"]["call"]): [] for each in slices if each["name"] in CALLS}
    expect(len(calls) > 0, "there is no call")
    for each in slices:
        if each["name"] in CALLS:
            calls[each["pid"], each["tid"] // 17, each["args"]["call"]].append(each)
    for each in slices:
        spans = calls.get((each["pid"], each["tid"] // 17, each["args"]["call"]), [])
        inside = any(
            span["ts"] <= each["ts"] and end_of(each) <= end_of(span) for span in spans
        )
        expect(inside, f"{each} lies in no call")


def check_messages(events, by_track):
    ends = defaultdict(list)
    for each in events:
        if each["ph"] in "sf":
            ends[each["id"]].append(each)
            parts = by_track[each["pid"], each["tid"]]
            expect(
                any(part["name"] == "shuffle" and part["ts"] <= each["ts"] <= end_of(part) for part in parts),
                f"{each} belongs to no shuffle",
            )
    for identity, both in ends.items():
        expect(sorted(each["ph"] for each in both) == ["f", "s"], f"message {identity} has {len(both)} ends")
        expect(len({each["args"]["bytes"] for each in both}) == 1, f"message {identity} changes its size")
    return len(ends)


def check_bytes(slices, name, expected):
    per_call = defaultdict(list)
    for each in slices:
        if each["name"] == name:
            per_call[each["args"]["call"]].append((each["args"]["offset"], each["args"]["bytes"]))
    total = sum(bytes_ for parts in per_call.values() for _, bytes_ in parts)
    expect(total == expected, f"{name}: {total} bytes instead of {expected}")


def check_counters(events):
    last = {}
    for each in events:
        if each["ph"] == "C":
            value = each["args"]["value"]
            expect(value >= 0, f"{each} is negative")
            last[each["pid"], each["name"]] = value
    expect(all(value == 0 for value in last.values()), f"counters end with {last}")
    return {name for _, name in last}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("file")
    parser.add_argument("--ranks", type=int)
    parser.add_argument("--written", type=int)
    parser.add_argument("--read", type=int)
    parser.add_argument("--dropped", action="store_true")
    parser.add_argument("--names", default="", help="of slices that have to be there, with commas")
    parser.add_argument("--files", type=int, help="that were open at a time")
    asked = parser.parse_args()
    events = load(asked.file)
    slices = [each for each in events if each["ph"] == "X"]
    named = check_processes(events, asked.ranks)
    dropped = sum(each["args"]["events"] for each in events if each["name"] == "events dropped")
    expect((dropped > 0) == asked.dropped, f"{dropped} events were dropped")
    by_track = check_tracks(slices, events)
    messages = 0
    if not asked.dropped:
        check_calls(slices)
        messages = check_messages(events, by_track)
        if asked.written is not None:
            check_bytes(slices, "write", asked.written)
        if asked.read is not None:
            check_bytes(slices, "read", asked.read)
    check_counters(events)
    names = Counter(each["name"] for each in slices)
    for name in filter(None, asked.names.split(",")):
        expect(names[name] > 0, f"there is no slice \"{name}\", but {dict(names)}")
    if asked.files is not None:
        handles = {each["tid"] // 17 for each in slices}
        expect(handles == set(range(asked.files)), f"tracks are those of files {handles}")
    for failure in failures:
        print("FAIL", failure)
    print(f"{len(named)} processes, {dict(names)}, {messages} messages, {dropped} events dropped")
    sys.exit(1 if failures else 0)


main()
