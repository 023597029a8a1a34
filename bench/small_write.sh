#!/bin/bash
# What it costs to open a file, write a little collectively and close it, with each shuffle, and with windows made for every write however
# small (window_threshold 0). Open MPI 5.0.7 with the component in its tree, or the packaged one; files in memory.
#   bench/small_write.sh [4|5 [RANKS]]
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)
version=${1:-5}
ranks=${2:-8}
. "$here/bench/common/openmpi.sh"
take_openmpi "$version"
work=$(mktemp -d /dev/shm/overlap-small.XXXXXX)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

# The medians of the rounds, in which the contenders take turns; each job opens and closes 20 files.
names=(two-sided put-fence put-lock put-fence-windows put-lock-windows)
for _ in 1 2 3 4 5; do
    for name in "${names[@]}"; do
        threshold=()
        [ "${name%-windows}" = "$name" ] || threshold=(--mca fcoll_overlap_window_threshold 0 --mca fcoll_overlap_put_threshold 0)
        timeout 120 "$mpirun" "${component[@]}" --oversubscribe -np "$ranks" --mca mpi_yield_when_idle 1 --mca io ompio --mca fcoll overlap \
            --mca fcoll_overlap_shuffle "${name%-windows}" "${threshold[@]}" "$bench" ior --block 4k --repetitions 20 --file "$work/file" \
            --json "$work/json" >/dev/null 2>&1
        # Of each repetition the sum of open, write and close, then the median of these.
        tr -d ' ,' <"$work/json" | awk -F: '/^"open"/ { s = $2 } /^"close"/ { s += $2 } /^"seconds"/ { print s + $2 }' | sort -g |
            awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }' >>"$work/$name"
    done
done
reference=$(sort -g "$work/two-sided" | sed -n 3p)
echo "$ranks ranks, 4 KiB each, Open MPI $version: open, write and close a file"
for name in "${names[@]}"; do
    sort -g "$work/$name" | awk -v name="$name" -v reference="$reference" \
        '{ s[NR] = $1 } END { printf "  %-20s %7.2f ms (%.2f to %.2f)  %5.2f times two-sided\n", name, s[3] * 1e3, s[1] * 1e3, s[5] * 1e3, s[3] / reference }'
done
