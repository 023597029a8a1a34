#!/bin/bash
# What many ranks on one machine cost: the memory of the rank that takes most, and to open and close a file, with overlap and with vulcan.
# Each rank writes 64 KiB in pieces of 256 bytes. Of overlap also the memory apart from the sub-buffers in use, which hold the bytes of the
# file that the rank collects, and that against the first number of ranks. The packaged Open MPI or 5.0.7 with the component in its tree; files in memory.
#   bench/many_ranks.sh [4|5 [RANKS...]]      (default: 4, 16 and 128 ranks)
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)
version=${1:-4}
shift || true
counts=("$@")
[ $# != 0 ] || counts=(16 128)
. "$here/bench/common/openmpi.sh"
take_openmpi "$version"
work=$(mktemp -d /dev/shm/overlap-ranks.XXXXXX)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

# run FCOLL RANKS REPETITIONS [mpirun option...]
run() {
    local name=$1 ranks=$2 repetitions=$3
    shift 3
    timeout 280 "$mpirun" "${component[@]}" --oversubscribe -np "$ranks" --mca mpi_yield_when_idle 1 --mca io ompio --mca fcoll "$name" "$@" \
        "$bench" tile --element 256 --tiles "$ranks" 1 --tile-y 256 --repetitions "$repetitions" --warm-ups 1 --file "$work/file" \
        --json "$work/json" >"$work/log" 2>&1 || { tail -20 "$work/log" >&2; exit 1; }
}

# in_use REPORT: MiB of the sub-buffers of an aggregator that have held data, as the last file's report explains them.
in_use() {
    tail -1 "$1" | sed -nE 's/.* ([0-9]+) file domains of ([0-9]+) aggregators .* ([0-9]+) cycles of at most ([0-9]+) bytes \(.* over ([0-9]+) sub-buffers\).*/\1 \2 \3 \4 \5/p' |
        awk '{ domains = int(($1 + $2 - 1) / $2); print domains * ($3 < $5 ? $3 : $5) * $4 / 1048576 }'
}

# Rounds, in which the two take turns; each job opens and closes five files.
for ranks in "${counts[@]}"; do
    for _ in 1 2 3; do
        for name in vulcan overlap; do
            run "$name" "$ranks" 5
            tr -d ' ,' <"$work/json" | awk -F: '/^"peak_memory"/ { print $2 / 1048576 }' >>"$work/$name.$ranks.memory"
            tr -d ' ,' <"$work/json" | awk -F: '/^"open"/ { s = $2 } /^"close"/ { print s + $2 }' >>"$work/$name.$ranks.open"
            tr -d ' ,' <"$work/json" | awk -F: '/^"seconds"/ { print $2 }' >>"$work/$name.$ranks.write"
        done
    done
    for name in vulcan overlap; do
        printf '%5d ranks, %-8s %7.1f MiB of the rank that takes most; open and close %8.2f ms, write %8.2f ms\n' "$ranks" "$name" \
            "$(median "$work/$name.$ranks.memory")" "$(median "$work/$name.$ranks.open" | awk '{ print $1 * 1e3 }')" \
            "$(median "$work/$name.$ranks.write" | awk '{ print $1 * 1e3 }')"
    done
    # A run of its own: what the report costs is not measured.
    rm -f "$work/report"
    run overlap "$ranks" 1 --mca fcoll_overlap_report json --mca fcoll_overlap_report_file "$work/report"
    data=$(in_use "$work/report")
    [ -n "$data" ] || { echo "many_ranks: the report does not say what sub-buffers hold: $(tail -1 "$work/report")" >&2; exit 1; }
    apart=$(median "$work/overlap.$ranks.memory" | awk -v data="$data" '{ print $1 - data }')
    first=${first:-$apart}
    awk -v ranks="$ranks" -v data="$data" -v apart="$apart" -v first="$first" -v least="${counts[0]}" 'BEGIN {
        printf "%5d ranks, overlap: %.1f MiB of it in sub-buffers, %.1f MiB apart from them, %.2f times that of %d ranks\n", ranks, data, apart, apart / first, least }'
done
