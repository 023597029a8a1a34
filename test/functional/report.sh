#!/bin/bash
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

# keeps_to_schema FILE COUNT: that many reports, one a line.
keeps_to_schema() { python3 "$here/report_check.py" "$1" "$2"; }

# Every schedule adds the reports of its two files.
each_schedule() {
    local algorithm
    rm -f "$data"/reports.*
    for algorithm in none comm write write-comm write-comm-2 dataflow; do
        reports 4 --mca fcoll_overlap_report json --mca fcoll_overlap_report_file "$data/reports.%h" --mca fcoll_overlap_algorithm $algorithm \
            --mca fcoll_overlap_writes collective -- || return
    done
    cat "$data/reports.$(hostname)" || return
    keeps_to_schema "$data/reports.$(hostname)" 12 && grep -q '"chosen":"schedule dataflow' "$data/reports.$(hostname)"
}

each_process() {
    rm -f "$data"/reports.*
    reports 3 --mca fcoll_overlap_report json --mca fcoll_overlap_report_file "$data/reports.%p.%%" -- || return
    ls "$data"
    is "$(find "$data" -name 'reports.[0-9]*.%' | wc -l)" 1
}

# no_place FILE REASON: the write goes on, and mpirun has one message; 4.1.4 loses one in eight on its way.
no_place() {
    local attempt
    for attempt in 1 2 3 4 5; do
        reports 4 --mca fcoll_overlap_report text --mca fcoll_overlap_report_file "$1" -- || return
        cat "$output"
        [ "$(grep -ac "Reason: *$2" "$output")" = 1 ] && return
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

# Open MPI 6.0 with PRRTE 5 warns of a parameter that it sets itself, in every job.
but_for_proxy() { sed '/^-\{20\}/{:more;N;/\n-\{20\}-*$/!b more;/Deprecated variable: *schizo_proxy/d}' "$output"; }
silent() { reports 4 -- && ! grep -aqE '^(fcoll/overlap:|-{20})' <(but_for_proxy); }

suite_build report "$here/report.cc" && {
    run_case 1 120 report "$data"
    run_case 4 120 report "$data"
    run_case 7 120 report "$data"
    holds "nothing is said where nobody asks" silent
    holds "the text fits a page" fits
    if python3 -c 'import jsonschema' 2>/dev/null; then
        holds "the JSON of every schedule keeps to its schema, and its times add up" each_schedule
        holds "a write without room is reported" no_room
        if [ "$(id -u)" = 0 ]; then holds "half a report is none" half_a_report; else skip "half a report: it takes root"; fi
    else
        skip "the schema of reports: python3-jsonschema is not installed"
    fi
    holds "the pattern of the path names the process" each_process
    holds "a folder that does not exist is one message" no_place "$data/no-such-folder/report" 'No such file or directory'
    holds "a full disk is one message" no_place /dev/full 'No space left on device'
}
suite_end
