#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The overlap project
#
# bench/timeline, with timelines of which every slice is known: what the picture says of them, and what is refused. Without MPI.
. "$(dirname "$0")/../mpi_suite.sh"
suite_begin "$@"
tool=$suite_dir/../bench/timeline
picture=$scratch/picture.svg

# make NAME WRITE-BEGIN CALL-END: a call of two processes, of which the first shuffles from 0 to 30 ms and writes for 40 ms.
make() {
    python3 - "$scratch/$1.json" "$2" "$3" <<'END'
import json, sys

path, write, end = sys.argv[1], float(sys.argv[2]), float(sys.argv[3])


def slice_of(name, process, track, begin, end, **more):
    times = {"ts": 1e9 + 1e3 * begin, "dur": 1e3 * (end - begin)}
    return {"ph": "X", "name": name, "pid": process, "tid": track, **times, "args": {"call": 1, **more}}


events = [{"ph": "M", "name": "process_sort_index", "pid": pid, "tid": 0, "args": {"sort_index": pid}} for pid in (0, 1)]
for pid in (0, 1):
    # An earlier call that transfers less, and one after another opening of the file.
    events.append(slice_of("write call", pid, 0, -500, -400, file="f", opened="0.0"))
    events.append(slice_of("write call", pid, 0, 0, end, file="f", opened="0.1"))
events.append(slice_of("write", 0, 1, -480, -420, cycle=0, bytes=10, offset=0))
events.append(slice_of("shuffle", 0, 1, 0, 30, cycle=0, bytes=100))
events.append(slice_of("write", 0, 2, write, write + 40, cycle=41, bytes=100, offset=0))
events.append(slice_of("wait for write", 0, 0, 30, 60, cycle=0))
events.append(slice_of("shuffle", 1, 1, 0, 30, cycle=0, bytes=100))
json.dump({"traceEvents": events}, open(path, "w"))
END
}
# says TEXT...: all of them are in the picture, each as one text.
says() {
    local text
    for text in "$@"; do grep -qF ">$text<" "$picture" || { echo "\"$text\" is not in the picture"; return 1; }; done
}
lacks() { ! says "$1" >/dev/null; }

echo '{"traceEvents": []}' >"$scratch/empty.json"
echo '{"traceEvents": [' >"$scratch/half.json"
make none 30 100
make dataflow 10 60
code=0
"$tool" "$scratch/none.json" --output "$picture" >"$scratch/answer" 2>&1 || code=$?
if [ $code = 77 ]; then
    skip "$(cat "$scratch/answer")"
    suite_end
    exit
fi
holds "one timeline is drawn" is $code 0
holds "with what is under way" says 'none: 100 ms' 'an aggregator shuffles for 30 ms, writes for 40 ms, both at once for 0 ms' 'rank 0' 'sub-buffer 1' 41
holds "without other ranks" lacks 'rank 1'
holds "two are drawn, of all ranks" "$tool" "$scratch/none.json" "$scratch/dataflow.json" --all --label first --label second --output "$picture"
holds "with all ranks" says 'rank 1'
holds "one below the other" says 'first: 100 ms' 'second: 60 ms' 'an aggregator shuffles for 30 ms, writes for 40 ms, both at once for 20 ms'
holds "an empty list of events has no call" answers 1 'there is no such call' "$tool" "$scratch/empty.json" --output "$picture"
holds "a file that is no JSON" answers 1 'half.json' "$tool" "$scratch/half.json" --output "$picture"
holds "a process that is not there" answers 1 'none of the processes' "$tool" "$scratch/none.json" --ranks 7 --output "$picture"
holds "an unknown option" answers 2 'unrecognized' "$tool" "$scratch/none.json" --colour red
suite_end
