#!/bin/bash
# Several small collective writes one after the other and a sync: each on file when it returns, left for later (collect), and declared
# beforehand, beside vulcan and ROMIO. 4 emulated hosts of 2 ranks, NICs of 800 Mbit/s, a storage of 400 MB/s that takes 5 ms a write.
#   bench/declared.sh [SETTING=VALUE...] CALLS BYTES KERNEL [OPTION...]
# CALLS and the BYTES of a rank in all of them are what is declared; KERNEL and its options are those of overlap-bench. Settings:
#   openmpi=5      5.0.7 with the component in its tree, or 4: the installed package, the one that has HDF5
#   by=mca         how collect and declare are given: as MCA parameters alone, or by hint: MPI_Info at the opening of the file, with HDF5 in
#                  the property list of the file's access
#   contenders=off,collect,declared,vulcan,romio    which of them, off first
#   sharedfp=      as an MCA parameter for all but ROMIO. ^lockedfile: MPI_File_set_view writes no lock file, 5 ms; HDF5 has two views a call
#   rounds=3 repetitions=3 warm_ups=1               of each contender
# As in HACC-IO, FLASH, and ten small variables of a program with HDF5:
#   bench/declared.sh 9 190000 hacc --layout soa --particles 5000
#   bench/declared.sh contenders=off,collect,vulcan,romio 1 190000 hacc --layout aos --particles 5000
#   bench/declared.sh 24 3145728 flash --variables 24 --blocks 4
#   bench/declared.sh openmpi=4 by=hint 10 1310720 flash --variables 10 --blocks 4 --method hdf5
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)
openmpi=5 by=mca contenders=off,collect,declared,vulcan,romio sharedfp='' rounds=3 repetitions=3 warm_ups=1
while [[ ${1:-} =~ ^(openmpi|by|contenders|sharedfp|rounds|repetitions|warm_ups)=([a-z0-9,^]+)$ ]]; do
    printf -v "${BASH_REMATCH[1]}" %s "${BASH_REMATCH[2]}"
    shift
done
wrong() { echo "declared: $1; see the head of $0" >&2 && exit 2; }
[ $# -ge 3 ] || wrong "CALLS BYTES KERNEL"
[[ $1 =~ ^[0-9]+$ && $2 =~ ^[0-9]+$ ]] || wrong "CALLS and BYTES are numbers, not \"$1 $2\""
[[ $by =~ ^(mca|hint)$ ]] || wrong "by=mca or by=hint"
[[ $openmpi =~ ^[45]$ ]] || wrong "openmpi=4 or openmpi=5"
IFS=, read -ra names <<<"$contenders"
for name in "${names[@]}"; do [[ $name =~ ^(off|collect|declared|vulcan|romio)$ ]] || wrong "no contender \"$name\""; done
[ "${names[0]}" = off ] || wrong "off is what others are compared with, and the first"
calls=$1 bytes=$2
shift 2
. "$here/bench/common/openmpi.sh"
take_openmpi "$openmpi"
cluster=("$here/bench/cluster" --name d$$)
work=$(mktemp -d /tmp/overlap-declared.XXXXXX)
mkdir "$work/storage"
trap '"$here/bench/storage" umount "$work/storage" >/dev/null 2>&1; "${cluster[@]}" down >/dev/null 2>&1; rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
"${cluster[@]}" up --hosts 4 --mbit 800 >/dev/null
"$here/bench/storage" mount "$work/storage" --mbps 400 --latency-ms 5 >/dev/null

# choose NAME: sets what mpirun and overlap-bench are told.
choose() {
    mca=(--mca io ompio --mca fcoll overlap "${component[@]}") hints=()
    case $1 in
    collect) given=(fcoll_overlap_collect auto) ;;
    declared) given=(fcoll_overlap_declare "calls=$calls,bytes=$bytes") ;;
    vulcan) mca=(--mca io ompio --mca fcoll vulcan) ;;
    romio) mca=(--mca io "$([ "$openmpi" = 4 ] && echo romio321 || echo romio341)") ;;
    esac
    if [ -n "$sharedfp" ] && [ "$1" != romio ]; then mca+=(--mca sharedfp "$sharedfp"); fi
    case $1,$by in
    collect,mca | declared,mca) mca+=(--mca "${given[@]}") ;;
    collect,hint | declared,hint) hints=(--hint "${given[0]}=${given[1]}") ;;
    esac
}
for ((round = 0; round < rounds; ++round)); do
    for ((turn = 0; turn < ${#names[@]}; ++turn)); do
        name=${names[(round + turn) % ${#names[@]}]}
        choose "$name"
        timeout 200 "${cluster[@]}" run --ranks-per-host 2 --mpirun "$mpirun" -- "${mca[@]}" "$bench" "${@}" "${hints[@]}" --sync --verify \
            --repetitions "$repetitions" --warm-ups "$warm_ups" --file "$work/storage/file" --json "$work/json" >"$work/log" 2>&1 || { tail -20 "$work/log" >&2; exit 1; }
        tr -d ' ,' <"$work/json" | awk -F: '/^"seconds"/ { print $2 }' >>"$work/$name"
    done
done
echo "$*: Open MPI $openmpi, $calls calls and a sync, by $by${sharedfp:+, sharedfp $sharedfp}, medians of $((rounds * repetitions)) (least to most), seconds"
reference=$(median "$work/off")
for name in "${names[@]}"; do
    sort -g "$work/$name" | awk -v name="$name" -v reference="$reference" -v median="$(median "$work/$name")" \
        '{ s[NR] = $1 } END { printf "  %-9s %8.4f (%.4f to %.4f)  off / this: %.2f\n", name, median, s[1], s[NR], reference / median }'
done
