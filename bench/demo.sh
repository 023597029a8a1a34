#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The overlap project
#
# A newcomer's first command on a fresh Debian 12, 13 or unstable: installs the packages, builds the component for the packaged Open
# MPI, then writes a file collectively with vulcan, with overlap as it is by default and with every schedule of it, checks every byte and
# prints a table.
#   bench/demo.sh [--ranks N] [--repetitions R] [--dir DIR]
# What is built is kept in OVERLAP_CACHE (default ~/.cache/overlap); a second run only measures.
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)
ranks=4
repetitions=5
dir=
while [ $# -gt 0 ]; do
    case "$1${2:+ }" in
    "--ranks ") ranks=$2 ;;
    "--repetitions ") repetitions=$2 ;;
    "--dir ") dir=$2 ;;
    *)
        sed -n '5,/^set/{/^#/s/^# \{0,1\}//p}' "$0"
        exit 2
        ;;
    esac
    shift 2
done
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
per_rank=$((16 << 20))

say() { echo "==> $*"; }

say "packages"
"$here/config/install-packages.sh" --build-only
say "building overlap for the packaged Open MPI"
built=$("$here/config/standalone.sh" demo)
read -r build prefix <<<"${built##*$'\n'}"
component_path=$("$here/config/component-path.sh" "$prefix/lib/openmpi" mpicc.openmpi)
kernel=$build/demo_kernel
if [ ! -e "$kernel" ] || [ "$here/bench/demo_kernel.c" -nt "$kernel" ]; then
    mpicc.openmpi -O2 -o "$kernel" "$here/bench/demo_kernel.c"
fi

# Memory rather than a disk, so that the table shows the software and not the disk: /dev/shm, where it is large enough (a container's
# often is not).
need=$((ranks * per_rank * 2 / 1024))
free_kib() { df -Pk "$1" 2>/dev/null | awk 'NR == 2 { print $4 }'; }
if [ -z "$dir" ]; then
    dir=${TMPDIR:-/tmp}
    if [ -w /dev/shm ] && [ "$(free_kib /dev/shm)" -gt "$need" ]; then dir=/dev/shm; fi
fi
work=$(mktemp -d "$dir/overlap-demo.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

# median SECONDS...: of the numbers on standard input.
median() { sort -g | awk '{ value[NR] = $1 } END { print NR % 2 ? value[(NR + 1) / 2] : (value[NR / 2] + value[NR / 2 + 1]) / 2 }'; }

# measure BLOCK MCA...: the median of the repetitions in seconds.
measure() {
    local block=$1
    shift
    timeout 600 mpirun.openmpi --oversubscribe -np "$ranks" --mca mpi_yield_when_idle 1 --mca io ompio \
        --mca mca_base_component_path "$component_path" "$@" \
        "$kernel" "$work/file" "$block" $((per_rank / block)) "$repetitions" >"$work/seconds" 2>"$work/errors" || {
        cat "$work/errors" >&2
        echo "demo: failed: mpirun ... $*" >&2
        exit 1
    }
    median <"$work/seconds"
}

say "$ranks ranks on $(nproc) cores, $((per_rank >> 20)) MiB each, one file in $dir ($(stat -f -c %T "$dir")), $repetitions repetitions"
[ "$(stat -f -c %T "$dir")" = tmpfs ] || say "not in memory: the disk's own pace shows in the times (--dir DIR takes another folder)"
say "each line: mpirun --mca io ompio --mca fcoll NAME [--mca fcoll_overlap_algorithm SCHEDULE] ..."
echo
for block in 256 1048576; do
    [ $block = 256 ] && tile="256 B" || tile="1 MiB"
    printf '%-8s %-22s %10s %10s %18s\n' tile "fcoll" seconds MB/s "times vulcan's"
    reference=
    for schedule in vulcan default none comm write write-comm write-comm-2 dataflow; do
        name="overlap $schedule"
        case $schedule in
        vulcan)
            name=vulcan
            seconds=$(measure $block --mca fcoll vulcan)
            reference=$seconds
            ;;
        default) seconds=$(measure $block --mca fcoll overlap) ;;
        *) seconds=$(measure $block --mca fcoll overlap --mca fcoll_overlap_algorithm $schedule) ;;
        esac
        awk -v tile="$tile" -v name="$name" -v s="$seconds" -v r="$reference" -v b=$((ranks * per_rank)) \
            'BEGIN { printf "%-8s %-22s %10.4f %10.0f %18.2f\n", tile, name, s, b / s / 1e6, r / s }'
    done
    echo
done
say "every byte of every file was right. MB/s of the collective write alone, medians; more is better."
