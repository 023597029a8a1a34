#!/bin/bash
# The figures of bench/RESULTS.md that need one node only: throughput beside vulcan and ROMIO, and what a write takes of memory. Open MPI
# 5.0.7 with the component in its tree (config/openmpi-5.sh), files on tmpfs.
#   bench/figures.sh [RANKS]
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)
ranks=${1:-16}
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
prefix=$("$here/config/openmpi-5.sh" | tail -1)
work=$(mktemp -d /dev/shm/overlap-figures.XXXXXX)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
for program in demo_kernel memory_kernel; do
    "$prefix/bin/mpicc" -O2 -o "$work/$program" "$here/bench/$program.c"
done

run() {
    local count=$1
    shift
    timeout 600 "$prefix/bin/mpirun" --oversubscribe -np "$count" --mca mpi_yield_when_idle 1 "$@" 2>/dev/null
}

# seconds NAME BLOCK BLOCKS: one measurement of a contender, after a warm-up in the same job, appended to its list.
seconds() {
    local name=$1 block=$2 blocks=$3
    # shellcheck disable=SC2086
    run "$ranks" ${contenders[$name]} "$work/demo_kernel" "$work/file" "$block" "$blocks" 2 | tail -1 >>"$work/$name.$block"
}

declare -A contenders=(
    [overlap-none]="--mca io ompio --mca fcoll overlap --mca fcoll_overlap_algorithm none"
    [overlap-comm]="--mca io ompio --mca fcoll overlap --mca fcoll_overlap_algorithm comm"
    [overlap-write]="--mca io ompio --mca fcoll overlap --mca fcoll_overlap_algorithm write"
    [overlap-write-comm]="--mca io ompio --mca fcoll overlap --mca fcoll_overlap_algorithm write-comm"
    [overlap-write-comm-2]="--mca io ompio --mca fcoll overlap --mca fcoll_overlap_algorithm write-comm-2"
    [overlap-default]="--mca io ompio --mca fcoll overlap"
    [overlap-1-aggregator]="--mca io ompio --mca fcoll overlap --mca io_ompio_num_aggregators 1"
    [overlap-4-aggregators]="--mca io ompio --mca fcoll overlap --mca io_ompio_num_aggregators 4"
    [vulcan]="--mca io ompio --mca fcoll vulcan"
    [romio]="--mca io romio341"
)
names=$(printf '%s\n' "${!contenders[@]}" | sort)

for pattern in "256 65536" "1048576 16"; do
    read -r block blocks <<<"$pattern"
    # The contenders take turns, so that a change of the machine's pace meets all of them.
    for _ in 1 2 3 4 5; do
        for name in $names; do seconds "$name" "$block" "$blocks"; done
    done
    reference=$(sort -g "$work/vulcan.$block" | sed -n 3p)
    printf '%s\n' "$ranks ranks, $blocks interleaved blocks of $block bytes per rank, medians of 5:"
    for name in $names; do
        sort -g "$work/$name.$block" | awk -v name="$name" -v all=$((ranks * block * blocks)) -v reference="$reference" \
            '{ s[NR] = $1 } END { printf "  %-24s %8.4f s (%.4f to %.4f) %7.0f MB/s  %6.2f times vulcan\n", name, s[3], s[1], s[5], all / s[3] / 1e6, reference / s[3] }'
    done
done

echo "memory: growth of the peak resident set during a write of 65536 interleaved blocks of 256 bytes per rank:"
for count in 4 8 16; do
    for name in overlap-default vulcan romio; do
        # shellcheck disable=SC2086
        printf '  %-24s %s\n' "$name" "$(run $count ${contenders[$name]} "$work/memory_kernel" "$work/file" 256 65536)"
    done
done
