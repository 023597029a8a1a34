#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The overlap project
#
# A value that a parameter or a hint does not know costs a message, which names it and the valid values; the default serves, and the job goes
# on. Hints name no file to write, no file to read and no code to load. Arguments: see ../mpi_suite.sh.
. "$(dirname "$0")/../mpi_suite.sh"
suite_begin "$@"
here=$suite_dir/functional
output=$scratch/output

# writes ARGUMENT...: a job with these arguments and, behind "--", hints. It writes its file; what it says is kept in $output, in one line.
writes() {
    local options=() code=0
    while [ $# -gt 0 ] && [ "$1" != -- ]; do options+=("$1") && shift; done
    shift
    timeout -k 5 60 "$mpirun" --oversubscribe -n 2 "${arguments[@]}" --mca fcoll_base_verbose 1 "${options[@]}" "$build/placement" "$data" "$@" \
        </dev/null >"$output.raw" 2>&1 || code=$?
    tr -s '\0\n ' '   ' <"$output.raw" >"$output"
    cat "$output"
    [ $code = 0 ] && grep -aqE '2 passed, 0 failed' "$output"
}

# says PATTERN ARGUMENT...: and the pattern is there, in one of the attempts.
says() {
    local pattern=$1 attempt
    shift
    for attempt in $(seq $attempts); do
        writes "$@" || return
        ! grep -aqE -- "$pattern" "$output" || return 0
    done
    return 1
}

# silent ARGUMENT...: no help message comes.
silent() { writes "$@" && ! grep -aqE -- '-{20}' "$output"; }

# once ARGUMENT...: one message, however many ranks, views and calls. It may be lost.
once() { says 'does not know' "$@" && is "$(grep -ac 'does not know' "$output.raw")" 1; }

# message NAME VALUE VALID: of a wrong value.
message() { echo "Name: fcoll_overlap_$1 Value: \"$2\" Valid values: $3"; }

suite_build placement "$here/placement.cc" "$here/harness.cc" || { suite_end; exit 1; }

# Names, a wrong value, the begin of the valid values; words that look like names. A job takes one wrong value of each name, as all that are
# wrong stand in one message.
values='algorithm|fastest|none, comm
writes|-1|auto, collective, independent
writer|io_uring|fbtl, thread, libaio, auto
placement|nearest|ompio, spread, .*, or a plugin.s path .no hint.
slots|99|0 or 2 to 16
domains_per_rank|0|1 to 1024
throttle|-1|0 or 1 to 2147483647
eager_bytes|many|0 to 2147483647 .as 64k, 16m, 1g.
trace_bytes|1023|1024 to 2147483647 .as
put_threshold|18446744073709551616|0 to 2147483647 .as 64k, 16m, 1g.
topology|star:3|flat, hwloc
topology_bandwidths|fast|numbers above 0
storage_nodes|a,,b|names separated by commas
priority|high|0 to 1000
roll_call|soon|0 to 1000000
algorithm||none, comm
slots|1|0 or 2 to 16
eager_bytes|-1|0 to 2147483647 .as 64k, 16m, 1g.
topology||flat, hwloc
algorithm|7|none, comm
slots|4k|0 or 2 to 16
eager_bytes|2g|0 to 2147483647 .as 64k, 16m, 1g.
slots||0 or 2 to 16
eager_bytes|4mb|0 to 2147483647 .as 64k, 16m, 1g.'

# all_said ARGUMENT...: each of the messages of `expected`. One of a job may be lost.
all_said() {
    local each attempt
    for attempt in $(seq $attempts); do
        writes "$@" || return
        for each in "${expected[@]}"; do grep -aqE -- "$each" "$output" || continue 2; done
        return 0
    done
    echo "not said: $each"
    return 1
}

rest=$values
while [ -n "$rest" ]; do
    declare -A taken=()
    later='' as_parameters=() as_hints=() expected=() of_hints=()
    while IFS='|' read -r name value valid; do
        if [ -n "${taken[$name]:-}" ]; then
            later+="$name|$value|$valid"$'\n'
            continue
        fi
        taken[$name]=yes
        expected+=("$(message "$name" "$value" "$valid")")
        as_parameters+=(--mca "fcoll_overlap_$name" "$value")
        case $name in
        priority | roll_call | topology) ;;
        *) [ -z "$value" ] || { as_hints+=("fcoll_overlap_$name=$value") && of_hints+=("${expected[-1]}"); } ;;
        esac
    done <<<"$rest"
    rest=${later%$'\n'}
    holds "the job goes on, and a message names ${as_parameters[*]//--mca/}" all_said "${as_parameters[@]}" --
    expected=("${of_hints[@]}")
    [ ${#as_hints[@]} = 0 ] || holds "and as hints ${as_hints[*]}" all_said -- "${as_hints[@]}"
    unset taken
    # The others are the engine's to tell, which is the same with every release.
    from all || break
done
holds "two wrong values are one message" says "$(message algorithm fastest ".*") $(message slots 99 ".*") The default serves" \
    --mca fcoll_overlap_algorithm fastest --mca fcoll_overlap_slots 99 --
holds "two wrong hints are one message" says "$(message algorithm fastest ".*") $(message slots 99 ".*") The key is ignored" \
    -- fcoll_overlap_slots=99 fcoll_overlap_algorithm=fastest
holds "a wrong value is said once" once --mca fcoll_overlap_slots 99 --
holds "a wrong hint is said once" once -- fcoll_overlap_slots=99
# Hints of others, and keys that are almost the component's own.
# other NAME VALUE VALID: the message of a hint with another name.
other() { echo "Name: $1 Value: \"$2\" Valid values: $3"; }
wrong='cb_nodes|lots|1 to 2147483647
cb_buffer_size|16m|1 to 2147483647 bytes, without k, m or g
romio_cb_write|maybe|enable, disable, automatic
romio_cb_read|yes|enable, disable, automatic
romio_ds_write|1|enable, disable, automatic
collective_buffering|on|true, false
striping_unit|1m|a number of bytes
striping_factor|all|a number
fcoll_overlap_algoritm|comm|none: there is no such hint
overlap_algorithm|comm|none: there is no such hint
FCOLL_OVERLAP_SLOTS|4|none: there is no such hint
algorithm|comm|none: the key is fcoll_overlap_algorithm'
expected=() as_hints=()
while IFS='|' read -r name value valid; do
    expected+=("$(other "$name" "$value" "$valid")")
    as_hints+=("$name=$value")
done <<<"$wrong"
holds "wrong hints of others, and keys that are none, are told" all_said -- "${as_hints[@]}"
holds "once" is "$(grep -ac 'does not know' "$output.raw")" 1
holds "by the verbose line as well" says "fcoll:overlap: [^;]*; hints that are ignored: [^;]*cb_buffer_size=16m" -- cb_buffer_size=16m
holds "and by the report" says "wrote .*; hints that are ignored: cb_nodes=lots" --mca fcoll_overlap_report line -- cb_nodes=lots
holds "16m is not 16 bytes" says " cycles of at most [0-9]{5,} bytes" -- cb_buffer_size=16m fcoll_overlap_writes=collective
holds "what a key of others may say" silent -- romio_cb_write=automatic romio_ds_write=enable romio_cb_read=Disable collective_buffering=true \
    cb_nodes=2 cb_buffer_size=16777216 striping_factor=-1 striping_unit=65536 nc_header_align_size=512 some_key=algorithm
holds "sub-buffers of few bytes are told of" says "cycles of very few bytes.*at most 256 bytes, one of 4 of a collective buffer" -- cb_buffer_size=1024
holds "once for a file" is "$(grep -ac 'very few bytes' "$output.raw")" 1
holds "by an MCA parameter as well" says "cycles of very few bytes" --mca io_ompio_bytes_per_agg 4096 --
holds "those of a page are not" silent -- cb_buffer_size=16384
holds "what may be empty" silent --mca fcoll_overlap_rules "" --mca fcoll_overlap_report_file "" --mca fcoll_overlap_trace "" \
    --mca fcoll_overlap_topology_bandwidths "" --mca fcoll_overlap_storage_nodes "" --
for value in $(at_levels = 64k '64k 1M 1g 65536' =); do
    holds "eager_bytes=$value is a size" silent --mca fcoll_overlap_eager_bytes $value -- "fcoll_overlap_put_threshold=$value"
done

# What hints may not name.
mkfifo "$scratch/fifo"
for path in "$scratch/precious" "$scratch/fifo"; do
    echo precious >"$scratch/precious"
    named=() expected=()
    for name in trace report_file rules topology placement; do
        named+=("fcoll_overlap_$name=$path")
        expected+=("the hint fcoll_overlap_$name is ignored: only an MCA parameter")
    done
    holds "hints that name ${path##*/} are ignored" all_said -- "${named[@]}" fcoll_overlap_report=text
    holds "with no help message" is "$(grep -acE -- '-{20}' "$output")" 0
    holds "nothing is written there" is "$(cat "$scratch/precious")" precious
done
holds "a placement by name is a hint" says "placement lap" --mca io_ompio_num_aggregators 2 -- fcoll_overlap_placement=lap fcoll_overlap_writes=collective
holds "a plugin that is a FIFO holds up nobody" says "fifo: it is no regular file" --mca fcoll_overlap_placement "$scratch/fifo" -- fcoll_overlap_writes=collective
holds "rules that are a FIFO are none" says "fifo" --mca fcoll_overlap_rules "$scratch/fifo" --
holds "rules that are not there are none" says "nowhere.*No such file" --mca fcoll_overlap_rules "$scratch/nowhere" --
holds "a topology that is not there is flat" says "nowhere: No such file.*placement lap over flat" --mca fcoll_overlap_placement lap --mca fcoll_overlap_writes collective \
    --mca io_ompio_num_aggregators 2 --mca fcoll_overlap_topology "$scratch/nowhere" --
suite_end
