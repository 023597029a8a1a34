#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The overlap project
#
# Counters and reports: performance variables while a file is written, the report as text and as JSON that keeps to its schema, of every schedule,
# of writes that fail, and where the report has no place to go. Arguments: see ../mpi_suite.sh.
. "$(dirname "$0")/../mpi_suite.sh"
suite_begin "$@"
here=$suite_dir/functional
output=$scratch/output

# reports RANKS ARGUMENT... -- PROGRAM_ARGUMENT...: the program is right; what it and the component say is kept in $output.
reports() {
    local ranks=$1 options=()
    shift
    while [ $# -gt 0 ] && [ "$1" != -- ]; do options+=("$1") && shift; done
    shift
    timeout -k 10 120 "$mpirun" --oversubscribe -n "$ranks" "${arguments[@]}" "${options[@]}" "$build/report" "$data" "$@" \
        </dev/null >"$output" 2>&1 && grep -aqE '[0-9]+ passed, 0 failed$' "$output"
}

# The report of a file fills at most 40 lines of 80 columns.
fits() {
    reports 4 --mca fcoll_overlap_report text -- || return
    sed -n '/^fcoll\/overlap: 4 ranks.*counted/,/overlap gained\|overlap: none/p' "$output" >"$scratch/text"
    cat "$scratch/text"
    [ "$(wc -l <"$scratch/text")" -gt 10 ] && awk 'length > 80 { exit 1 } NR > 40 { exit 1 }' "$scratch/text"
}

one_line() {
    reports 4 --mca fcoll_overlap_report line -- || return
    grep -a '^fcoll/overlap: ' "$output"
    is "$(grep -acE '^fcoll/overlap: [^ ]*: 4 ranks on 1 node; wrote [^;]* in [0-9.]* m?s \([^)]*/s\), ' "$output")" 2 &&
        is "$(grep -acE '^fcoll/overlap: .*/counted: .*; read [^;]* in [0-9.]* m?s \(' "$output")" 1 &&
        is "$(grep -ac '^ *seconds of a rank' "$output")" 0
}

# keeps_to_schema FILE COUNT [WRITTEN READ]: that many reports, one a line; bytes of the last.
keeps_to_schema() { python3 "$here/report_check.py" "$@"; }

# Every schedule adds the reports of its two files.
each_schedule() {
    local algorithm
    rm -f "$data"/reports.*
    for algorithm in none comm write write-comm write-comm-2 dataflow; do
        reports 4 --mca fcoll_overlap_report json --mca fcoll_overlap_report_file "$data/reports.%h" --mca fcoll_overlap_algorithm $algorithm \
            --mca fcoll_overlap_writes collective -- || return
    done
    cat "$data/reports.$(hostname)" || return
    keeps_to_schema "$data/reports.$(hostname)" 12 12582912 4194304 && grep -q '"chosen":"schedule dataflow' "$data/reports.$(hostname)"
}

each_process() {
    rm -f "$data"/reports.*
    reports 3 --mca fcoll_overlap_report json --mca fcoll_overlap_report_file "$data/reports.%p.%%" -- || return
    ls "$data"
    is "$(find "$data" -name 'reports.[0-9]*.%' | wc -l)" 1
}

# Whether mpirun gathers messages: that of Open MPI main (6.1.0a1) prints each of Open MPI's own as often as ranks say it, and again.
gathers() {
    [ "$(timeout -k 10 120 "$mpirun" --oversubscribe -n 2 "${arguments[@]}" --mca fs no-such "$build/report" "$data" </dev/null 2>&1 |
        grep -ac '^Component: *no-such')" -le 1 ]
}

# no_place FILE REASON [ARGUMENT...]: the write goes on, and mpirun has one message, in one of the attempts.
no_place() {
    local attempt messages
    for attempt in $(seq $attempts); do
        reports 4 --mca fcoll_overlap_report text --mca fcoll_overlap_report_file "$1" -- "${@:3}" || return
        cat "$output"
        messages=$(grep -ac "Reason: *$2" "$output")
        [ "$messages" = 1 ] || { [ -z "$gathered" ] && [ "$messages" -gt 1 ]; } && return
    done
    return 1
}

no_room() {
    rm -f "$data"/reports.*
    reports 4 --mca fcoll_overlap_report json --mca fcoll_overlap_report_file "$data/reports.full" -- fails || { cat "$output" && return 1; }
    grep -q '"failed":1' "$data/reports.full" && keeps_to_schema "$data/reports.full" 1
}

# A disk that has room for a part of a report: the report before it stays, and the next one is as whole as that.
half_a_report() {
    local small=$scratch/small code=0
    mkdir -p "$small"
    mount -t tmpfs -o size=16k none "$small" 2>/dev/null || { echo "no tmpfs can be mounted here" && return 77; }
    mounted=$small
    reports 2 --mca fcoll_overlap_report json --mca fcoll_overlap_report_file "$small/reports" -- || code=1
    dd if=/dev/zero of="$small/fill" bs=1k count=16 2>/dev/null
    truncate -s -1 "$small/reports" && echo >>"$small/reports"
    reports 2 --mca fcoll_overlap_report json --mca fcoll_overlap_report_file "$small/reports" -- || code=1
    rm -f "$small/fill"
    reports 2 --mca fcoll_overlap_report json --mca fcoll_overlap_report_file "$small/reports" -- || code=1
    [ "$code" = 0 ] && keeps_to_schema "$small/reports" 4 || code=1
    umount "$small" && mounted=''
    return $code
}

# beside FILE HOW: what is at FILE is as it was, the reports are in FILE.1, and a message says so.
beside() {
    local before attempt
    before=$(stat -c '%F %s %y' "$1")
    for attempt in $(seq $attempts); do
        rm -f "$1.1"
        reports 3 --mca fcoll_overlap_report "$2" --mca fcoll_overlap_report_file "$1" -- || return
        is "$(stat -c '%F %s %y' "$1")" "$before" || return
        is "$(grep -acE '^(fcoll/overlap: |\{"overlap_report":)' "$1.1")" 2 || return
        cat "$output"
        [ "$(tr -s '\n ' ' ' <"$output" | grep -aoF "File: $1 Written to: $1.1" | wc -l)" = 1 ] && return
    done
    return 1
}

# A file of others, a symbolic link, an empty file, the component's other kind of file.
kept() {
    rm -rf "$data"/out*
    echo thesis >"$data/out.text" && echo victim >"$data/out.victim" && ln -s out.victim "$data/out.link" && ln -s nowhere "$data/out.broken"
    : >"$data/out.empty" && echo '{"displayTimeUnit":"ms","otherData":{"tool":"overlap","job":' >"$data/out.timeline"
    local name
    for name in text link broken empty timeline; do beside "$data/out.$name" text || return; done
    beside "$data/out.text" json && is "$(cat "$data/out.text" "$data/out.victim")" "$(printf 'thesis\nvictim')" && [ ! -e "$data/nowhere" ]
}

# Reports are added to files of theirs, also beside a file of others.
added() {
    rm -rf "$data"/out*
    echo thesis >"$data/out"
    reports 2 --mca fcoll_overlap_report text --mca fcoll_overlap_report_file "$data/out" -- &&
        reports 2 --mca fcoll_overlap_report json --mca fcoll_overlap_report_file "$data/out" -- &&
        is "$(grep -cE '^(fcoll/overlap: |\{"overlap_report":)' "$data/out.1")" 4 && is "$(ls "$data" | grep -c '^out')" 2
}

no_name() {
    local i
    rm -rf "$data"/out*
    echo thesis >"$data/out"
    for i in 1 2 3 4 5 6 7 8 9; do echo thesis >"$data/out.$i"; done
    no_place "$data/out" 'there are files of this name' && is "$(cat "$data"/out* | sort -u)" thesis
}

# The file that is written is not written to, however it is called.
written_file() {
    rm -rf "$data"/out*
    no_place "$data/too-large" 'it is the file that was opened' fails && [ ! -e "$data/too-large.1" ]
}

# Open MPI 6.0 with PRRTE 5 warns of a parameter that it sets itself, in every job.
but_for_proxy() { sed '/^-\{20\}/{:more;N;/\n-\{20\}-*$/!b more;/Deprecated variable: *schizo_proxy/d}' "$output"; }
silent() { reports 4 -- && ! grep -aqE '^(fcoll/overlap:|-{20})' <(but_for_proxy); }

suite_build report "$here/report.cc" && {
    run_case 1 120 report "$data"
    run_case 4 120 report "$data"
    run_case 7 120 report "$data"
    run_case 3 60 report "$data" static
    holds "nothing is said where nobody asks" silent
    holds "the text fits a page" fits
    holds "a line is one line for each file" one_line
    if python3 -c 'import jsonschema' 2>/dev/null; then
        holds "the JSON of every schedule keeps to its schema, and its times add up" each_schedule
        holds "a write without room is reported" no_room
        if [ "$(id -u)" = 0 ]; then holds "half a report is none" half_a_report; else skip "half a report: it takes root"; fi
    else
        skip "the schema of reports: python3-jsonschema is not installed"
    fi
    holds "the pattern of the path names the process" each_process
    gathered=yes
    # That of 4.1 waits for ever where a file cannot be opened.
    [ "$version" -lt 6 ] || gathers || { gathered= && skip "a message is said once: this mpirun does not gather its own"; }
    holds "a folder that does not exist is one message" no_place "$data/no-such-folder/report" 'No such file or directory'
    holds "what others wrote is kept" kept
    holds "reports are added to reports" added
    holds "where all names are taken that is one message" no_name
    holds "the file that is written is no place" written_file
    mkfifo "$data/fifo"
    for place in "$data/fifo" /dev/full /dev/null; do holds "nor is $place" no_place "$place" 'it is a FIFO, a device or a socket'; done
    holds "nor is a folder" no_place "$data" 'it is a folder'
}
suite_end
