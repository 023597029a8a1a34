#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The overlap project
#
# Timelines of collective calls (fcoll_overlap_trace): their structure, whatever was written how, and what they are where something goes
# wrong. trace_check.py judges. Arguments: see ../mpi_suite.sh.
. "$(dirname "$0")/../mpi_suite.sh"
suite_begin "$@"
here=$suite_dir/functional
trace=$data/trace.json

# run RANKS MCA... -- PROGRAM ARGUMENT...: with a timeline in $trace.
run() {
    local ranks=$1 mca=()
    shift
    while [ "$1" != -- ]; do mca+=("$1") && shift; done
    shift
    timeout 120 "$mpirun" --oversubscribe -n "$ranks" "${arguments[@]}" --mca fcoll_overlap_trace "$trace" "${mca[@]}" "$@"
}
shows() { python3 "$here/trace_check.py" "$trace" "$@"; }
both() { run "${@:2}" && eval "$1"; }

suite_build traced "$here/traced.cc" "$here/harness.cc" || { suite_end; exit 1; }
# 4 MiB a call, in cycles of 64 KiB.
block=4096 calls=3
small=(--mca io_ompio_bytes_per_agg 131072 --mca fcoll_overlap_slots 2)
blocks() { echo $(((4 << 20) / $1 / block)); }
written=$((calls * (4 << 20)))

for ranks in $(at_levels 4 4 4 '2 8'); do
    for algorithm in none comm write write-comm write-comm-2 dataflow; do
        rm -f "$trace"
        holds "$algorithm, $ranks ranks" both "shows --ranks $ranks --written $written --names shuffle,write,plan,'wait at entry',agree" $ranks \
            "${small[@]}" --mca fcoll_overlap_algorithm $algorithm -- "$build/traced" "$data" $block "$(blocks $ranks)" $calls write
    done
    # What is collected of the second file lies beside the first one's.
    rm -f "$trace"
    holds "reads and a nonblocking write, $ranks ranks" both "shows --ranks $ranks --written $((written + (4 << 20))) --read $written --files 2" $ranks \
        "${small[@]}" --mca fcoll_overlap_reads collective -- "$build/traced" "$data" $block "$(blocks $ranks)" $calls all
    for shuffle in put-fence put-lock; do
        rm -f "$trace"
        holds "$shuffle, $ranks ranks" both "shows --ranks $ranks --written $written" $ranks "${small[@]}" --mca fcoll_overlap_shuffle $shuffle \
            --mca fcoll_overlap_window_threshold 0 --mca fcoll_overlap_put_threshold 0 \
            -- "$build/traced" "$data" $block "$(blocks $ranks)" $calls write
    done
done

# reported BYTES: the one report in $data/reports has written them.
reported() {
    if python3 -c 'import jsonschema' 2>/dev/null; then
        holds "and so says the report" python3 "$here/report_check.py" "$data/reports" 1 "$1"
    else
        skip "the schema of reports: python3-jsonschema is not installed"
    fi
}

# More than the processors have by far.
many=$(at_levels 16 16 16 64)
rm -f "$trace" "$data/reports"
holds "$many ranks" both "shows --ranks $many --written $((many * 8 * block))" $many --mca fcoll_overlap_writes collective --mca fcoll_overlap_report json \
    --mca fcoll_overlap_report_file "$data/reports" -- "$build/traced" "$data" $block 8 1 write
reported $((many * 8 * block))

rm -f "$trace"
holds "each rank its own bytes" both "shows --ranks 3 --written $((3 * 2 * 16 * 65536)) --names write" 3 \
    --mca fcoll_overlap_writes independent -- "$build/traced" "$data" 65536 16 2 write

# What a job finds of another one it replaces.
holds "a timeline of another job is replaced" both "shows --ranks 2 --written $written" 2 "${small[@]}" -- "$build/traced" "$data" $block "$(blocks 2)" $calls write
holds "and once more" both "shows --ranks 2 --written $written" 2 "${small[@]}" -- "$build/traced" "$data" $block "$(blocks 2)" $calls write

rm -f "$trace"
holds "events that find no room are counted" both "shows --ranks 2 --dropped" 2 "${small[@]}" --mca fcoll_overlap_trace_bytes 1024 \
    -- "$build/traced" "$data" $block "$(blocks 2)" $calls write

# One message, however many ranks and calls, and the write goes on.
trace=$data/missing/trace.json
holds "a folder that does not exist" answers 0 '1 passed, 0 failed' "$mpirun" --oversubscribe -n 3 "${arguments[@]}" \
    --mca fcoll_overlap_trace "$trace" "$build/traced" "$data" $block 16 $calls all
holds "is told once" is "$(grep -ac 'cannot write the timeline' "$scratch/answer")" 1
trace=$data/trace.json

# What this component did not write is kept, and the timeline is beside it.
echo '{"traceEvents": []}' >"$data/events.json"
echo victim >"$data/victim"
ln -sf victim "$data/link"
for name in events.json link; do
    rm -f "$data/$name.1"
    trace=$data/$name
    holds "a timeline beside $name" both "trace=$trace.1 shows --ranks 2 --written $written" 2 "${small[@]}" -- "$build/traced" "$data" $block "$(blocks 2)" $calls write
    holds "and once more" both "trace=$trace.1 shows --ranks 2 --written $written" 2 "${small[@]}" -- "$build/traced" "$data" $block "$(blocks 2)" $calls write
    holds "with a message" answers 0 "Written to: *$trace.1" "$mpirun" --oversubscribe -n 2 "${arguments[@]}" --mca fcoll_overlap_trace "$trace" \
        "$build/traced" "$data" $block 16 $calls all
    holds "that is said once" is "$(grep -ac 'Written to' "$scratch/answer")" 1
done
holds "what was there is kept" is "$(cat "$data/events.json" "$data/victim")" "$(printf '{"traceEvents": []}\nvictim')"

# no_place FILE REASON
no_place() {
    holds "no timeline in $1" answers 0 '1 passed, 0 failed' "$mpirun" --oversubscribe -n 3 "${arguments[@]}" \
        --mca fcoll_overlap_trace "$1" "$build/traced" "$data" $block 16 $calls all
    holds "is told once, and the calls go on" is "$(tr -s '\n ' ' ' <"$scratch/answer" | grep -ac "cannot write the timeline.*$2")" 1
}
mkfifo "$data/fifo"
no_place "$data/fifo" 'it is a FIFO, a device or a socket'
no_place "$data/traced.dat" 'it is the file that was opened'
ln -f "$data/traced.dat" "$data/hard_link"
no_place "$data/hard_link" 'it is the file that was opened'
no_place "$data" 'it is a folder'

trace=/dev/full
holds "a device" answers 0 '1 passed, 0 failed' "$mpirun" --oversubscribe -n 3 "${arguments[@]}" \
    --mca fcoll_overlap_trace "$trace" "$build/traced" "$data" $block 16 $calls all
holds "is told once, and the calls go on" is "$(grep -ac 'cannot write the timeline' "$scratch/answer")" 1
if [ "$(id -u)" = 0 ] && mkdir -p "$scratch/small" && mount -t tmpfs -o size=8k none "$scratch/small" 2>/dev/null; then
    mounted=$scratch/small
    dd if=/dev/zero of="$mounted/fill" bs=4k count=2 2>/dev/null
    trace=$mounted/trace.json
    holds "a full disk" answers 0 '1 passed, 0 failed' "$mpirun" --oversubscribe -n 3 "${arguments[@]}" \
        --mca fcoll_overlap_trace "$trace" "$build/traced" "$data" $block 16 $calls all
    holds "is told once, and leaves no empty file" is "$(grep -ac 'cannot write the timeline' "$scratch/answer") $(ls "$mounted")" "1 fill"
    umount "$mounted" && mounted=''
else
    skip "a full disk: it takes root"
fi
trace=$data/trace.json

# The pattern's letters are those of the process that writes.
rm -f "$data"/trace-*
trace=$data/trace-%h-%p.json
holds "host and process id in the name" run 2 -- "$build/traced" "$data" $block 16 1 write
trace=$(ls "$data"/trace-*.json)
holds "are those of rank 0" shows --ranks 2
rm -f "$data"/trace-*
trace=$data/trace.json

# ranks_of PID: the processes of a program that mpirun has started, also by way of a daemon.
ranks_of() {
    local each
    for each in $(pgrep -P "$1"); do
        if [ "$(readlink "/proc/$each/exe")" = "$(readlink -f "$build/traced")" ]; then echo "$each"; else ranks_of "$each"; fi
    done
}

# killed: ends all ranks of a job in the middle of its calls, of which the first is on file by then. All of them write 400 MB.
killed() {
    local job pids
    rm -f "$trace"
    run 4 "${small[@]}" -- "$build/traced" "$data" 64 16 100000 write >"$scratch/killed.log" 2>&1 &
    job=$!
    for ((i = 0; i < 600; i++)); do
        [ ! -e "$trace" ] || break
        sleep 0.1
    done
    pids=$(ranks_of $job)
    echo "ranks: $pids"
    [ -n "$pids" ] || return 1
    # shellcheck disable=SC2086
    kill -9 $pids
    wait $job
    [ -s "$trace" ] && shows --names write
}
for attempt in $(at_levels 1 1 1 "1 2 3"); do holds "a job that is killed leaves a whole file ($attempt)" killed; done

# Clocks of several hosts, which are one machine's and so show the same.
cluster=("$suite_dir/../bench/cluster" --name "t$$")
suite_down() { "${cluster[@]}" down >/dev/null 2>&1; }
code=0
answer=$("${cluster[@]}" up --hosts 3 --mbit 2000 2>&1) || code=$?
if [ $code = 77 ]; then
    skip "a timeline of several hosts: $answer"
else
    for algorithm in $(at_levels comm comm comm 'none comm write write-comm write-comm-2 dataflow'); do
        rm -f "$trace" "$data/reports"
        holds "$algorithm, 3 hosts with 2 ranks each" timeout 120 "${cluster[@]}" run --ranks-per-host 2 --mpirun "$mpirun" -- "${arguments[@]}" "${small[@]}" \
            --mca fcoll_overlap_algorithm $algorithm --mca fcoll_overlap_report json --mca fcoll_overlap_report_file "$data/reports" \
            --mca fcoll_overlap_trace "$trace" "$build/traced" "$data" $block 64 $calls write
        holds "and their timeline has one clock" shows --ranks 6 --written $((6 * 64 * block * calls))
        reported $((6 * 64 * block * calls))
    done
fi
suite_end
