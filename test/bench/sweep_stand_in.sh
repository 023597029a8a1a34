# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The overlap project
#
# Sourced by the suites of bench/sweep, behind ../mpi_suite.sh and suite_begin: a stand-in for an application, whose rate follows from
# its parameters and the repetition, and what looks at results.
# shellcheck shell=bash disable=SC2034,SC2154
sweep=$here/bench/sweep
export STAND_IN=$scratch/stand-in
mkdir -p "$STAND_IN"
metric=(--metric 'rate: (\d+) MB/s' --higher-is-better --unit MB/s)
what=(algorithm=none,comm slots=2..8+2 "${metric[@]}")

# With $STAND_IN/trouble it does what that says; where `killed_at` says so it ends the sweep.
cat >"$scratch/app" <<'END'
#!/bin/bash
set -- "${OMPI_MCA_fcoll_overlap_algorithm:-none}" "${OMPI_MCA_fcoll_overlap_slots:-0}"
echo "$1 $2" >>"$STAND_IN/calls"
if [ "$(wc -l <"$STAND_IN/calls")" = "${killed_at:-}" ]; then
    kill -"$how" $PPID
    exec sleep 600
fi
[ ! -e "$STAND_IN/trouble" ] || . "$STAND_IN/trouble"
faster=0
[ "$1" != comm ] || faster=10
echo "rate: $((100 * $2 + faster + 2 * OVERLAP_SWEEP_REPETITION - 2)) MB/s"
END
chmod +x "$scratch/app"

# go FOLDER ARGUMENT...: a sweep of the stand-in; go_on FOLDER: that of most tests, with its progress in FOLDER.log.
go() {
    rm -f "$STAND_IN/calls"
    "$sweep" run "$scratch/$1" "${@:2}" -- "$scratch/app" >/dev/null 2>&1
}
go_on() {
    rm -f "$STAND_IN/calls"
    env killed_at="${killed_at:-}" how="${how:-}" "$sweep" run "$scratch/$1" "${what[@]}" --repetitions 3 --seed 5 --timeout 60 \
        -- "$scratch/app" 2>"$scratch/$1.log"
}

# table FOLDER: what of its CSV is the same whenever it is run.
table() {
    python3 - "$scratch/$1/results.csv" <<'END'
import csv, sys
for row in csv.DictReader(open(sys.argv[1])):
    print(*(value for name, value in row.items() if name not in ("seconds", "host", "started")))
END
}

# json FOLDER EXPRESSIONS: of its results, as d.
json() { python3 -c 'import json, sys; d = json.load(open(sys.argv[1])); print(*eval("(" + sys.argv[2] + ",)"))' "$scratch/$1/results.json" "$2"; }

gone() { ! kill -0 "$1" 2>/dev/null || [ "$(sed 's/.*) //' "/proc/$1/stat" 2>/dev/null | cut -c1)" = Z ]; }

# within_a_minute COMMAND...: it holds at last.
within_a_minute() {
    local end=$((SECONDS + 60))
    until "$@"; do
        [ $SECONDS -lt $end ] || return 1
        sleep 0.1
    done
}
