#!/bin/bash
# What windows cost with each osc component that there is, on one node and between emulated hosts: a line for each of bench/window_kernel.c.
#   bench/windows.sh [4|5]
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)
version=${1:-5}
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
if [ "$version" = 5 ]; then
    prefix=$("$here/config/openmpi-5.sh" | tail -1)
    mpirun=$prefix/bin/mpirun mpicc=$prefix/bin/mpicc
    between="rdma"
else
    mpirun=$(type -P mpirun.openmpi) mpicc=mpicc.openmpi
    between="pt2pt ucx"
fi
work=$(mktemp -d)
cluster=("$here/bench/cluster" --name "w$$")
trap '"${cluster[@]}" down >/dev/null 2>&1; rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
"$mpicc" -O2 -o "$work/window_kernel" "$here/bench/window_kernel.c"

echo "microseconds, Open MPI $version, 8 ranks on one node:"
for osc in sm rdma ucx; do
    ucx=()
    [ $osc != ucx ] || ucx=(--mca pml ucx --mca opal_common_ucx_tls any --mca opal_common_ucx_devices any)
    printf '  %-6s ' $osc
    timeout 120 "$mpirun" --oversubscribe -np 8 --mca mpi_yield_when_idle 1 --mca osc $osc "${ucx[@]}" "$work/window_kernel" 2>/dev/null ||
        echo "cannot make a window"
done
"${cluster[@]}" up --hosts 4 --mbit 800 >/dev/null || exit 0
echo "the same, 4 hosts x 2 ranks over TCP, 800 Mbit/s:"
for osc in $between; do
    printf '  %-6s ' $osc
    timeout 120 "${cluster[@]}" run --ranks-per-host 2 --mpirun "$mpirun" -- --mca osc $osc "$work/window_kernel" 2>/dev/null ||
        echo "cannot make a window"
done
