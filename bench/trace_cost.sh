#!/bin/bash
# What a timeline adds to a collective write: of bench/trace_kernel.c a line for each number of ranks, with the packaged Open MPI, files in
# memory. The bytes are those of a write of about 10 ms on a machine of two processors.
#   bench/trace_cost.sh [RANKS...]      (default: 4 8)
# COMPONENT: the folder of the component, in the place of one that is built.
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)
[ $# != 0 ] || set -- 4 8
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
component=${COMPONENT:-$("$here/config/standalone.sh" compare | tail -1 | cut -d' ' -f2)/lib/openmpi}
path=$("$here/config/component-path.sh" "$component" mpicc.openmpi)
work=$(mktemp -d /dev/shm/overlap-trace.XXXXXX)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
mpicc.openmpi -O2 -o "$work/kernel" "$here/bench/trace_kernel.c"
for ranks in "$@"; do
    printf '%d ranks, %d MiB: ' "$ranks" 16
    timeout 120 mpirun.openmpi --oversubscribe -np "$ranks" --mca mpi_yield_when_idle 1 --mca io ompio --mca fcoll overlap \
        --mca mca_base_component_path "$path" "$work/kernel" "$work" "$work/trace.json" 65536 $((256 / ranks)) 200
done
