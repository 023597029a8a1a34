# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The overlap project
#
# Sourced by the suites of bench/compare, behind ../mpi_suite.sh and suite_begin: builds the program, and makes stand-ins for mpirun,
# overlap-bench, ompi_info, cluster and storage, which do what a case tells them.
# shellcheck shell=bash
tools=$scratch/tools
export STAND_IN=$scratch/stand-in
mkdir -p "$tools" "$STAND_IN" "$scratch/target" "$scratch/tmp"

shows() { cat "$scratch/answer" && grep -qE -- "$1" "$scratch/answer"; }
# json EXPRESSION: on the result, in perl as $j.
# shellcheck disable=SC2016
json() {
    perl -MJSON::PP -e 'local $/; open F, "<", shift; my $j = decode_json(<F>); print eval(shift) // "null", "\n"' "$scratch/out.json" "$1"
}

stand_in() {
    cat >"$1"
    chmod +x "$1"
}

make_stand_ins() {
    # Parameters reach the program as mpirun hands them on.
    stand_in "$tools/mpirun" <<'END'
#!/bin/bash
while :; do
    case $1 in
    --mca) export "OMPI_MCA_$2=$3" && shift 3 ;;
    -n) export STAND_IN_RANKS=$2 && shift 2 ;;
    --oversubscribe) shift ;;
    *) exec "$@" ;;
    esac
done
END
    # One line of the contender's file for each call, the last one for all others: seconds, or what goes wrong. Without other programs: it runs
    # some hundred times.
    stand_in "$tools/overlap-bench" <<'END'
#!/bin/bash
name=${OMPI_MCA_fcoll:-$OMPI_MCA_io}${OMPI_MCA_fcoll_overlap_algorithm:+-$OMPI_MCA_fcoll_overlap_algorithm}
name+=${OMPI_MCA_fcoll_overlap_shuffle:+-$OMPI_MCA_fcoll_overlap_shuffle}
echo "$name ranks=${STAND_IN_RANKS:-} yield=${OMPI_MCA_mpi_yield_when_idle:-} $*" >>"$STAND_IN/calls"
verified=null
asked=null
parts=null
# A kernel may have times of its own.
kernel=$1
while [ $# -gt 0 ]; do
    case $1 in
    --only-write) name=T_write ;;
    --nonblocking) asked='{"compute": 0}' ;;
    --compute) asked='{"compute": '$2'}' ;;
    --verify) verified=true ;;
    --json) json=$2 ;;
    --file) file=$2 ;;
    esac
    shift
done
if [[ $name = overlap-* && $file != */target/* ]]; then name=T_comm-${name#overlap-}; fi
if [ -e "$STAND_IN/$kernel-$name" ]; then name=$kernel-$name; fi
printf x >>"$STAND_IN/$name.count"
turns=$(<"$STAND_IN/$name.count")
lines=(1)
[ ! -e "$STAND_IN/$name" ] || mapfile -t lines <"$STAND_IN/$name"
turn=$((${#turns} < ${#lines[@]} ? ${#turns} : ${#lines[@]}))
seconds=${lines[turn - 1]}
echo "bytes" >"$file"
echo "this is $name"
case $seconds in
exit) echo "it is out of order" && exit 3 ;;
hang) echo $$ >"$STAND_IN/hanging" && exec sleep 1000 ;;
wrong)
    # As the real one: it goes no further, and has no times.
    echo '{"program": "overlap-bench", "repetitions": [], "verified": false, "error": "byte 3"}' >"$json"
    exit 1
    ;;
silent) verified=null seconds=1 ;;
nothing) exit 0 ;;
garbage) echo '{"repetitions": [' >"$json" && exit 0 ;;
endless) seconds=-1 ;;
esac
# As after blocking calls of 1 s and a computation of 0.8 s.
[ "$asked" = null ] || parts=$(awk -v both="$seconds" 'BEGIN { printf "{\"blocking\": 1, \"compute\": 0.8, \"start\": 0.25, \"start_share\": 0.25, \"tests\": 0.125, \"test_share\": 0.125, \"hidden\": %.6f}", (1.8 - both) / 0.8 }')
read -r -d '' text <<JSON
{"program": "overlap-bench", "kernel": "tile", "parameters": {"element": 256}, "ranks": 8, "nodes": 1, "bytes": 300000000, "calls": 2,
 "repetitions": [{"open": 0.1, "calls": [$seconds], "sync": 0, "close": 0.1, "seconds": $seconds, "nonblocking": $parts}], "verified": $verified,
 "nonblocking": $asked,
 "versions": {"mpi": "Open MPI v9.9.9"}, "machine": {}, "file": "$file", "file_system": "standinfs"}
JSON
echo "$text" >"$json"
END
    stand_in "$tools/ompi_info" <<'END'
#!/bin/bash
cat <<INFO
ompi:version:full:9.9.9
mca:io:ompio:version:"mca:2.1.0"
mca:io:romio999:version:"mca:2.1.0"
mca:fcoll:vulcan:version:"mca:2.1.0"
mca:fcoll:overlap:version:"mca:2.1.0"
mca:fcoll:overlap:param:fcoll_overlap_algorithm:value:write-comm
mca:fcoll:overlap:param:fcoll_overlap_algorithm:help:"A schedule; values: none, comm, write-comm, dataflow, auto"
mca:fcoll:overlap:param:fcoll_overlap_shuffle:value:two-sided
mca:fcoll:overlap:param:fcoll_overlap_shuffle:help:"How bytes travel; values: two-sided, put-lock"
mca:fcoll:overlap:param:fcoll_overlap_slots:value:2
mca:io:ompio:param:io_ompio_num_aggregators:value:-1
INFO
END
    stand_in "$tools/storage" <<'END'
#!/bin/bash
echo "storage $*" >>"$STAND_IN/calls"
case $1 in
mount) [ ! -e "$STAND_IN/no-storage" ] || { echo "storage: FUSE is missing here" && exit 77; }; echo "$2" >"$STAND_IN/mounted" ;;
umount) rm -f "$STAND_IN/mounted" ;;
esac
END
    stand_in "$tools/cluster" <<'END'
#!/bin/bash
echo "cluster $*" >>"$STAND_IN/calls"
shift 2
case $1 in
up)
    touch "$STAND_IN/up"
    [ ! -e "$STAND_IN/broken-cluster" ] || { echo "cluster: no cable" && exit 1; }
    [ ! -e "$STAND_IN/slow-cluster" ] || { echo $$ >"$STAND_IN/hanging" && exec sleep 1000; } ;;
down) rm -f "$STAND_IN/up" ;;
run) while [ "$1" != -- ]; do shift; done && shift && exec "$(dirname "$0")/mpirun" "$@" ;;
esac
END
}

# times CONTENDER SECONDS...: of the round that does not count, then of the others.
times() {
    local name=$1
    shift
    printf '%s\n' "$@" >"$STAND_IN/$name"
}
anew() { rm -rf "${STAND_IN:?}" && mkdir "$STAND_IN"; }
# compare ARGUMENT...: with the stand-ins.
compare_with() {
    TMPDIR=$scratch/tmp "$program" --tools "$tools" --mpirun "$tools/mpirun" --ompi-info "$tools/ompi_info" \
        --overlap-bench "$tools/overlap-bench" --dir "${target:-$scratch/target}" --json "${out:-$scratch/out.json}" "$@"
}
export -f compare_with
export program tools scratch
compare=(bash -c 'compare_with "$@"' compare)
# With these, the target is no file system in memory.
on_storage=(--storage-mbps 100)
# What is in the folders that it was given, and the folders that its jobs wrote to.
left_behind() {
    local folder
    find "$scratch/target" "$scratch/tmp" -mindepth 1
    find "$STAND_IN" -name up -o -name mounted
    sed -n 's/.* --file \(.*\)\/file .*/\1/p' "$STAND_IN/calls" | sort -u | while read -r folder; do
        [ ! -e "$folder" ] || echo "$folder"
    done
}
nothing_left() { left_behind && [ -z "$(left_behind)" ]; }
in_memory() { [ "$(stat -f -c %T /dev/shm)" = tmpfs ] && [ -w /dev/shm ]; }

program=$("$here/config/bench.sh" compare | tail -1)
if [ -z "$program" ]; then
    echo "FAIL compare does not build"
    echo "0 passed, 1 failed"
    exit 1
fi
make_stand_ins
