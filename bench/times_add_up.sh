#!/bin/bash
# How much of the time that a program spends in collective calls the counters account for: of rank 0, the sum of the times of the report's
# parts (MPI_T variables *_seconds_*) against the time that test/functional/report.cc measures around the calls, for each schedule. With the
# packaged Open MPI, files in memory.
#   bench/times_add_up.sh [RANKS [BYTES_PER_RANK]]      (default: 4 2097152)
# COMPONENT: the folder of the component, in the place of one that is built.
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)
ranks=${1:-4} bytes=${2:-2097152}
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
component=${COMPONENT:-$("$here/config/standalone.sh" compare | tail -1 | cut -d' ' -f2)/lib/openmpi}
path=$("$here/config/component-path.sh" "$component" mpicc.openmpi)
work=$(mktemp -d /dev/shm/overlap-times.XXXXXX)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
mpicxx.openmpi -O2 -std=c++17 -o "$work/report" "$here/test/functional/report.cc"
for algorithm in none comm write write-comm write-comm-2 dataflow; do
    echo "$algorithm, $ranks ranks, $bytes bytes each:"
    timeout 120 mpirun.openmpi --oversubscribe -np "$ranks" --mca mpi_yield_when_idle 1 --mca io ompio --mca fcoll overlap \
        --mca mca_base_component_path "$path" --mca fcoll_overlap_algorithm "$algorithm" \
        --mca fcoll_overlap_writes collective --mca fcoll_overlap_reads collective "$work/report" "$work" "$bytes"
done
