#!/bin/bash
# Several small collective writes one after the other and a sync: each on file when it returns, left for later (collect), and declared
# beforehand, beside vulcan and ROMIO. 4 emulated hosts of 2 ranks, NICs of 800 Mbit/s, a storage of 400 MB/s that takes 5 ms a write;
# Open MPI 5.0.7 with the component in its tree.
#   bench/declared.sh CALLS BYTES KERNEL [OPTION...]
# CALLS and the BYTES of a rank in all of them are what is declared; KERNEL and its options are those of overlap-bench. As in HACC-IO:
#   bench/declared.sh 9 190000 hacc --layout soa --particles 5000
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)
calls=$1 bytes=$2
shift 2
. "$here/bench/common/openmpi.sh"
take_openmpi 5
cluster=("$here/bench/cluster" --name d$$)
work=$(mktemp -d /tmp/overlap-declared.XXXXXX)
mkdir "$work/storage"
trap '"$here/bench/storage" umount "$work/storage" >/dev/null 2>&1; "${cluster[@]}" down >/dev/null 2>&1; rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
"${cluster[@]}" up --hosts 4 --mbit 800 >/dev/null
"$here/bench/storage" mount "$work/storage" --mbps 400 --latency-ms 5 >/dev/null

mca_of() {
    case $1 in
    off) echo --mca io ompio --mca fcoll overlap ;;
    collect) echo --mca io ompio --mca fcoll overlap --mca fcoll_overlap_collect auto ;;
    declared) echo --mca io ompio --mca fcoll overlap --mca fcoll_overlap_declare "calls=$calls,bytes=$bytes" ;;
    vulcan) echo --mca io ompio --mca fcoll vulcan ;;
    romio) echo --mca io romio341 ;;
    esac
}
names=(off collect declared vulcan romio)
for round in 0 1 2; do
    for turn in 0 1 2 3 4; do
        name=${names[(round + turn) % 5]}
        read -ra mca <<<"$(mca_of "$name")"
        timeout 200 "${cluster[@]}" run --ranks-per-host 2 --mpirun "$mpirun" -- "${mca[@]}" "$bench" "${@}" --sync --verify \
            --repetitions 3 --warm-ups 1 --file "$work/storage/file" --json "$work/json" >"$work/log" 2>&1 || { tail -20 "$work/log" >&2; exit 1; }
        tr -d ' ,' <"$work/json" | awk -F: '/^"seconds"/ { print $2 }' >>"$work/$name"
    done
done
echo "$*: $calls calls and a sync, medians of 9 (least to most), seconds"
reference=$(sort -g "$work/off" | sed -n 5p)
for name in "${names[@]}"; do
    sort -g "$work/$name" | awk -v name="$name" -v reference="$reference" \
        '{ s[NR] = $1 } END { printf "  %-9s %8.4f (%.4f to %.4f)  off / this: %.2f\n", name, s[5], s[1], s[9], reference / s[5] }'
done
