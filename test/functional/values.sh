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
values='algorithm|fastest|0:none, 1:comm
writes|-1|0:auto, 1:collective, 2:independent
writer|io_uring|0:fbtl, 1:thread, 2:libaio, 3:auto
placement|nearest|0:ompio, 1:spread, .* as an MCA parameter the path of a plugin
slots|99|0 or 2 to 16
domains_per_rank|0|1 to 1024
throttle|-1|0 or 1 to 2147483647
eager_bytes|many|0 to 2147483647 bytes
trace_bytes|1023|1024 to 2147483647 bytes
put_threshold|18446744073709551616|0 to 2147483647 bytes
topology|star:3|flat, hwloc
topology_bandwidths|fast|numbers above 0
storage_nodes|a,,b|names separated by commas
priority|high|0 to 1000
roll_call|soon|0 to 1000000
algorithm||0:none, 1:comm
slots|1|0 or 2 to 16
eager_bytes|-1|0 to 2147483647 bytes
topology||flat, hwloc
algorithm|7|0:none, 1:comm
slots|4k|0 or 2 to 16
eager_bytes|2g|0 to 2147483647 bytes
slots||0 or 2 to 16
eager_bytes|4mb|0 to 2147483647 bytes'

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
holds "a plugin that is a FIFO holds up nobody" says "fifo: it is no regular file" --mca fcoll_overlap_placement "$scratch/fifo" --
holds "rules that are a FIFO are none" says "fifo" --mca fcoll_overlap_rules "$scratch/fifo" --
holds "rules that are not there are none" says "nowhere.*No such file" --mca fcoll_overlap_rules "$scratch/nowhere" --
holds "a topology that is not there is flat" says "nowhere: No such file.*placement lap over flat" --mca fcoll_overlap_placement lap --mca fcoll_overlap_writes collective \
    --mca io_ompio_num_aggregators 2 --mca fcoll_overlap_topology "$scratch/nowhere" --
suite_end
