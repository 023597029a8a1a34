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
# job RANKS [MCA...]: the median and the mean of a write, in milliseconds.
job() {
    local ranks=$1
    shift
    timeout 120 mpirun.openmpi --oversubscribe -np "$ranks" --mca mpi_yield_when_idle 1 --mca io ompio --mca fcoll overlap \
        --mca mca_base_component_path "$path" "$@" "$work/kernel" "$work" 65536 $((256 / ranks)) 100
}
# An MCA parameter holds for a job, so jobs with a timeline and without one take turns; of each kind the best counts.
for ranks in "$@"; do
    for ((round = 0; round < 5; round++)); do
        printf '%s ' "$(job "$ranks")" "$(job "$ranks" --mca fcoll_overlap_trace "$work/trace.json")"
        echo
    done | awk -v ranks="$ranks" '
        function least(a, b) { return a == "" || b < a ? b : a }
        { for (i = 1; i <= 4; i++) best[i] = least(best[i], $i) }
        END {
            printf "%d ranks, 16 MiB: median without %.3f ms, with %.3f ms: %+.2f %%; mean without %.3f ms, with %.3f ms: %+.2f %%\n",
                ranks, best[1], best[3], 100 * (best[3] / best[1] - 1), best[2], best[4], 100 * (best[4] / best[2] - 1)
        }'
done
