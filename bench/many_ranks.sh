#!/bin/bash
# What many ranks on one machine cost: the memory of the rank that takes most, and to open and close a file, with overlap and with vulcan.
# Each rank writes 64 KiB in pieces of 256 bytes. The packaged Open MPI or 5.0.7 with the component in its tree; files in memory.
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

# Rounds, in which the two take turns; each job opens and closes five files.
for ranks in "${counts[@]}"; do
    for _ in 1 2 3; do
        for name in vulcan overlap; do
            timeout 280 "$mpirun" "${component[@]}" --oversubscribe -np "$ranks" --mca mpi_yield_when_idle 1 --mca io ompio --mca fcoll "$name" \
                "$bench" tile --element 256 --tiles "$ranks" 1 --tile-y 256 --repetitions 5 --warm-ups 1 --file "$work/file" \
                --json "$work/json" >"$work/log" 2>&1 || { tail -20 "$work/log" >&2; exit 1; }
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
done
