#!/bin/bash
# Several small collective writes one after the other and a sync: each in the file when it returns (off), and declared
# (overlap_declare.h), beside vulcan and ROMIO. 4 emulated hosts of 2 ranks, NICs of 800 Mbit/s, a storage of 400 MB/s that takes 5 ms a
# write.
#   bench/declared.sh [SETTING=VALUE...] KERNEL [OPTION...]
# KERNEL and its options are those of overlap-bench. Settings:
#   openmpi=5      5.0.7 with the component in its tree, or 4: the installed package
#   contenders=off,declared,vulcan,romio            which of them, off first
#   sharedfp=      as an MCA parameter for all but ROMIO. ^lockedfile: MPI_File_set_view writes no lock file, 5 ms
#   rounds=3 repetitions=3 warm_ups=1               of each contender
# As in HACC-IO and FLASH:
#   bench/declared.sh hacc --layout soa --particles 5000
#   bench/declared.sh flash --variables 24 --blocks 4
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)
openmpi=5 contenders=off,declared,vulcan,romio sharedfp='' rounds=3 repetitions=3 warm_ups=1
while [[ ${1:-} =~ ^(openmpi|contenders|sharedfp|rounds|repetitions|warm_ups)=([a-z0-9,^]+)$ ]]; do
    printf -v "${BASH_REMATCH[1]}" %s "${BASH_REMATCH[2]}"
    shift
done
wrong() { echo "declared: $1; see the head of $0" >&2 && exit 2; }
[ $# -ge 1 ] || wrong "KERNEL"
[[ $openmpi =~ ^[45]$ ]] || wrong "openmpi=4 or openmpi=5"
IFS=, read -ra names <<<"$contenders"
for name in "${names[@]}"; do [[ $name =~ ^(off|declared|vulcan|romio)$ ]] || wrong "no contender \"$name\""; done
[ "${names[0]}" = off ] || wrong "off is what others are compared with, and the first"
. "$here/bench/common/openmpi.sh"
take_openmpi "$openmpi"
cluster=("$here/bench/cluster" --name d$$)
work=$(mktemp -d /tmp/overlap-declared.XXXXXX)
mkdir "$work/storage"
trap '"$here/bench/storage" umount "$work/storage" >/dev/null 2>&1; "${cluster[@]}" down >/dev/null 2>&1; rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
"${cluster[@]}" up --hosts 4 --mbit 800 >/dev/null
"$here/bench/storage" mount "$work/storage" --mbps 400 --latency-ms 5 >/dev/null

# choose NAME: sets the options of mpirun and overlap-bench.
choose() {
    mca=(--mca io ompio --mca fcoll overlap "${component[@]}") options=()
    case $1 in
    declared) options=(--declare) ;;
    vulcan) mca=(--mca io ompio --mca fcoll vulcan) ;;
    romio) mca=(--mca io "$([ "$openmpi" = 4 ] && echo romio321 || echo romio341)") ;;
    esac
    if [ -n "$sharedfp" ] && [ "$1" != romio ]; then mca+=(--mca sharedfp "$sharedfp"); fi
}
for ((round = 0; round < rounds; ++round)); do
    for ((turn = 0; turn < ${#names[@]}; ++turn)); do
        name=${names[(round + turn) % ${#names[@]}]}
        choose "$name"
        timeout 200 "${cluster[@]}" run --ranks-per-host 2 --mpirun "$mpirun" -- "${mca[@]}" "$bench" "${@}" "${options[@]}" --sync --verify \
            --repetitions "$repetitions" --warm-ups "$warm_ups" --file "$work/storage/file" --json "$work/json" >"$work/log" 2>&1 || { tail -20 "$work/log" >&2; exit 1; }
        tr -d ' ,' <"$work/json" | awk -F: '/^"seconds"/ { print $2 }' >>"$work/$name"
    done
done
echo "$*: Open MPI $openmpi, with a sync${sharedfp:+, sharedfp $sharedfp}, medians of $((rounds * repetitions)) (least to most), seconds"
reference=$(median "$work/off")
for name in "${names[@]}"; do
    sort -g "$work/$name" | awk -v name="$name" -v reference="$reference" -v median="$(median "$work/$name")" \
        '{ s[NR] = $1 } END { printf "  %-9s %8.4f (%.4f to %.4f)  off / this: %.2f\n", name, median, s[1], s[NR], reference / median }'
done
